export {
  bayesianElo,
  bayesianEloEnds,
  eloOf,
  intervalEnds,
  type BayesianEloResult,
} from "./bayesian-elo/bayesian-elo.js";
export type { QualityPrecision } from "./bayesian-elo/rater-quality.js";
export { mmStrengths, strengthData } from "./bayesian-elo/strengths.js";
export { warmStrengths } from "./bayesian-elo/warm-start.js";
export { bradleyTerry } from "./bradley-terry/bradley-terry.js";
export {
  conventionsInputSchema,
  conventionsSchema,
  conventionsWith,
  defaultConventions,
  type BayesianEloConvention,
  type Conventions,
  type ConventionsInput,
  type EloConvention,
} from "./conventions.js";
export { onlineElo, type OrderedComparisons } from "./elo/online-elo.js";
export { eloOrderRange } from "./elo/order-range.js";
export { countFields, fieldsOf, intervalFields, isKind, kinds, type Kind } from "./kinds.js";
export { connectedComponents } from "./numeric/components.js";
export { normalQuantile, tQuantile } from "./numeric/quantiles.js";
export { amongPresent, comparisonsOf, comparisonsOfItems, pairCountsOf, type PairCounts } from "./pairs/pair-counts.js";
export { raterPairCountsOf, type RaterPairCounts } from "./pairs/rater-pair-counts.js";
export { bootstrapMean } from "./stats/bootstrap.js";
