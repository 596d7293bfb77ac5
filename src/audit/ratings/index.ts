/** The ratings of an experiment, and the items, pairings and comparisons of a population. */
export {
  comparisonsOf,
  grouped,
  pairingOrder,
  pairingsOf,
  pairsOf,
  type Comparisons,
  type CountedPairings,
  type Pairs,
} from "./comparisons.js";
export { loadRatings } from "./load.js";
export { inServiceOrder, populationKey, selectRatings, slateGroupsOf, type Population } from "./population.js";
export { itemKeys, itemName, itemsOf, jobMask, plainestKey, type RatingColumns } from "./rating-columns.js";
