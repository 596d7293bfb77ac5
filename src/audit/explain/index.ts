/** Looks for the conventions and parameters under which published numbers follow. */
export { explain } from "./explain.js";
export type { Explanation, Nearest } from "./explanation.js";
export { nameOf, type Candidate } from "./search/candidate.js";
export { defaultLimits, type SearchLimits } from "./search/search.js";
