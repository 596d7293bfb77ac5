import { Type } from "../../platform/index.js";
import { assumed, DateTime, Nullable } from "../schema.js";
import { same } from "../versions.js";

/** Not shown; assumed. The secret is shown once, when the project's first webhook makes it. */
const Webhook = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ format: "uri" }),
    events: Type.Array(Type.String()),
    description: Type.Optional(Type.String()),
    is_active: Type.Boolean(),
    date_created: DateTime(),
    date_updated: DateTime(),
    secret: Type.Optional(Type.String({ "x-secret": true })),
  },
  assumed({}, "fields"),
);

const billingEvent = {
  id: Type.String(),
  kind: Type.String(),
  date_created: DateTime(),
  description: Type.Optional(Type.String()),
  amount: Type.Number(),
  currency: Type.String(),
  experiment_id: Type.Optional(Nullable(Type.String())),
  job_id: Type.Optional(Nullable(Type.String())),
};

/** Not shown; assumed. */
const BillingEvent = Type.Object(billingEvent, assumed({}, "fields"));

/** Not shown; assumed. */
const OrganizationBillingEvent = Type.Object(
  { ...billingEvent, project_id: Type.Optional(Nullable(Type.String())) },
  assumed({}, "fields"),
);

export const projectRecords = {
  webhook: same(Webhook),
  billing_event: same(BillingEvent),
  organization_billing_event: same(OrganizationBillingEvent),
};
