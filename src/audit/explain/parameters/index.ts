/** Derives the parameters of a scenario (K, a prior's shape, a scale, …) from the published numbers. */
export { levels } from "./elo-curves.js";
export { identify, identifyCostlyQuality, isCostly } from "./identify.js";
export { axisOf, isInUse, type Identified, type Parameter } from "./parameter.js";
export { isReachable } from "./reach.js";
export { project } from "./solve.js";
export { isFarFromSum } from "./sum.js";
export { pick, residuals } from "./vectors.js";
