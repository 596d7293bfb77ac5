/** Finds the cause of each published result that the run's own conventions do not reproduce. */
export { acceptedIn, type Acceptance, type AcceptedConvention } from "./acceptance.js";
export type { CauseSettings, Explained, OpenResult } from "./find-cause.js";
export { findCauses } from "./find-causes.js";
export type { Finding } from "./finding.js";
