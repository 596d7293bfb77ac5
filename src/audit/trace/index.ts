/** Traces published numbers: what was counted, how it was computed, and why it matches or does not. */
export { traceNumbers, type Trace, type TracePart } from "./trace.js";
