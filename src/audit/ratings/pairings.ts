import type { Order } from "../../metrics/index.js";
import { cachedBy } from "../../platform/index.js";
import { itemsOf } from "./items.js";
import { orderOf } from "./ordering.js";
import type { ItemKey, Population } from "./population.js";
import type { RatingColumns } from "./rating-columns.js";
import { countedSlateGroups } from "./select.js";
import { slateGroupsOf } from "./slate-groups.js";

/** The two items of each pairing, and the outcome: parallel columns. */
interface Pairings {
  /** The items of all stimuli, sorted; `a` and `b` are indices into it. */
  readonly names: readonly string[];
  /** The item that sorts first; -1 if the pairing does not compare two different items. */
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** 1 a was preferred, -1 b was, 0 a tie. */
  readonly outcome: Int8Array;
}

/** The pairings of a population: `counted` is 1 for those that are comparisons of it. */
export interface CountedPairings extends Pairings {
  readonly counted: Uint8Array;
  /** The slate group of each pairing, ascending; null: there is one pairing for each group, in their order. */
  readonly group: Int32Array | null;
}

/** The pairings of slate groups of exactly two scored ratings, for every population with an item key. */
const regularPairings = cachedBy((ratings: RatingColumns, key: ItemKey): Pairings => {
  const { left, right } = slateGroupsOf(ratings);
  const { names, ofStimulus } = itemsOf(ratings, key);
  const pairings = { names, ...columnsOf(left.length) };
  for (let group = 0; group < left.length; group++) {
    if (right[group] !== -1)
      pairUp(ratings, ofStimulus, pairings, group, left[group] as number, right[group] as number);
  }
  return pairings;
});

const columnsOf = (length: number) => ({
  a: new Int32Array(length).fill(-1),
  b: new Int32Array(length),
  outcome: new Int8Array(length),
});

function pairUp(
  { stimulus, score }: RatingColumns,
  ofStimulus: Int32Array,
  { a, b, outcome }: Pairings,
  at: number,
  left: number,
  right: number,
): void {
  const first = ofStimulus[stimulus[left] as number] as number;
  const second = ofStimulus[stimulus[right] as number] as number;
  a[at] = first === second ? -1 : Math.min(first, second);
  b[at] = Math.max(first, second);
  const margin = Math.sign((score[left] as number) - (score[right] as number));
  outcome[at] = first < second ? margin : -margin;
}

/**
 * Marks the pairings that are comparisons of a population: a slate and dimension with exactly two counted ratings, of
 * two different items (metrics.md, "comparison"), or by convention each pair of more.
 */
export function pairingsOf(ratings: RatingColumns, p: Population): CountedPairings {
  const { state, irregular } = countedSlateGroups(ratings, p);
  const regular = regularPairings(ratings, p.item);
  if ([...irregular.values()].some(({ length }) => length > 2)) return pairingsOfMany(ratings, p, state, irregular);
  const { names, a, b, outcome } = regular;
  const own = irregular.size === 0 ? regular : { names, a: a.slice(), b: b.slice(), outcome: outcome.slice() };
  for (const [group, [left, right]] of irregular)
    pairUp(ratings, itemsOf(ratings, p.item).ofStimulus, own, group, left as number, right as number);
  const counted = state; // in place: nothing else refers to it
  for (let group = 0; group < counted.length; group++)
    counted[group] = state[group] === 2 && own.a[group] !== -1 ? 1 : 0;
  return { ...own, counted, group: null };
}

/** The same with each pair of an irregular group as a pairing, sorted by items and outcome. */
function pairingsOfMany(
  ratings: RatingColumns,
  p: Population,
  state: Uint8Array,
  irregular: ReadonlyMap<number, readonly number[]>,
): CountedPairings {
  const { names, ofStimulus } = itemsOf(ratings, p.item);
  const { left, right } = slateGroupsOf(ratings);
  const itemOf = (rating: number): number => ofStimulus[ratings.stimulus[rating] as number] as number;
  const sizeOf = (group: number): number => irregular.get(group)?.length ?? 2;
  const count = state.reduce((sum, own, group) => sum + (own === 2 ? (sizeOf(group) * (sizeOf(group) - 1)) / 2 : 0), 0);
  const own = { names, ...columnsOf(count), group: new Int32Array(count) };
  let at = 0;
  for (let group = 0; group < state.length; group++) {
    if (state[group] !== 2) continue;
    const many = (irregular.get(group) ?? [left[group] as number, right[group] as number]).toSorted(byItem);
    const pairs = many.flatMap((first, i) => many.slice(i + 1).map((second) => [first, second] as const));
    for (const [first, second] of pairs.sort(byItems)) {
      pairUp(ratings, ofStimulus, own, at, first, second);
      own.group[at++] = group;
    }
  }
  return { ...own, counted: Uint8Array.from(own.a, (item) => (item === -1 ? 0 : 1)) };

  function byItem(x: number, y: number): number {
    return itemOf(x) - itemOf(y);
  }
  type Pair = readonly [number, number];
  function byItems(x: Pair, y: Pair): number {
    const margin = ([first, second]: Pair): number =>
      Math.sign((ratings.score[first] as number) - (ratings.score[second] as number));
    return itemOf(x[0]) - itemOf(y[0]) || itemOf(x[1]) - itemOf(y[1]) || margin(x) - margin(y);
  }
}

/** Pairings in an order of their slates; null: in their own, the service order. */
export function pairingOrder(ratings: RatingColumns, { group }: CountedPairings, order: Order): Int32Array | null {
  const groups = orderOf(ratings, order);
  if (group === null || groups === null) return groups;
  const places = new Int32Array(groups.length);
  groups.forEach((own, place) => (places[own] = place));
  const placeOf = (pairing: number): number => places[group[pairing] as number] as number;
  const pairings = Int32Array.from(group.keys());
  return order === "reversed" ? pairings.reverse() : pairings.sort((x, y) => placeOf(x) - placeOf(y) || x - y);
}
