/** The fewest votes, raters or sessions whose absence changes the first places of a ranking. */
import {
  byGroup,
  type Columns,
  comparisonsIn,
  isAbove,
  joined,
  likelihoodClasses,
  localIds,
  membersOf,
  newTable,
  pairCountsOf,
  placesByValue,
  type PlacesByValue,
  placesOf,
  rankedBy,
} from "../../metrics/index.js";
import { bradleyTerryRule, meanRule, type Rule } from "./rules.js";
import { fewestTries, searchWork } from "./limits.js";

const mostTops = 3;
/** Items on each side of the boundary whose pairs are candidates. */
const nearestRivals = 3;
const mostPairs = 2;
/** Of a larger set, no single units are put back: each is one evaluation. */
const largestShrunk = 60;
const mostSets = 2000;
/** As a share of the largest. */
const noInfluence = 1e-9;

export interface Units {
  readonly count: number;
  /** Null if each vote is a unit. */
  readonly votes: { readonly unitOf: Int32Array; readonly byUnit: PlacesByValue } | null;
}

export const flipReasons = { none: 0, noFit: 1, fewItems: 2, notFound: 3, tied: 4 } as const;
type FlipReason = (typeof flipReasons)[keyof typeof flipReasons];

/** The last of the first k that is below the first of the others, without some units. */
interface Exchange {
  readonly leaving: number;
  readonly entering: number;
}

export interface Flip extends Exchange {
  readonly units: readonly number[];
  /** Whether no smaller set exists. */
  readonly isExact: boolean;
}

interface FlipSearch {
  readonly rule: Rule;
  readonly units: Units;
  readonly k: number;
  /** Values with every vote; `order` has the highest first. */
  readonly all: Float64Array;
  readonly order: readonly number[];
  /** Null if the first k are the same, or there are then no values. Counts as a try. */
  readonly without: (own: ArrayLike<number>) => Exchange | null;
  readonly isOver: () => boolean;
}

/**
 * At most how many units must be left out for the first k to be others (Broderick, Giordano and
 * Meager 2020; Huang et al. 2025), by one-step influence, checked on recomputed rankings.
 */
export function fewestToFlip(rule: Rule, units: Units, k: number): Flip | FlipReason {
  const search = searchOf(rule, units, k);
  if (typeof search === "number") return search;
  const exact = units.votes === null ? byFormula(search) : null;
  if (exact !== null) return exact;
  let best: Flip | null = null;
  for (const { ordered, needed } of candidates(search)) {
    const found = smallestPrefix(search, ordered, needed);
    if (found !== null && (best === null || found.length < best.units.length))
      best = named(search, shrunk(search, found), false);
  }
  return exhaustive(search, best) ?? best ?? flipReasons.notFound;
}

function searchOf(rule: Rule, units: Units, k: number): FlipSearch | FlipReason {
  const all = rule.values([]);
  if (all === null) return flipReasons.noFit;
  if (rule.items <= k) return flipReasons.fewItems;
  const order = rankedBy(all);
  if (!isAbove(all[order[k - 1]!]!, all[order[k]!]!)) return flipReasons.tied;
  const first = order.slice(0, k).toSorted((i, j) => i - j);
  const others = order.slice(k).sort((i, j) => i - j);
  const most = Math.max(fewestTries, Math.floor(searchWork / rule.work));
  let tries = 0;
  const without = (own: ArrayLike<number>): Exchange | null => {
    tries++;
    const values = rule.values(votesOfUnits(units, own));
    if (values === null) return null;
    const leaving = first.reduce((lowest, i) =>
      isAbove(values[i]!, values[lowest]!) ? lowest : i,
    );
    const entering = others.reduce((highest, i) =>
      isAbove(values[i]!, values[highest]!) ? i : highest,
    );
    return isAbove(values[entering]!, values[leaving]!) ? { leaving, entering } : null;
  };
  return { rule, units, k, all, order, without, isOver: () => tries > most };
}

const votesOfUnits = ({ votes }: Units, own: ArrayLike<number>): ArrayLike<number> =>
  votes === null ? own : joined(Array.from(own, (unit) => placesOf(votes.byUnit, unit)));

/** Null if the first k are the same. */
function named({ without }: FlipSearch, own: readonly number[], isExact: boolean): Flip | null {
  const exchange = without(own);
  return exchange && { ...exchange, units: own.toSorted((x, y) => x - y), isExact };
}

