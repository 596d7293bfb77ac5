/** The comparisons of a population, in memory and in its order. */
import {
  amongPresent,
  pairCountsOf,
  type Order,
  type OrderedComparisons,
  type PairCounts,
} from "../../metrics/index.js";
import { byText, cached, cachedBy } from "../../platform/index.js";
import { countedSlateGroups, slateGroupsOf, type Population } from "./population.js";
import { isNamedStimulus, itemsOf, type RatingColumns } from "./ratings.js";
import type { ItemKey } from "../read/item-names.js";

export interface Pairs {
  readonly items: readonly string[];
  readonly counts: PairCounts;
  readonly present: Int32Array;
}

export function pairsOf(pairings: CountedPairings): Pairs {
  const { present, counts } = amongPresent(
    pairCountsOf(pairings.names.length, pairings, pairings.counted),
  );
  return { items: Array.from(present, (item) => pairings.names[item]!), counts, present };
}

export interface Comparisons extends OrderedComparisons {
  readonly items: readonly string[];
  readonly rater: Int32Array;
  readonly slate: Int32Array;
}

export function comparisonsOfRatings(ratings: RatingColumns, p: Population): Comparisons {
  const pairings = pairingsOf(ratings, p);
  const { items, present } = pairsOf(pairings);
  const index = new Int32Array(pairings.names.length);
  present.forEach((item, i) => (index[item] = i));
  const { starts } = slateGroupsOf(ratings);
  const order = pairingOrder(ratings, pairings, p.order);
  const count = pairings.counted.reduce((sum, one) => sum + one, 0);
  const column = (): Int32Array => new Int32Array(count);
  const a = column();
  const b = column();
  const session = column();
  const rater = column();
  const slate = column();
  const outcome = new Int8Array(count);
  const weight = pairings.weight && new Float64Array(count);
  for (let n = 0, next = 0; n < pairings.counted.length; n++) {
    const at = order === null ? n : order[n]!;
    if (pairings.counted[at] === 0) continue;
    const rating = starts[pairings.group === null ? at : pairings.group[at]!]!;
    a[next] = index[pairings.a[at]!]!;
    b[next] = index[pairings.b[at]!]!;
    outcome[next] = pairings.outcome[at]!;
    if (weight !== undefined) weight[next] = pairings.weight![at]!;
    session[next] = ratings.session[rating]!;
    rater[next] = ratings.rater[rating]!;
    slate[next++] = ratings.slate[rating]!;
  }
  const covariates = ratings.covariates && covariatesOf(ratings, p, pairings, order, count);
  return { items, a, b, outcome, session, rater, slate, weight, covariates };
}

function covariatesOf(
  ratings: RatingColumns,
  p: Population,
  pairings: CountedPairings,
  order: Int32Array | null,
  count: number,
) {
  const { covariates = [], stimulus } = ratings;
  const { ofStimulus } = itemsOf(ratings, p.item);
  const { starts } = slateGroupsOf(ratings);
  const values = covariates.map(() => new Float64Array(count));
  const isReversed = new Uint8Array(count);
  const [first = new Float64Array()] = covariates;
  for (let n = 0, next = 0; n < pairings.counted.length; n++) {
    const at = order === null ? n : order[n]!;
    if (pairings.counted[at] === 0) continue;
    const group = pairings.group === null ? at : pairings.group[at]!;
    let left = starts[group]!;
    while (left < starts[group + 1]! - 1 && Number.isNaN(first[left]!)) left++;
    isReversed[next] = Number(ofStimulus[stimulus[left]!] !== pairings.a[at]);
    values.forEach((own, k) => (own[next] = covariates[k]![left]!));
    next++;
  }
  return { values, isReversed };
}

interface Pairings {
  /** Items of all stimuli, sorted; `a` and `b` are indices. */
  readonly names: readonly string[];
  /** The item that sorts first, or the only one; -1: not two items with names. */
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** 1 a was preferred, -1 b was, 0 a tie. */
  readonly outcome: Int8Array;
}

