import { byGroup, localIds } from "../kernel.js";
import type { Conventions } from "../conventions.js";
import { eloOrders } from "../elo/online-elo.js";
import { bayesianEloRule, bradleyTerryRule, eloRule, meanRule, percentChosenRule, type Rule } from "./rules.js";

/** The first places are looked at for each of 1 to this many. */
const mostTops = 3;
/** Pairs of items around the boundary of which the nearest are tried. */
const nearest = 3;
/** Votes read by all evaluations of one search, at most; at least `fewestTries` evaluations are made. */
const workBound = 20_000_000;
const fewestTries = 40;
/** Largest number of sets that are tried one by one. */
const mostSets = 2000;

/** What is left out together: the votes of one rater or session, or each vote by itself. -1: never left out. */
export interface Units {
  readonly count: number;
  readonly ofVote: Int32Array;
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

/**
 * At most how many units must be left out for the first k to be others (Broderick, Giordano and Meager 2020; Huang et al.
 * 2025): units in the order of their one-step influence, the fewest that change a recomputed ranking, and of these only what
 * is necessary. A small number of units is then searched exhaustively.
 */
export function fewestToFlip(rule: Rule, { count, ofVote }: Units, k: number): Flip | FlipReason {
  const all = rule.values(new Uint8Array(rule.votes));
  if (all === null) return flipReasons.noFit;
  if (rule.items <= k) return flipReasons.fewItems;
  const order = rankedBy(all);
  if (all[order[k - 1]!] === all[order[k]!]) return flipReasons.tied;
  const top = new Set(order.slice(0, k));
  const most = Math.max(fewestTries, Math.floor(workBound / rule.votes));
  let tries = 0;
  const members = votesOf(ofVote, count);
  const isLeftOut = new Uint8Array(rule.votes);
  const mark = (units: readonly number[], value: number): void => {
    for (const unit of units) for (const vote of members[unit]!) isLeftOut[vote] = value;
  };
  /** Who leaves the first k and who enters, or null if they stay. */
  const changed = (units: readonly number[]): Pick<Flip, "leaving" | "entering"> | null => {
    tries++;
    mark(units, 1);
    const values = rule.values(isLeftOut);
    mark(units, 0);
    if (values === null) return null;
    // Equal values are not another order.
    const within = [...top].sort((i, j) => values[i]! - values[j]! || j - i)[0]!;
    const outside = order.filter((item) => !top.has(item)).sort((i, j) => values[j]! - values[i]! || i - j)[0]!;
    return values[outside]! > values[within]! ? { leaving: within, entering: outside } : null;
  };
  if (rule.fewestVotes !== undefined && members.every(({ length }) => length === 1)) return byFormula(rule.fewestVotes);
  let best: Flip | null = null;
  for (const { units, needed } of candidates()) {
    const found = smallestPrefix(units, needed);
    if (found !== null && (best === null || found.length < best.units.length)) best = named(shrunk(found), false);
  }
  const smaller = best === null ? null : exhaustive(best.units.length - 1);
  if (best === null) return flipReasons.notFound;
  return smaller ?? best;

  function named(units: readonly number[], isExact: boolean): Flip {
    return { units: units.toSorted((x, y) => x - y), isExact, ...changed(units)! };
  }

  /** The smallest of the smallest sets of all pairs across the boundary. */
  function byFormula(fewest: NonNullable<Rule["fewestVotes"]>): Flip | FlipReason {
    const sets = [...top].flatMap((i) => order.slice(k).flatMap((j) => [fewest(i, j) ?? []]));
    const smallest = sets.filter(({ length }) => length > 0).sort((x, y) => x.length - y.length)[0];
    return smallest === undefined ? flipReasons.notFound : named(smallest, true);
  }

  /** Units by influence on the pairs at the boundary, and how many of them one step says are enough. */
  function candidates(): { units: number[]; needed: number }[] {
    const inside = order.slice(Math.max(0, k - nearest), k);
    const outside = order.slice(k, k + nearest);
    const pairs = inside.flatMap((i) =>
      outside.map((j) => {
        const influence = new Float64Array(count);
        rule.influence(i, j).forEach((own, vote) => {
          if (ofVote[vote] !== -1) influence[ofVote[vote]!]! += own;
        });
        const units = Array.from(influence.keys())
          .filter((unit) => influence[unit]! > 0)
          .sort((x, y) => influence[y]! - influence[x]! || x - y);
        let gap = all![i]! - all![j]!;
        let needed = 0;
        while (needed < units.length && gap >= 0) gap -= influence[units[needed++]!]!;
        return { units, needed };
      }),
    );
    return pairs.sort((x, y) => x.needed - y.needed).slice(0, nearest);
  }

  /** The fewest units of an ordered list that change the first k. */
  function smallestPrefix(units: readonly number[], needed: number): readonly number[] | null {
    let enough = Math.max(1, needed);
    while (changed(units.slice(0, enough)) === null) {
      if (enough >= units.length || tries > most) return null;
      enough = Math.min(units.length, Math.ceil(1.3 * enough) + 1);
    }
    let short = 0;
    while (enough - short > 1 && tries <= most) {
      const middle = Math.floor((short + enough) / 2);
      if (changed(units.slice(0, middle)) === null) short = middle;
      else enough = middle;
    }
    return units.slice(0, enough);
  }

  /** Without the units that are not necessary. */
  function shrunk(units: readonly number[]): readonly number[] {
    let kept = units;
    for (const unit of units.toReversed()) {
      if (tries > most) break;
      const fewer = kept.filter((other) => other !== unit);
      if (fewer.length > 0 && changed(fewer) !== null) kept = fewer;
    }
    return kept;
  }

  /** A set of at most `size` units that changes the first k if all were tried: it, or `best` as exact; otherwise null. */
  function exhaustive(size: number): Flip | null {
    let sets = 0;
    for (let n = 1; n <= size; n++) sets += binomial(count, n);
    if (sets > Math.min(mostSets, workBound / rule.votes)) return null;
    for (let n = 1; n <= size; n++)
      for (const units of subsets(count, n)) if (changed(units) !== null) return named(units, true);
    return { ...best!, isExact: true };
  }
}

function votesOf(ofVote: Int32Array, count: number): number[][] {
  const members = Array.from({ length: count }, (): number[] => []);
  ofVote.forEach((unit, vote) => unit !== -1 && members[unit]!.push(vote));
  return members;
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

/** How the votes of a group belong together: each by itself, by rater and by session, with the numbers of the units. */
function unitsOf(vote: Int32Array, rater: Int32Array, session: Int32Array): { units: Units; numbers: Int32Array }[] {
  const by = (column: Int32Array): { units: Units; numbers: Int32Array } => {
    const { ids, local } = localIds([column]);
    // Votes without a rater or session are never left out with one.
    const ofVote = local[0]!.map((own) => (ids[own]! > 0 ? own : -1));
    return { units: { count: ids.length, ofVote }, numbers: ids };
  };
  const each = { units: { count: vote.length, ofVote: Int32Array.from(vote.keys()) }, numbers: vote };
  return [each, by(rater), by(session)];
}

/** The rows of both tables for the rules of a group; `ids` are the items' numbers. */
function rowsFor(rules: readonly (Rule | null)[], ids: Int32Array, votes: ReturnType<typeof unitsOf>) {
  const flips: Record<keyof (typeof tables)[""], number[]> = {
    rule: [],
    unit: [],
    k: [],
    units: [],
    at_most: [],
    is_exact: [],
    leaving: [],
    entering: [],
    reason: [],
  };
  const sets: Record<keyof typeof tables.sets, number[]> = { rule: [], unit: [], k: [], left_out: [] };
  rules.forEach((rule, number) =>
    votes.forEach(({ units, numbers }, unit) => {
      for (let k = 1; k <= Math.min(mostTops, ids.length - 1); k++) {
        const found = rule === null ? flipReasons.noFit : fewestToFlip(rule, units, k);
        const flip = typeof found === "number" ? null : found;
        flips.rule.push(number);
        flips.unit.push(unit);
        flips.k.push(k);
        flips.units.push(new Set(units.ofVote).size - Number(units.ofVote.includes(-1)));
        flips.at_most.push(flip?.units.length ?? NaN);
        flips.is_exact.push(flip === null ? NaN : Number(flip.isExact));
        flips.leaving.push(flip === null ? NaN : ids[flip.leaving]!);
        flips.entering.push(flip === null ? NaN : ids[flip.entering]!);
        flips.reason.push(typeof found === "number" ? found : flipReasons.none);
        for (const own of flip?.units ?? []) {
          sets.rule.push(number);
          sets.unit.push(unit);
          sets.k.push(k);
          sets.left_out.push(numbers[own]!);
        }
      }
    }),
  );
  return { "": flips, sets };
}

/** Random orders of an online Elo, for the probability of being first: fewer if they take long, and none below 100. */
const mostOrders = 200;
const fewestOrders = 100;

function firstOfOrders(
  items: number,
  games: Parameters<typeof eloOrders>[1],
  { elo }: Conventions,
): Float64Array | null {
  const orders = Math.min(mostOrders, Math.floor(workBound / Math.max(1, games.a.length)));
  if (orders < fewestOrders) return null;
  const first = new Float64Array(items);
  for (const rating of eloOrders(items, games, elo, orders)) first[rankedBy(rating)[0]!]! += 1;
  return first.map((n) => n / orders);
}

/** Robustness of rankings by comparisons: Bradley-Terry, Bayesian Elo, online Elo and percent chosen. */
export const pairRobustnessKernel = byGroup(
  "dimension_id",
  { ...tables, orders: { item_id: "integer", probability_first: "double" } },
  ({ rows }, conventions) => {
    const { vote, rater, session } = rows as Record<"vote" | "rater" | "session", Int32Array>;
    const { ids, local } = localIds([rows.a as Int32Array, rows.b as Int32Array]);
    const [a, b] = local as [Int32Array, Int32Array];
    const votes = { items: ids.length, a, b, outcome: rows.outcome as Int8Array, session };
    const rules = [
      bradleyTerryRule(votes, conventions),
      bayesianEloRule(votes, conventions),
      eloRule(votes, conventions),
      percentChosenRule(votes, conventions),
    ];
    const first = firstOfOrders(ids.length, votes, conventions);
    return {
      ...rowsFor(rules, ids, unitsOf(vote, rater, session)),
      orders: { item_id: ids, probability_first: first ?? new Float64Array(ids.length).fill(NaN) },
    };
  },
);

/** Robustness of a ranking by mean scores. */
export const scoreRobustnessKernel = byGroup("dimension_id", tables, ({ rows }) => {
  const { vote, rater, session, item } = rows as Record<"vote" | "rater" | "session" | "item", Int32Array>;
  const { ids, local } = localIds([item]);
  const rule = meanRule({ items: ids.length, item: local[0]!, score: rows.score as Float64Array });
  return rowsFor([rule], ids, unitsOf(vote, rater, session));
});