function byFormula(search: FlipSearch): Flip | null {
  const { rule, order, k } = search;
  let smallest: Int32Array | null = null;
  for (const i of order.slice(0, k).reverse())
    for (const j of order.slice(k)) {
      const most: number = smallest === null ? Infinity : smallest.length - 1;
      const found = rule.fewestVotes?.(i, j, most) ?? null;
      if (found !== null && (smallest === null || found.length < smallest.length)) smallest = found;
    }
  return smallest === null ? null : named(search, [...smallest], true);
}

function candidates({ rule, units, k, all, order }: FlipSearch) {
  const inside = order.slice(Math.max(0, k - nearestRivals), k);
  const outside = order.slice(k, k + nearestRivals);
  const pairs = inside.flatMap((i) =>
    outside.map((j) => {
      const ofClass = rule.influence(i, j);
      const gap = all[i]! - all[j]!;
      return { ofClass, gap, steps: gap / largestOf(ofClass) };
    }),
  );
  const closest = pairs.sort((x, y) => x.steps - y.steps).slice(0, mostPairs);
  return closest.map(({ ofClass, gap }) => {
    const { ordered, influence } = byInfluence(rule, units, ofClass);
    let left = gap;
    let needed = 0;
    while (needed < ordered.length && left >= 0) left -= influence(ordered[needed++]!);
    return { ordered, needed };
  });
}