export interface CountedPairings extends Pairings {
  readonly counted: Uint8Array;
  /** Slate group of each pairing, ascending; null: one pairing per group, in order. */
  readonly group: Int32Array | null;
  /** Comparisons per pairing; undefined: one each. */
  readonly weight: Float64Array | undefined;
}

/** Slate groups of exactly two scored ratings, by item key. */
const regularPairings = cachedBy((ratings: RatingColumns, key: ItemKey): Pairings => {
  const { left, right } = slateGroupsOf(ratings);
  const { names, ofStimulus } = itemsOf(ratings, key);
  const pairings = { names, ...emptyComparisons(left.length) };
  for (let group = 0; group < left.length; group++) {
    if (right[group] !== -1)
      pairUp(ratings, ofStimulus, pairings, group, left[group]!, right[group]!);
  }
  return pairings;
});

const emptyComparisons = (length: number) => ({
  a: new Int32Array(length).fill(-1),
  b: new Int32Array(length),
  outcome: new Int8Array(length),
});

function pairUp(
  { stimulus, stimuli, score }: RatingColumns,
  ofStimulus: Int32Array,
  { a, b, outcome }: Pairings,
  at: number,
  left: number,
  right: number,
): void {
  const isNamed = (rating: number): boolean => isNamedStimulus(stimuli[stimulus[rating]!]!);
  const first = ofStimulus[stimulus[left]!]!;
  const second = ofStimulus[stimulus[right]!]!;
  const isPair = isNamed(left) && isNamed(right);
  a[at] = isPair ? Math.min(first, second) : -1;
  b[at] = Math.max(first, second);
  const margin = Math.sign(score[left]! - score[right]!);
  outcome[at] = first <= second ? margin : -margin;
}

/**
 * Two counted ratings, of two items, in a slate and dimension (metrics.md, "comparison"); by
 * convention also each pair of more, or an item with itself.
 */
export function pairingsOf(ratings: RatingColumns, p: Population): CountedPairings {
  const { state, irregular } = countedSlateGroups(ratings, p);
  if (irregular.size > 0) return pairingsOfMany(ratings, p, state, irregular);
  const own = regularPairings(ratings, p.item);
  const counted = state; // in place: nothing else refers to it
  for (let group = 0; group < counted.length; group++)
    counted[group] = state[group] === 2 && isComparison(own, group, p) ? 1 : 0;
  return { ...own, counted, group: null, weight: weightsIn(ratings, p) };
}

const isComparison = ({ a, b }: Pairings, at: number, { itself }: Population): boolean =>
  a[at] !== -1 && (a[at] !== b[at] || itself === "include");

/** With each pair of an irregular group, sorted by items and outcome. */
function pairingsOfMany(
  ratings: RatingColumns,
  p: Population,
  state: Uint8Array,
  irregular: ReadonlyMap<number, readonly number[]>,
): CountedPairings {
  const { names, ofStimulus } = itemsOf(ratings, p.item);
  const { left, right } = slateGroupsOf(ratings);
  const itemOf = (rating: number): number => ofStimulus[ratings.stimulus[rating]!]!;
  const sizeOf = (group: number): number => irregular.get(group)?.length ?? 2;
  const count = state.reduce(
    (sum, own, group) => sum + (own === 2 ? (sizeOf(group) * (sizeOf(group) - 1)) / 2 : 0),
    0,
  );
  const own = { names, ...emptyComparisons(count), group: new Int32Array(count) };
  let at = 0;
  for (let group = 0; group < state.length; group++) {
    if (state[group] !== 2) continue;
    const many = (irregular.get(group) ?? [left[group]!, right[group]!]).toSorted(byItem);
    const pairs = many.flatMap((first, i) =>
      many.slice(i + 1).map((second) => [first, second] as const),
    );
    for (const [first, second] of pairs.sort(byItems)) {
      pairUp(ratings, ofStimulus, own, at, first, second);
      own.group[at++] = group;
    }
  }
  const counted = Uint8Array.from(own.a, (_, i) => (isComparison(own, i, p) ? 1 : 0));
  const weights = weightsIn(ratings, p);
  const weight = weights && Float64Array.from(own.group, (group) => weights[group]!);
  return { ...own, counted, weight };

  function byItem(x: number, y: number): number {
    return itemOf(x) - itemOf(y);
  }
  type Pair = readonly [number, number];
  function byItems(x: Pair, y: Pair): number {
    const margin = ([first, second]: Pair): number =>
      Math.sign(ratings.score[first]! - ratings.score[second]!);
    return itemOf(x[0]) - itemOf(y[0]) || itemOf(x[1]) - itemOf(y[1]) || margin(x) - margin(y);
  }
}

