/** How much the published numbers that differ say, in bits. */
export { carriedBits, samplingErrors, widthsOf, type Supposed } from "./carried-bits.js";
