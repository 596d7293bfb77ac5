export { createAdaptiveLimit, type AdaptiveLimit } from "./adaptive-limit.js";
export { createClient, type Client, type ClientOptions } from "./client.js";
export type { Credentials } from "./credentials.js";
export {
  AuthenticationFailure,
  NotFoundFailure,
  PermissionFailure,
  RejectionFailure,
  TerminalFailure,
  TransientFailure,
} from "./failures.js";
export { defaultLimits, type TransferLimits } from "./limits.js";
export type { Network } from "./network.js";
export { checkAnnounced } from "./pages.js";
export { postJson, repeatedly } from "./post-json.js";
export { backoffMs, defaultRetryPolicy, retryAfterMs } from "./retry.js";
export { fileSink, type Sink } from "./sink.js";
export { uploadDataset } from "./upload.js";
