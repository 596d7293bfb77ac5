import { byGroup, localIds, newTable } from "../kernel.js";
import { type PlacesByValue, placesByValue } from "../numeric/arrays.js";
import type { Conventions } from "../conventions.js";
import { eloOrders } from "../elo/online-elo.js";
import {
  bayesianEloRule,
  bradleyTerryRule,
  eloRule,
  meanRule,
  percentChosenRule,
  type Rule,
  ruleVotes,
  joined,
  placesOf,
} from "./rules.js";

/** The first places are looked at for each of 1 to this many. */
const mostTops = 3;
/** Items on each side of the boundary, of whose pairs those that fewest votes seem to turn around are tried. */
const nearest = 3;
const mostPairs = 2;
/** Operations of all evaluations of one search, at most; at least `fewestTries` evaluations are made. */
const workBound = 5_000_000;
const fewestTries = 30;
/** Of a larger set, single units are not put back: each is one evaluation. */
const largestShrunk = 60;
/** Largest number of sets that are tried one by one. */
const mostSets = 2000;
/** Votes with a smaller share of the largest influence change nothing. */
const noInfluence = 1e-9;

/** What is left out together. */
export interface Units {
  readonly count: number;
  /** The votes of each rater or session, given by the unit of each vote; null if each vote is a unit. */
  readonly votes: { readonly unitOf: Int32Array; readonly byUnit: PlacesByValue } | null;
}

/** The smallest set found without which the first k are others. */
export interface Flip {
  readonly units: readonly number[];
  /** Whether no smaller set exists: all were tried, or there is none smaller than one. */
  readonly isExact: boolean;
  readonly leaving: number;
  readonly entering: number;
}

export const flipReasons = { none: 0, noFit: 1, fewItems: 2, notFound: 3, tied: 4 } as const;
type FlipReason = (typeof flipReasons)[keyof typeof flipReasons];

/** Items from the highest value to the lowest; equal values in the order of the items. */
const rankedBy = (values: Float64Array): number[] =>
  Array.from(values.keys()).sort((i, j) => values[j]! - values[i]! || i - j);

/** The ranking without some units: the last of the first k, the first of the others, and by how much one is above. */
interface Boundary {
  readonly leaving: number;
  readonly entering: number;
  /** Value of `leaving` less that of `entering`. */
  readonly gap: number;
}

/**
 * At most how many units must be left out for the first k to be others (Broderick, Giordano and Meager 2020; Huang et al.
 * 2025): units in the order of their one-step influence, the fewest that change a recomputed ranking, and of these only what
 * is necessary. A small number of units is then searched exhaustively.
 */
