/** Fetching: sends a request, and stores, counts, scans and keeps its body. */
export { fetchBody, type Fetched } from "./fetch-body.js";
export { createRawKeeper, keepNothing } from "./raw-keeper.js";
export type { FetchContext, ReceivedBody } from "./receive.js";
