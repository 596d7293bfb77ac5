/** Searches for the conventions and parameters that reproduce published numbers. */
export { explain } from "./explain.js";
export type { Explanation, Nearest } from "./explanation.js";
export { nameOf, type Candidate } from "./search/candidate.js";
