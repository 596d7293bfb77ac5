/** The published numbers of one result, and how a recomputed table compares with them. */
export { bitsOfDecimal, simplestIn, simplestWithin } from "./decimals.js";
export {
  centreOf,
  fitOf,
  maxOutliers,
  modelOf,
  targetOf,
  type TargetFit,
  type Rounding,
  type Target,
} from "./target.js";
