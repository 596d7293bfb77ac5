/** Notices of the end of a run: a command or a webhook, once for each run. */
export { deliver, type NoticedRun } from "./deliver.js";
export { noticeEventNames, noticeEvents, noticeOf, secretsOf, type NoticeEvent, type Notices } from "./event.js";
export { noticeSchema } from "./schema.js";