function smallestPrefix(
  { units, without, isOver }: FlipSearch,
  ordered: Int32Array,
  needed: number,
): readonly number[] | null {
  const isEnough = (count: number): boolean => without(ordered.subarray(0, count)) !== null;
  // Without more than half it would be another study.
  const largest = Math.min(ordered.length, Math.max(1, Math.floor(units.count / 2)));
  let short = 0;
  let enough = Math.min(largest, Math.max(1, needed));
  while (!isEnough(enough)) {
    if (enough >= largest || isOver()) return null;
    short = enough;
    enough = Math.min(largest, Math.ceil(1.3 * enough) + 1);
  }
  while (enough - short > 1 && !isOver()) {
    const middle = Math.floor((short + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else short = middle;
  }
  return [...ordered.subarray(0, enough)];
}

function shrunk(search: FlipSearch, all: readonly number[]): readonly number[] {
  let kept = all;
  for (const unit of all.length > largestShrunk ? [] : all.toReversed()) {
    if (search.isOver()) break;
    const fewer = kept.filter((other) => other !== unit);
    if (fewer.length > 0 && search.without(fewer) !== null) kept = fewer;
  }
  return kept;
}

/** Null if too many sets are smaller than `found`; without one, the smallest sets are tried. */
function exhaustive(search: FlipSearch, found: Flip | null): Flip | null {
  const { rule, units } = search;
  const largest = found === null ? Math.floor(units.count / 2) : found.units.length - 1;
  let sets = 0;
  let size = 0;
  for (; size < largest; size++) {
    sets += binomial(units.count, size + 1);
    if (sets > Math.min(mostSets, (4 * searchWork) / rule.work)) break;
  }
  if (found !== null && size < largest) return null;
  for (let n = 1; n <= size; n++)
    for (const own of subsets(units.count, n)) {
      const found = named(search, own, true);
      if (found !== null) return found;
    }
  return found && { ...found, isExact: true };
}

const largestOf = (influence: Float64Array): number =>
  influence.reduce((most, own) => Math.max(most, Math.abs(own)), Number.MIN_VALUE);

/** The units that bring two items closer, the most influential first. */
function byInfluence({ classOf, byClass }: Rule, { count, votes }: Units, ofClass: Float64Array) {
  const least = noInfluence * largestOf(ofClass);
  const sorted = (influence: Float64Array): Int32Array => {
    const found: number[] = [];
    for (let at = 0; at < count && at < influence.length; at++)
      if (influence[at]! > least) found.push(at);
    return Int32Array.from(found).sort((x, y) => influence[y]! - influence[x]! || x - y);
  };
  if (votes === null) {
    const parts = Array.from(sorted(ofClass), (own) => placesOf(byClass, own));
    return { ordered: joined(parts), influence: (vote: number) => ofClass[classOf[vote]!]! };
  }
  // Whole multiples of a small share add up to the same sum in any order of the votes.
  const step = largestOf(ofClass) / 2 ** 30;
  const whole = ofClass.map((own) => Math.round(own / step));
  const { unitOf } = votes;
  const sums = new Float64Array(count + 1);
  for (let vote = 0; vote < unitOf.length; vote++) sums[unitOf[vote]!]! += whole[classOf[vote]!]!;
  const ofUnit = sums.map((sum) => sum * step);
  return { ordered: sorted(ofUnit), influence: (unit: number) => ofUnit[unit]! };
}

function binomial(n: number, k: number): number {
  let result = 1;
  for (let i = 1; i <= k; i++) result *= (n - k + i) / i;
  return result;
}

function* subsets(count: number, size: number, from = 0): Generator<number[]> {
  if (size === 0) yield [];
  else
    for (let unit = from; unit < count; unit++)
      for (const rest of subsets(count, size - 1, unit + 1)) yield [unit, ...rest];
}

const flipTypes = {
  class: "integer",
  unit: "integer",
  k: "integer",
  units: "integer",
  at_most: "integer",
  is_exact: "boolean",
  leaving: "integer",
  entering: "integer",
  reason: "integer",
} as const;

function unitsIn({ rater, session }: Columns): Units[] {
  const by = (column: Int32Array): Units => {
    const { ids, local } = localIds([column]);
    const known = ids.filter((id) => id > 0).length;
    // Votes without a rater or session come after the last unit, and are never left out.
    const unknown = ids.length - known;
    const unitOf = local[0]!.map((own) => (own < unknown ? known : own - unknown));
    return { count: known, votes: { unitOf, byUnit: placesByValue(unitOf, known + 1) } };
  };
  return [
    { count: rater!.length, votes: null },
    ...[rater, session].map((own) => by(own as Int32Array)),
  ];
}

/** Items that can be ranked together. */
interface RankedClass {
  readonly ids: Int32Array;
  /** Null without a fit. */
  readonly rule: Rule | null;
  /** Of its votes. */
  readonly rows: Columns;
}

function flipRows(classes: readonly RankedClass[]) {
  const flips = newTable(flipTypes);
  classes.forEach(({ ids, rule, rows }, number) => {
    const tops = Math.max(1, Math.min(mostTops, ids.length - 1));
    unitsIn(rows).forEach((units, unit) => {
      for (let k = 1; k <= tops; k++) {
        const none = ids.length < 2 ? flipReasons.fewItems : flipReasons.noFit;
        const own = rule === null ? none : fewestToFlip(rule, units, k);
        const flip = typeof own === "number" ? null : own;
        flips.add({
          class: number,
          unit,
          k,
          units: units.count,
          at_most: flip?.units.length,
          is_exact: flip === null ? NaN : Number(flip.isExact),
          leaving: flip === null ? NaN : ids[flip.leaving],
          entering: flip === null ? NaN : ids[flip.entering],
          reason: typeof own === "number" ? own : flipReasons.none,
        });
      }
    });
  });
  return { "": flips.columns };
}

export const pairRobustnessKernel = byGroup(
  "dimension_id",
  { "": flipTypes },
  ({ rows }, conventions) => {
    const { ids, games } = comparisonsIn(rows);
    const { ofItem, classes } = likelihoodClasses(pairCountsOf(ids.length, games));
    const parts = membersOf(ofItem, classes).map((members, number): RankedClass => {
      const place = new Int32Array(ids.length);
      members.forEach((item, i) => (place[item] = i));
      const isOwn = (_: number, vote: number): boolean =>
        ofItem[games.a[vote]!] === number && ofItem[games.b[vote]!] === number;
      const own = (name: string): Int32Array => (rows[name] as Int32Array).filter(isOwn);
      const votes = {
        items: members.length,
        a: games.a.filter(isOwn).map((item) => place[item]!),
        b: games.b.filter(isOwn).map((item) => place[item]!),
        outcome: games.outcome.filter(isOwn),
      };
      return {
        ids: members.map((item) => ids[item]!),
        rule: members.length < 2 ? null : bradleyTerryRule(votes, conventions),
        rows: { rater: own("rater"), session: own("session") },
      };
    });
    return flipRows(parts);
  },
);

export const scoreRobustnessKernel = byGroup("dimension_id", { "": flipTypes }, ({ rows }) => {
  const { ids, local } = localIds([rows.item as Int32Array]);
  const scores = { items: ids.length, item: local[0]!, score: rows.score as Float64Array };
  return flipRows([{ ids, rule: meanRule(scores), rows }]);
});
