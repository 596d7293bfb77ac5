/** Notices of the end of a run: a command or a webhook, once for each run. What sends them is loaded on the first call. */
export type { NoticedRun } from "./deliver.js";
export { noticeEventNames, noticeEvents, noticeOf, secretsOf, type NoticeEvent, type Notices } from "./event.js";
export { noticeSchema } from "./schema.js";

export const deliver: typeof import("./deliver.js").deliver = async (...args) =>
  (await import("./deliver.js")).deliver(...args);
