import { Type } from "typebox";
import { DateTime, Nullable } from "../schema.js";

/** Not shown; assumed. The secret is shown once, when the project's first webhook makes it. */
export const Webhook = Type.Object({
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  description: Type.Optional(Type.String()),
  is_active: Type.Boolean(),
  date_created: DateTime(),
  date_updated: DateTime(),
  secret: Type.Optional(Type.String({ "x-secret": true })),
});

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
export const BillingEvent = Type.Object(billingEvent);

/** Not shown; assumed. */
export const OrganizationBillingEvent = Type.Object({
  ...billingEvent,
  project_id: Type.Optional(Nullable(Type.String())),
});