export function fewestToFlip(rule: Rule, units: Units, k: number): Flip | FlipReason {
  const all = rule.values([]);
  if (all === null) return flipReasons.noFit;
  if (rule.items <= k) return flipReasons.fewItems;
  const order = rankedBy(all);
  if (all[order[k - 1]!] === all[order[k]!]) return flipReasons.tied;
  const first = order.slice(0, k).toSorted((i, j) => i - j);
  const others = order.slice(k).sort((i, j) => i - j);
  const most = Math.max(fewestTries, Math.floor(workBound / rule.work));
  let tries = 0;
  const votesOf = (own: ArrayLike<number>): ArrayLike<number> =>
    units.votes === null ? own : joined(Array.from(own, (unit) => placesOf(units.votes!.byUnit, unit)));
  /** Null if there are no values. */
  const without = (own: ArrayLike<number>): Boundary | null => {
    tries++;
    const values = rule.values(votesOf(own));
    if (values === null) return null;
    const leaving = first.reduce((lowest, i) => (values[i]! <= values[lowest]! ? i : lowest));
    const entering = others.reduce((highest, i) => (values[i]! > values[highest]! ? i : highest));
    return { leaving, entering, gap: values[leaving]! - values[entering]! };
  };
  // Equal values are not another order.
  const isOther = (boundary: Boundary | null): boolean => boundary !== null && boundary.gap < 0;
  let best: Flip | null = rule.fewestVotes === undefined || units.votes !== null ? null : byFormula(rule.fewestVotes);
  if (best !== null) return best;
  for (const { ordered, needed } of candidates()) {
    const found = smallestPrefix(ordered, needed);
    if (found !== null && (best === null || found.length < best.units.length)) best = named(shrunk(found), false);
  }
  if (best === null) return flipReasons.notFound;
  return exhaustive(best) ?? best;

  function named(own: readonly number[], isExact: boolean): Flip | null {
    const boundary = without(own);
    if (boundary === null || boundary.gap >= 0) return null;
    const { leaving, entering } = boundary;
    return { units: own.toSorted((x, y) => x - y), isExact, leaving, entering };
  }

  /** The smallest of the smallest sets of all pairs across the boundary, the closest pairs first. */
  function byFormula(fewest: NonNullable<Rule["fewestVotes"]>): Flip | null {
    let smallest: Int32Array | null = null;
    for (const i of order.slice(0, k).reverse())
      for (const j of order.slice(k)) {
        const found: Int32Array | null = fewest(i, j, smallest === null ? Infinity : smallest.length - 1);
        if (found !== null && (smallest === null || found.length < smallest.length)) smallest = found;
      }
    return smallest === null ? null : named([...smallest], true);
  }

  /** Units by influence on the pairs at the boundary, and how many of them one step says are enough. */
  function candidates(): { ordered: Int32Array; needed: number }[] {
    const inside = order.slice(Math.max(0, k - nearest), k);
    const outside = order.slice(k, k + nearest);
    const pairs = inside.flatMap((i) =>
      outside.map((j) => {
        const ofClass = rule.influence(i, j);
        const gap = all![i]! - all![j]!;
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

  /** The fewest units of an ordered list that change the first k: their number is found by interpolation and bisection. */
  function smallestPrefix(ordered: Int32Array, needed: number): readonly number[] | null {
    let short = 0;
    let gapShort = all![order[k - 1]!]! - all![order[k]!]!;
    // Without more than half it would be another study.
    const largest = Math.min(ordered.length, Math.max(1, Math.floor(units.count / 2)));
    let enough = Math.min(largest, Math.max(1, needed));
    let boundary = without(ordered.subarray(0, enough));
    while (!isOther(boundary)) {
      if (enough >= largest || tries > most) return null;
      short = enough;
      gapShort = boundary?.gap ?? NaN;
      enough = Math.min(largest, Math.ceil(1.3 * enough) + 1);
      boundary = without(ordered.subarray(0, enough));
    }
    let gapEnough = boundary?.gap ?? NaN;
    let isInterpolated = true;
    while (enough - short > 1 && tries <= most) {
      const width = enough - short;
      const share = isInterpolated && gapShort >= 0 ? gapShort / (gapShort - gapEnough) : 0.5;
      const middle = short + Math.min(width - 1, Math.max(1, Math.round(share * width)));
      const tried = without(ordered.subarray(0, middle));
      if (isOther(tried)) {
        enough = middle;
        gapEnough = tried?.gap ?? NaN;
      } else {
        short = middle;
        gapShort = tried?.gap ?? NaN;
      }
      isInterpolated = !isInterpolated || 2 * (enough - short) <= width;
    }
    return [...ordered.subarray(0, enough)];
  }

  /** Without the units that are not necessary. */
  function shrunk(all: readonly number[]): readonly number[] {
    let kept = all;
    for (const unit of all.length > largestShrunk ? [] : all.toReversed()) {
      if (tries > most) break;
      const fewer = kept.filter((other) => other !== unit);
      if (fewer.length > 0 && isOther(without(fewer))) kept = fewer;
    }
    return kept;
  }

  /** The smallest set if all smaller than `found` can be tried; otherwise null. */
  function exhaustive(found: Flip): Flip | null {
    const size = found.units.length - 1;
    let sets = 0;
    for (let n = 1; n <= size; n++) sets += binomial(units.count, n);
    if (sets > Math.min(mostSets, (4 * workBound) / rule.work)) return null;
    for (let n = 1; n <= size; n++)
      for (const own of subsets(units.count, n)) if (isOther(without(own))) return named(own, true);
    return { ...found, isExact: true };
  }
}

const largestOf = (influence: Float64Array): number =>
  influence.reduce((most, own) => Math.max(most, Math.abs(own)), Number.MIN_VALUE);

/** The units that bring two items closer, the most influential first, given the influence of each class of votes. */
function byInfluence({ classOf, byClass }: Rule, { count, votes }: Units, ofClass: Float64Array) {
  const least = noInfluence * largestOf(ofClass);
  const sorted = (influence: Float64Array): Int32Array => {
    const found: number[] = [];
    for (let at = 0; at < count && at < influence.length; at++) if (influence[at]! > least) found.push(at);
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

const tables = {
  "": {
    rule: "integer",
    unit: "integer",
    k: "integer",
    units: "integer",
    at_most: "integer",
    is_exact: "boolean",
    leaving: "integer",
    entering: "integer",
    reason: "integer",
  },
  sets: { rule: "integer", unit: "integer", k: "integer", left_out: "integer" },
} as const;

interface NumberedUnits {
  readonly units: Units;
  readonly numberOf: (unit: number) => number;
}

/** How the votes of a group belong together: each by itself, by rater and by session. */
function unitsOf(rater: Int32Array, session: Int32Array): NumberedUnits[] {
  const by = (column: Int32Array): NumberedUnits => {
    const { ids, local } = localIds([column]);
    const known = ids.filter((id) => id > 0);
    // Votes without a rater or session come after the last unit, and are never left out.
    const unknown = ids.length - known.length;
    const unitOf = local[0]!.map((own) => (own < unknown ? known.length : own - unknown));
    const votesByUnit = { unitOf, byUnit: placesByValue(unitOf, known.length + 1) };
    return { units: { count: known.length, votes: votesByUnit }, numberOf: (unit) => known[unit]! };
  };
  const each = { units: { count: rater.length, votes: null }, numberOf: (vote: number) => vote };
  return [each, by(rater), by(session)];
}

/** For each rule and kind of units, what changes the first item, the first two, and so on. */
function flipsOf(rules: readonly (Rule | null)[], items: number, votes: readonly NumberedUnits[]) {
  const tops = Array.from({ length: Math.max(0, Math.min(mostTops, items - 1)) }, (_, at) => at + 1);
  return rules.map((rule) =>
    votes.map(({ units }) => tops.map((k) => (rule === null ? flipReasons.noFit : fewestToFlip(rule, units, k)))),
  );
}

/** Raters or sessions numbered from 1; 0 for none. */
function fromOne(column: Int32Array): Int32Array {
  const { ids, local } = localIds([column]);
  return ids[0] === 0 ? local[0]! : local[0]!.map((own) => own + 1);
}

/** The rows of both tables for the flips of a group; `ids` are the items' numbers. */
function rowsFor(found: ReturnType<typeof flipsOf>, ids: Int32Array, votes: readonly NumberedUnits[]) {
  const flips = newTable(tables[""]);
  const sets = newTable(tables.sets);
  found.forEach((ofRule, rule) =>
    votes.forEach(({ units, numberOf }, unit) => {
      for (const [at, own] of ofRule[unit]!.entries()) {
        const flip = typeof own === "number" ? null : own;
        const k = at + 1;
        flips.add({
          rule,
          unit,
          k,
          units: units.count,
          at_most: flip?.units.length ?? NaN,
          is_exact: flip === null ? NaN : Number(flip.isExact),
          leaving: flip === null ? NaN : ids[flip.leaving]!,
          entering: flip === null ? NaN : ids[flip.entering]!,
          reason: typeof own === "number" ? own : flipReasons.none,
        });
        for (const leftOut of flip?.units ?? []) sets.add({ rule, unit, k, left_out: numberOf(leftOut) });
      }
    }),
  );
  return { "": flips.columns, sets: sets.columns };
}

/** Random orders of an online Elo, for the probability of being first: fewer if they take long, and none below 100. */
const mostOrders = 200;
const fewestOrders = 100;
/** Comparisons of all orders, at most. */
const ordersBound = 5_000_000;

function firstOfOrders(
  items: number,
  games: Parameters<typeof eloOrders>[1],
  { elo }: Conventions,
): Float64Array | null {
  const orders = Math.min(mostOrders, Math.floor(ordersBound / Math.max(1, games.a.length)));
  if (orders < fewestOrders) return null;
  const first = new Float64Array(items);
  for (const rating of eloOrders(items, games, elo, orders)) first[rankedBy(rating)[0]!]! += 1;
  return first.map((n) => n / orders);
}

/** For each vote, the place of the first one of its session. */
function sessionStarts(session: Int32Array): Int32Array {
  const starts = new Int32Array(session.length);
  for (let vote = 1; vote < starts.length; vote++)
    starts[vote] = session[vote] === session[vote - 1] ? starts[vote - 1]! : vote;
  return starts;
}

/** Robustness of rankings by comparisons: Bradley-Terry, Bayesian Elo, online Elo and percent chosen. */
export const pairRobustnessKernel = byGroup(
  "dimension_id",
  {
    ...tables,
    sets: { ...tables.sets, place: "integer" },
    orders: { item_id: "integer", probability_first: "double" },
  },
  ({ rows, keep }, conventions) => {
    const { rater, session } = rows as Record<"rater" | "session", Int32Array>;
    const { ids, local } = localIds([rows.a as Int32Array, rows.b as Int32Array]);
    const [a, b] = local as [Int32Array, Int32Array];
    const games = { a, b, outcome: rows.outcome as Int8Array, session };
    const units = unitsOf(rater, session);
    const inputs = { ...games, session: fromOne(session), rater: fromOne(rater), conventions };
    const { flips, first } = keep("flips", inputs, () => {
      const votes = ruleVotes(ids.length, games);
      const rules = [
        bradleyTerryRule(votes, conventions),
        bayesianEloRule(votes, conventions),
        eloRule(votes, conventions),
        percentChosenRule(votes, conventions),
      ];
      return { flips: flipsOf(rules, ids.length, units), first: firstOfOrders(ids.length, votes, conventions) };
    });
    const found = rowsFor(flips, ids, units);
    const { left_out: leftOut, unit } = found.sets;
    const starts = sessionStarts(session);
    return {
      ...found,
      sets: {
        ...found.sets,
        left_out: leftOut.map((own, row) => (unit[row] === 0 ? session[own]! : own)),
        place: leftOut.map((own, row) => (unit[row] === 0 ? own - starts[own]! + 1 : NaN)),
      },
      orders: { item_id: ids, probability_first: first ?? new Float64Array(ids.length).fill(NaN) },
    };
  },
);

/** Robustness of a ranking by mean scores. A vote of a set is named by its item and score, because equal ones are as good. */
export const scoreRobustnessKernel = byGroup(
  "dimension_id",
  { ...tables, sets: { ...tables.sets, item_id: "integer", score: "double" } },
  ({ rows, keep }) => {
    const { rater, session, item } = rows as Record<"rater" | "session" | "item", Int32Array>;
    const score = rows.score as Float64Array;
    const { ids, local } = localIds([item]);
    const scores = { items: ids.length, item: local[0]!, score };
    const units = unitsOf(rater, session);
    const inputs = { ...scores, session: fromOne(session), rater: fromOne(rater) };
    const flips = keep("flips", inputs, () => flipsOf([meanRule(scores)], ids.length, units));
    const found = rowsFor(flips, ids, units);
    const { left_out: leftOut, unit } = found.sets;
    const ofVote = (of: (vote: number) => number): number[] =>
      leftOut.map((own, row) => (unit[row] === 0 ? of(own) : NaN));
    return {
      ...found,
      sets: {
        ...found.sets,
        left_out: leftOut.map((own, row) => (unit[row] === 0 ? NaN : own)),
        item_id: ofVote((vote) => item[vote]!),
        score: ofVote((vote) => score[vote]!),
      },
    };
  },
);
