/** The metrics: kinds, kernels and the numerics that statistics use too. */
export { likelihoodClasses, membersOf, restrict } from "./bradley-terry/classes.js";
export { derivatives } from "./bradley-terry/derivatives.js";
export { clusteredCovariance, severalRaters } from "./bradley-terry/errors.js";
export { addedUp } from "./bradley-terry/kernel.js";
export { fitWorths, type TieModel, type WorthFit } from "./bradley-terry/model.js";
export { pooled } from "./bradley-terry/resample.js";
export {
  conventionsInputSchema,
  conventionsSchema,
  conventionsWith,
  defaultConventions,
  type Conventions,
  type ConventionsInput,
} from "./conventions.js";
export {
  byGroup,
  comparisonsIn,
  isUnweighted,
  localIds,
  newTable,
  pairCountsIn,
  sourcesQuery,
  type Columns,
  type ColumnVector,
  type Kernel,
  type KernelNeeds,
  type KernelOutput,
  type VectorType,
} from "./kernel.js";
export { drawsOption, scaledNoise, scaledStop } from "./intervals.js";
export { allKernels, type Kernels } from "./kernels.js";
export { zeroShare } from "./limits.js";
export {
  type Order,
  type OptionSpelling,
  type Table,
  type UnitChoice,
  type UnitScale,
} from "./kind.js";
export {
  fieldsOf,
  hasFreeLevel,
  isCount,
  isHalfWidth,
  isOfInterval,
  isKind,
  kinds,
  mainField,
  metricKind,
  type Kind,
} from "./kinds.js";
export {
  connectedComponents,
  distinctOf,
  joined,
  placesByValue,
  placesOf,
  runsOf,
  type PlacesByValue,
} from "./numeric/arrays.js";
export { isAbove, orderTolerance, rankedBy, ranksOf } from "./numeric/order.js";
export { factorInPlace, substitute } from "./numeric/solvers.js";
export { fQuantile, quantile, tQuantile, tTail } from "./numeric/statistics.js";
export { choice, numberIn } from "./options.js";
export {
  amongPresent,
  comparisonsOf,
  pairCountsOf,
  namelessOrders,
  pairIndex,
  raterPairCountsOf,
  type PairCounts,
  type RaterPairCounts,
} from "./pair-counts.js";
export {
  type NamedPairs,
  type NamedScores,
  type OrderedComparisons,
  type Sample,
} from "./sample.js";
