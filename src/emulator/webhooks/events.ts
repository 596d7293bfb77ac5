/** What webhooks tell of: an assumption, docs/service.md. */
export const webhookEvents = [
  "dataset.ready",
  "dataset.error",
  "job.launched",
  "session.completed",
  "job.completed",
  "results.updated",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
