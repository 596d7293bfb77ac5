import type { OperationName } from "../../contract/index.js";
import type { Handler } from "./asked.js";
import { createDataset } from "./datasets.js";
import { createExperiment } from "./experiments.js";
import { createJob, getJobCosts, launchJob } from "./jobs.js";
import { createWebhook, deleteWebhook, updateWebhook } from "./webhooks.js";

/** Every operation that changes the project; costs are among them, since they make a token. */
export const writing = {
  createDataset,
  createExperiment,
  createJob,
  getJobCosts,
  launchJob,
  createWebhook,
  updateWebhook,
  deleteWebhook,
} satisfies Partial<Record<OperationName, Handler>>;
