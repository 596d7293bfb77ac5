/** Fetching: one request becomes a body on this machine that is counted, scanned and kept. */
export { fetchBody, type Fetched } from "./fetch-body.js";
export { createRawKeeper, keepNothing } from "./raw-keeper.js";
export type { FetchContext } from "./receive.js";
