/** Closed lists of the interface. Source: service-api.md, "Resources and their fields". */

export const languages = ["en", "fr", "de", "zh-hans", "es", "hi", "pl", "vi"] as const;

export const datasetStatuses = ["draft", "processing", "ready", "error"] as const;

export const metricKinds = [
  "bayesian_elo",
  "elo",
  "mean",
  "percent_approved",
  "percent_chosen",
  "stats",
  "win_loss",
] as const;

/** The lists whose elements publish numbers. */
export const publishedLists = ["results", "metrics", "leaderboards", "rubrics"] as const;
export type PublishedList = (typeof publishedLists)[number];

export const raterPoolKinds = [0, 100, 400, 500, 600, 700] as const;

/** Strategies of a job, by interface version. */
export const strategies = {
  "0.8.3": ["randomized", "lexicographic", "active", "neighbor"],
  "0.7.5": ["randomized", "active", "neighbour"],
} as const;

/** Events that webhooks report. Not shown; assumed. */
export const webhookEvents = [
  "dataset.ready",
  "dataset.error",
  "job.launched",
  "session.completed",
  "job.completed",
  "results.updated",
] as const;

/** Roles of an API key. The first two rows of service-api.md's table require the billing ones. */
export type KeyRole = "member" | "billing_manager" | "owner";
