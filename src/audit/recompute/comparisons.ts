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
  /** The item among all names, by item. */
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
  return createLatest(ratings, pairings, pairsOf(pairings), p)(Infinity);
}

/** The last `wanted`, or all. `spend` receives the pairings read. */
export function createLatest(
  ratings: RatingColumns,
  pairings: CountedPairings,
  pairs: Pairs,
  { order, item }: Population,
  spend: (work: number) => void = () => undefined,
): (wanted: number) => Comparisons {
  const { counted } = pairings;
  const inOrder = pairingOrder(ratings, pairings, order);
  /** Filled from its end. */
  const read = new Int32Array(counted.length);
  let first = read.length;
  let unread = counted.length;
  let known = comparisonsAt(ratings, pairings, pairs, item, read.subarray(first));
  return (wanted) => {
    const before = unread;
    while (read.length - first < wanted && unread > 0) {
      const pairing = inOrder === null ? --unread : inOrder[--unread]!;
      if (counted[pairing] === 1) read[--first] = pairing;
    }
    if (unread < before) {
      spend(before - unread);
      known = comparisonsAt(ratings, pairings, pairs, item, read.subarray(first));
    }
    const from = known.a.length - wanted;
    return from <= 0
      ? known
      : {
          items: known.items,
          a: known.a.subarray(from),
          b: known.b.subarray(from),
          outcome: known.outcome.subarray(from),
          session: known.session.subarray(from),
          rater: known.rater.subarray(from),
          slate: known.slate.subarray(from),
          weight: known.weight?.subarray(from),
        };
  };
}

function comparisonsAt(
  ratings: RatingColumns,
  { names, a, b, outcome, group, weight }: CountedPairings,
  { items, present }: Pairs,
  key: ItemKey,
  pairings: Int32Array,
): Comparisons {
  const { starts } = slateGroupsOf(ratings);
  const itemNumber = new Int32Array(names.length);
  present.forEach((item, i) => (itemNumber[item] = i));
  const groups = group === null ? pairings : pairings.map((pairing) => group[pairing]!);
  const firsts = groups.map((slateGroup) => starts[slateGroup]!);
  const outcomes = new Int8Array(pairings.length);
  pairings.forEach((pairing, i) => (outcomes[i] = outcome[pairing]!));
  return {
    items,
    a: pairings.map((pairing) => itemNumber[a[pairing]!]!),
    b: pairings.map((pairing) => itemNumber[b[pairing]!]!),
    outcome: outcomes,
    session: firsts.map((rating) => ratings.session[rating]!),
    rater: firsts.map((rating) => ratings.rater[rating]!),
    slate: firsts.map((rating) => ratings.slate[rating]!),
    weight: weight && Float64Array.from(pairings, (pairing) => weight[pairing]!),
    covariates: covariatesOf(),
  };

  function covariatesOf(): Comparisons["covariates"] {
    const { covariates, stimulus } = ratings;
    const [any] = covariates ?? [];
    if (covariates === undefined || any === undefined) return undefined;
    const { ofStimulus } = itemsOf(ratings, key);
    const lefts = firsts.map((rating, i) => {
      const last = starts[groups[i]! + 1]! - 1;
      while (rating < last && Number.isNaN(any[rating]!)) rating++;
      return rating;
    });
    const isReversed = (rating: number, i: number): boolean =>
      ofStimulus[stimulus[rating]!] !== a[pairings[i]!];
    return {
      values: covariates.map((column) => Float64Array.from(lefts, (rating) => column[rating]!)),
      isReversed: Uint8Array.from(lefts, (rating, i) => Number(isReversed(rating, i))),
    };
  }
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
  return paired(ratings, key, left, right);
});

/** Of two ratings each; `right` -1: one is missing. */
function paired(
  ratings: RatingColumns,
  key: ItemKey,
  left: Int32Array,
  right: Int32Array,
): Pairings {
  const { stimulus, stimuli, score } = ratings;
  const { names, ofStimulus } = itemsOf(ratings, key);
  const isNamed = (rating: number): boolean => isNamedStimulus(stimuli[stimulus[rating]!]!);
  const a = new Int32Array(left.length).fill(-1);
  const b = new Int32Array(left.length);
  const outcome = new Int8Array(left.length);
  for (let pairing = 0; pairing < left.length; pairing++) {
    const [x, y] = [left[pairing]!, right[pairing]!];
    if (y === -1) continue;
    const first = ofStimulus[stimulus[x]!]!;
    const second = ofStimulus[stimulus[y]!]!;
    if (isNamed(x) && isNamed(y)) a[pairing] = Math.min(first, second);
    b[pairing] = Math.max(first, second);
    const margin = Math.sign(score[x]! - score[y]!);
    outcome[pairing] = first <= second ? margin : -margin;
  }
  return { names, a, b, outcome };
}

/**
 * Two counted ratings, of two items, in a slate and dimension (metrics.md, "comparison"); by
 * convention also each pair of more, or an item with itself.
 */
