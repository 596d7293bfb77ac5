import { notFound } from "../http/http-error.js";
import { list, type Outgoing } from "../http/outgoing.js";
import { billingShape } from "../presenters/records.js";
import type { State } from "../state/state.js";

/** Billing events of all projects of an organization, newest first. */
export function organizationBillingEvents(state: State, organizationId: string, billingId: string): Outgoing {
  if (state.organizations.get(organizationId)?.billing_id !== billingId) throw notFound("billing account");
  const events = [...state.projects.values()]
    .filter((project) => project.organization_id === organizationId)
    .flatMap((project) => project.billing)
    .sort((a, b) => (a.date_created === b.date_created ? 0 : a.date_created < b.date_created ? 1 : -1));
  return list({ values: events.map((event) => ({ ...billingShape(event), project_id: event.project_id })) });
}
