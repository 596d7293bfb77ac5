/** How much the published numbers that differ say, in bits. */
export { bitsWithin, carriedBits, rootMeanSquare, samplingErrors, widthsOf, type Supposed } from "./carried-bits.js";
