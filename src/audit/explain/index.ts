/** Looks for the conventions and parameters under which published numbers follow. */
export { explanationOf, nearestCandidate, nearestOf, type Explanation, type Nearest } from "./explanation.js";
export { nameOf, type Candidate } from "./search/candidate.js";
export { defaultLimits, search, type SearchLimits, type SearchResult } from "./search/search.js";