const groupWeights = cached((ratings: RatingColumns): Float64Array | undefined => {
  const { weight } = ratings;
  return weight && Float64Array.from(slateGroupsOf(ratings).starts, (first) => weight[first]!);
});

const weightsIn = (ratings: RatingColumns, { weights }: Population) =>
  weights === "stated" ? groupWeights(ratings) : undefined;

/** In an order of their slates; null: service order. */
export function pairingOrder(
  ratings: RatingColumns,
  { group }: CountedPairings,
  order: Order,
): Int32Array | null {
  if (order === "service") return null;
  const groups = ordered(ratings, order);
  if (group === null) return groups;
  const places = new Int32Array(groups.length);
  groups.forEach((own, place) => (places[own] = place));
  const placeOf = (pairing: number): number => places[group[pairing]!]!;
  const pairings = Int32Array.from(group.keys());
  return order === "reversed"
    ? pairings.reverse()
    : pairings.sort((x, y) => placeOf(x) - placeOf(y) || x - y);
}

/** Slate groups, ties in service order. */
const ordered = cachedBy((ratings: RatingColumns, order: Exclude<Order, "service">): Int32Array => {
  const { starts } = slateGroupsOf(ratings);
  const groups = Int32Array.from({ length: starts.length - 1 }, (_, group) => group);
  if (order === "reversed") return groups.reverse();
  const places = placesIn(ratings, order);
  return groupedPairings(groups.map((group) => places[starts[group]!]!)).order;
});

/** Number n (below `count`) has `order[start[n]]` to `order[start[n + 1] - 1]`. */
function groupedPairings(
  numbers: Int32Array,
  count = 1 + numbers.reduce((most, n) => Math.max(most, n), -1),
) {
  const start = new Int32Array(count + 1);
  for (let i = 0; i < numbers.length; i++) start[numbers[i]! + 1]!++;
  for (let n = 0; n < count; n++) start[n + 1]! += start[n]!;
  const next = start.slice();
  const order = new Int32Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) order[next[numbers[i]!]!++] = i;
  return { start, order };
}

function placesIn(
  ratings: RatingColumns,
  order: Exclude<Order, "service" | "reversed">,
): Int32Array {
  if (order === "slate_updated") return ranked(ratings.slateUpdated);
  if (order === "slate_id") {
    const rank = ranked(ratings.slateIds);
    return ratings.slate.map((slate) => (slate === -1 ? 0 : rank[slate]!));
  }
  const sessions = ratings.sessions.map((s, i) => ({ ...s, i }));
  sessions.sort(
    (x, y) => (order === "created" ? x.created - y.created || 0 : 0) || byText(x.id, y.id),
  );
  const rank = new Int32Array(sessions.length);
  sessions.forEach(({ i }, place) => (rank[i] = place));
  return ratings.session.map((session) => rank[session]!);
}

/** How many values are smaller than each; NaN last. */
function ranked(values: Float64Array | BigInt64Array): Int32Array {
  const ranks = new Map<number | bigint, number>();
  for (const [i, value] of values.slice().sort().entries())
    if (!ranks.has(value)) ranks.set(value, i);
  return Int32Array.from(values, (value: number | bigint) => ranks.get(value)!);
}
