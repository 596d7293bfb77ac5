/** Finds the parameters of a scenario (K, a prior's shape, a scale, …) from the published numbers. */
export { curvesOf, identify, identifyDearQuality } from "./identify.js";
export { axisOf, usualBits, type Identified, type Parameter } from "./parameter.js";
export { isLevelWithinReach, isWithinReach } from "./reach.js";
