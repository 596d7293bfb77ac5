export { bayesianElo, countedTies, eloOf } from "./bayesian-elo/bayesian-elo.js";
export { mmStrengths, strengthData } from "./bayesian-elo/strengths.js";
export {
  conventionsInputSchema,
  conventionsSchema,
  conventionsWith,
  defaultConventions,
  type Conventions,
  type ConventionsInput,
} from "./conventions.js";
export { onlineElo, type EloConvention } from "./elo/online-elo.js";
export {
  sourcesQuery,
  type Columns,
  type ColumnVector,
  type Kernel,
  type KernelNeeds,
  type KernelOutput,
  type VectorType,
} from "./kernel.js";
export type { KeptResults } from "./keep.js";
export { kernels, kernelsFile } from "./kernels.js";
export { emptyTable, orders, type FieldSum, type Order, type OptionSpelling, type Table } from "./kind.js";
export { fieldsOf, isCount, isIntervalEnd, isKind, kinds, mainField, metricKind, type Kind } from "./kinds.js";
export { runsOf } from "./numeric/arrays.js";
export { smallestCount } from "./numeric/grim.js";
export { orderTolerance } from "./numeric/order.js";
export { choice, numberIn } from "./options.js";
export { amongPresent, pairCountsOf, raterPairCountsOf, type PairCounts, type RaterPairCounts } from "./pair-counts.js";
export { tallied, type NamedPairs, type NamedScores, type OrderedComparisons, type Sample } from "./sample.js";
