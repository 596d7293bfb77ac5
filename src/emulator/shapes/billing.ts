import type { BillingEvent } from "../state/state.js";

/** A billing event as a project sees it. */
export function billingShape(event: BillingEvent): Record<string, unknown> {
  const { id, kind, date_created, description, amount, currency, experiment_id, job_id } = event;
  return { id, kind, date_created, description, amount, currency, experiment_id, job_id };
}