export function pairingsOf(ratings: RatingColumns, p: Population): CountedPairings {
  const { state, irregular } = countedSlateGroups(ratings, p);
  if (irregular.size > 0) return pairingsOfMany(ratings, p, state, irregular);
  const regular = regularPairings(ratings, p.item);
  const counted = state; // in place: nothing else refers to it
  for (let group = 0; group < counted.length; group++)
    counted[group] = state[group] === 2 && isComparison(regular, group, p) ? 1 : 0;
  return { ...regular, counted, group: null, weight: weightsIn(ratings, p) };
}

const isComparison = ({ a, b }: Pairings, i: number, { itself }: Population): boolean =>
  a[i] !== -1 && (a[i] !== b[i] || itself === "include");

/** With each pair of an irregular group, sorted by items and outcome. */
function pairingsOfMany(
  ratings: RatingColumns,
  p: Population,
  state: Uint8Array,
  irregular: ReadonlyMap<number, readonly number[]>,
): CountedPairings {
  const { ofStimulus } = itemsOf(ratings, p.item);
  const { left, right } = slateGroupsOf(ratings);
  const itemOf = (rating: number): number => ofStimulus[ratings.stimulus[rating]!]!;
  const scoreOf = (rating: number): number => ratings.score[rating]!;
  const lefts: number[] = [];
  const rights: number[] = [];
  const groups: number[] = [];
  state.forEach((counts, slateGroup) => {
    if (counts !== 2) return;
    const many = irregular.get(slateGroup) ?? [left[slateGroup]!, right[slateGroup]!];
    const sorted = many.toSorted((x, y) => itemOf(x) - itemOf(y));
    const pairs = sorted.flatMap((x, i) => sorted.slice(i + 1).map((y): Pair => [x, y]));
    for (const [x, y] of pairs.sort(byItems)) {
      lefts.push(x);
      rights.push(y);
      groups.push(slateGroup);
    }
  });
  const pairings = paired(ratings, p.item, Int32Array.from(lefts), Int32Array.from(rights));
  const group = Int32Array.from(groups);
  const counted = Uint8Array.from(group, (_, i) => Number(isComparison(pairings, i, p)));
  const weights = weightsIn(ratings, p);
  const weight = weights && Float64Array.from(group, (slateGroup) => weights[slateGroup]!);
  return { ...pairings, group, counted, weight };

  type Pair = readonly [number, number];
  function byItems(one: Pair, other: Pair): number {
    const margin = ([x, y]: Pair): number => Math.sign(scoreOf(x) - scoreOf(y));
    return (
      itemOf(one[0]) - itemOf(other[0]) ||
      itemOf(one[1]) - itemOf(other[1]) ||
      margin(one) - margin(other)
    );
  }
}

const groupWeights = cached((ratings: RatingColumns): Float64Array | undefined => {
  const { weight } = ratings;
  return weight && Float64Array.from(slateGroupsOf(ratings).starts, (first) => weight[first]!);
});

const weightsIn = (ratings: RatingColumns, { weights }: Population) =>
  weights === "stated" ? groupWeights(ratings) : undefined;

/** In an order of their slates; null: service order. */
function pairingOrder(
  ratings: RatingColumns,
  { group }: CountedPairings,
  order: Order,
): Int32Array | null {
  if (order === "service") return null;
  return group === null ? orderOfGroups(ratings, order) : ordered(ratings, order, group);
}

const orderOfGroups = cachedBy((ratings: RatingColumns, order: OtherOrder): Int32Array => {
  const { left } = slateGroupsOf(ratings);
  return ordered(ratings, order, Int32Array.from(left.keys()));
});

type OtherOrder = Exclude<Order, "service">;

/** The pairings of these slate groups; ties in service order. */
function ordered(ratings: RatingColumns, order: OtherOrder, groups: Int32Array): Int32Array {
  const { length } = groups;
  if (order === "reversed") return groups.map((_, pairing) => length - 1 - pairing);
  const places = placesIn(ratings, order);
  const { starts } = slateGroupsOf(ratings);
  // Sorting numbers takes a tenth of the time of comparing pairings.
  const keys = Float64Array.from(
    groups,
    (group, pairing) => places[starts[group]!]! * length + pairing,
  );
  return Int32Array.from(keys.sort(), (key) => key % length);
}

function placesIn(ratings: RatingColumns, order: Exclude<OtherOrder, "reversed">): Int32Array {
  if (order === "slate_updated") return ranked(ratings.slateUpdated);
  if (order === "slate_id") {
    const rank = ranked(ratings.slateIds);
    return ratings.slate.map((slate) => (slate === -1 ? 0 : rank[slate]!));
  }
  const sessions = ratings.sessions.map((s, i) => ({ ...s, i }));
  sessions.sort((x, y) => (order === "created" && x.created - y.created) || byText(x.id, y.id));
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
