/** Notices of the end of a run: a command or a webhook, once for each run. */
export { deliver, type Told } from "./deliver.js";
export { noticeEventNames, noticeEvents, noticeOf, secretsOf, type NoticeEvent, type Notices } from "./event.js";
export { noticeSchema, type NoticeInput } from "./schema.js";
