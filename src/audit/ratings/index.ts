/** The ratings of an experiment, and the items, pairings and comparisons of a population. */
export { altered, type Alteration } from "./altered.js";
export { comparisonsOf, pairsOf, type Comparisons, type Pairs } from "./comparisons.js";
export { itemName, itemsOf, plainestKey } from "./items.js";
export { loadRatings } from "./load.js";
export { pairingOrder, pairingsOf, type CountedPairings } from "./pairings.js";
export { inServiceOrder, itemKeys, populationKey, type Population } from "./population.js";
export { jobMask, type RatingColumns } from "./rating-columns.js";
export { selectRatings } from "./select.js";
export { slateGroupsOf } from "./slate-groups.js";
