export { bayesianElo, bayesianEloEnds, countedTies, eloOf, intervalEnds } from "./bayesian-elo/bayesian-elo.js";
export { mmStrengths, strengthData } from "./bayesian-elo/strengths.js";
export { warmStrengths } from "./bayesian-elo/warm-start.js";
export { bradleyTerry } from "./bradley-terry/bradley-terry.js";
export {
  conventionsInputSchema,
  conventionsSchema,
  conventionsWith,
  defaultConventions,
  type Conventions,
  type ConventionsInput,
} from "./conventions.js";
export type { EloConvention } from "./elo/convention.js";
export { eloRatings, onlineElo, type OrderedComparisons } from "./elo/online-elo.js";
export { eloOrderRange } from "./elo/order-range.js";
export {
  emptyTable,
  orders,
  type KindInfluence,
  type Order,
  type OptionSpelling,
  type Rough,
  type RoughPrecision,
  type Table,
} from "./kind.js";
export { fieldsOf, isCount, isIntervalEnd, isKind, kinds, mainField, metricKind, type Kind } from "./kinds.js";
export { addTo, runsOf } from "./numeric/arrays.js";
export { normalQuantile, tQuantile } from "./numeric/quantiles.js";
export { choice, numberIn } from "./options.js";
export { amongPresent, comparisonsOfItems, pairCountsOf, type PairCounts } from "./pairs/pair-counts.js";
export { raterPairCountsOf, type RaterPairCounts } from "./pairs/rater-pair-counts.js";
export { tallied, type NamedPairs, type NamedScores, type Sample } from "./sample.js";
export { upperProbability } from "./stats/quartiles.js";
export { bootstrapMean } from "./stats/bootstrap.js";
