/** The HTTP client of the study service. */
export { endableLimit } from "./endable-limit.js";
export {
  createAdaptiveLimit,
  type AdaptiveLimit,
  transferLimits,
  type TransferLimits,
} from "./limits.js";
export { createClient, type Client, type ClientOptions, type Credentials } from "./client.js";
export {
  AuthenticationFailure,
  NotFoundFailure,
  PermissionFailure,
  RejectionFailure,
  TerminalFailure,
  TransientFailure,
} from "./failures.js";
export type { Network } from "./network.js";
export { checkAnnounced } from "./pages.js";
export { unmarked } from "./receive.js";
export { postJson, repeatedly, uploadDataset } from "./outside.js";
export { backoffMs, defaultRetryPolicy, retryAfterMs } from "./retry.js";
export { fileSink, type Sink } from "./sink.js";
export {
  credentialsIn,
  environmentWithoutSecrets,
  forgetSecrets,
  hide,
  type Redact,
  redactor,
  withoutSecrets,
} from "./secrets.js";
