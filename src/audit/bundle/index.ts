export { writeBundle } from "./write.js";
export { verifyBundle } from "./verify.js";
export type { AuditSettings } from "./contents.js";
