/** Plain statistics of lists and comparisons, written apart from src/metrics. */
import {
  emulatedBayesianElo,
  fixedPoint,
  graphOf,
  stoppedIteration,
} from "../../../../src/emulator/scoring/bayesian-elo.js";
import {
  tally,
  type Outcomes,
  type ScoredPair,
} from "../../../../src/emulator/scoring/comparisons.js";
import { defaultConvention } from "../../../../src/emulator/scoring/convention.js";
import type { Row } from "./world.js";

export const sum = (xs: readonly number[]): number => xs.reduce((a, b) => a + b, 0);
export const avg = (xs: readonly number[]): number => sum(xs) / xs.length;
export const ascending = (xs: readonly number[]): number[] => [...xs].sort((a, b) => a - b);

export function sd(xs: readonly number[], less = 1): number {
  const centre = avg(xs);
  return Math.sqrt(sum(xs.map((x) => (x - centre) ** 2)) / (xs.length - less));
}

/** Quantiles by the general formula of Hyndman and Fan: m = alpha + p (1 - alpha - beta). */
export function quantileBy(xs: readonly number[], p: number, alpha: number, beta: number): number {
  const s = ascending(xs);
  const at = alpha + p * (s.length + 1 - alpha - beta);
  const j = Math.floor(at + 1e-12);
  const value = (i: number): number => s[Math.min(s.length, Math.max(1, i)) - 1]!;
  return value(j) + (at - j) * (value(j + 1) - value(j));
}

export const medianOf = (xs: readonly number[]): number => quantileBy(xs, 0.5, 1, 1);

/** Medians of the lower and upper half; `inclusive` keeps the middle score in both (Tukey's hinges). */
export function hinges(xs: readonly number[], inclusive: boolean): [number, number] {
  const s = ascending(xs);
  const half = inclusive ? Math.ceil(s.length / 2) : Math.floor(s.length / 2);
  return [medianOf(s.slice(0, half)), medianOf(s.slice(s.length - half))];
}

export function grouped<T, K>(rows: readonly T[], key: (row: T) => K): Map<K, T[]> {
  const found = new Map<K, T[]>();
  for (const row of rows) {
    const own = found.get(key(row));
    if (own === undefined) found.set(key(row), [row]);
    else own.push(row);
  }
  return found;
}
export const partsOf = <T>(rows: readonly T[], key: (row: T) => unknown): T[][] => [
  ...grouped(rows, key).values(),
];

export const mapped = <V, T>(
  all: ReadonlyMap<string, V>,
  of: (value: V, item: string) => T,
): Map<string, T> => new Map([...all].map(([item, value]) => [item, of(value, item)]));

export type Ratings = Map<string, number>;
export type ByItem = Map<string, number[]>;

export const scoresBy = (
  rows: readonly Row[],
  score: (row: Row) => number = (r) => r.score,
): ByItem =>
  mapped(
    grouped(rows, (r) => r.item),
    (own) => own.map(score).filter(Number.isFinite),
  );

export function perRater(
  rows: readonly Row[],
  of: (score: number, all: readonly number[]) => number,
): ByItem {
  const all = new Map(
    [...grouped(rows, (r) => r.rater)].map(([rater, own]) => [rater, own.map((r) => r.score)]),
  );
  return scoresBy(rows, (r) => of(r.score, all.get(r.rater)!));
}

export const meansBy = (rows: readonly Row[], key: (row: Row) => unknown): ByItem =>
  mapped(
    grouped(rows, (r) => r.item),
    (own) => partsOf(own, key).map((of) => avg(of.map((r) => r.score))),
  );

/** A comparison: `share` is 1 if a won, 0 if b did, a half for a tie. */
export interface Duel {
  readonly a: string;
  readonly b: string;
  readonly share: number;
  readonly session: number;
}

export function duelOf(x: Row, y: Row): Duel {
  const [a, b] = x.item < y.item ? [x, y] : [y, x];
  return {
    a: a.item,
    b: b.item,
    session: a.session,
    share: (Math.sign(a.score - b.score) + 1) / 2,
  };
}
export const duelsOf = (rows: readonly Row[]): Duel[] =>
  partsOf(rows, (r) => r.slate).flatMap(([x, y, ...more]) =>
    x === undefined || y === undefined || more.length > 0 ? [] : [duelOf(x, y)],
  );
export const itemsOf = (duels: readonly Duel[]): string[] =>
  [...new Set(duels.flatMap((d) => [d.a, d.b]))].sort();

const scoredOf = (duels: readonly Duel[]): ScoredPair[] =>
  duels.map(({ a, b, share }) => ({ a, b, result: share as 0 | 0.5 | 1, session: "", rater: "" }));

export const recordsOf = (duels: readonly Duel[]): Map<string, Outcomes> => tally(scoredOf(duels));

export interface Side {
  readonly other: string;
  readonly share: number;
  readonly session: number;
}
export const sidesOf = (duels: readonly Duel[], item: string): Side[] =>
  duels.flatMap(({ a, b, share, session }) =>
    a === item
      ? [{ other: b, share, session }]
      : b === item
        ? [{ other: a, share: 1 - share, session }]
        : [],
  );

/** What both sides gain by a comparison, from the lead of the first before it. */
export type Gains = (lead: number, share: number, game: number) => readonly [number, number];
export const gainsOf =
  (k: number, scale = 400): Gains =>
  (lead, share) => {
    const change = k * (share - 1 / (1 + 10 ** (-lead / scale)));
    return [change, -change];
  };

/** Online Elo by any rule; `game` counts within a session, after each of which all ratings may fade. */
export function eloBy(
  duels: readonly Duel[],
  gains: Gains,
  { start = 2000, afterSession = (rating: number): number => rating } = {},
): { at: Ratings; path: ByItem } {
  const at: Ratings = new Map();
  const path: ByItem = new Map();
  let game = 0;
  duels.forEach((duel, i) => {
    game = i > 0 && duel.session === duels[i - 1]?.session ? game + 1 : 0;
    if (game === 0) for (const [item, rating] of at) at.set(item, afterSession(rating));
    const a = at.get(duel.a) ?? start;
    const b = at.get(duel.b) ?? start;
    const [up, down] = gains(a - b, duel.share, game);
    at.set(duel.a, a + up);
    at.set(duel.b, b + down);
    for (const item of [duel.a, duel.b])
      path.set(item, [...(path.get(item) ?? []).slice(-60), at.get(item)!]);
  });
  return { at, path };
}

export function eloOf(
  duels: readonly Duel[],
  { k = 32, start = 2000, scale = 400, tie = 0.5, skipTies = false } = {},
): Ratings {
  const plain = gainsOf(k, scale);
  const gains: Gains = (lead, share, game) =>
    share !== 0.5 ? plain(lead, share, game) : skipTies ? [0, 0] : plain(lead, tie, game);
  return eloBy(duels, gains, { start }).at;
}

export interface StrengthRule {
  shape?: number;
  rate?: number;
  /** Stop after this many rounds, or when no item moves by this many Elo. */
  rounds?: number;
  stop?: number;
  ties?: "half" | "exclude";
  anchor?: number;
  scale?: number;
}

/** Bayesian Bradley-Terry as the emulator computes it, or its iteration stopped early. */
export function gammaElo(duels: readonly Duel[], rule: StrengthRule = {}): Ratings {
  const { shape = 5, rate = 0.1, rounds, stop, ties = "half", anchor = 2000, scale = 400 } = rule;
  const used = ties === "half" ? duels : duels.filter((d) => d.share !== 0.5);
  const items = itemsOf(used);
  const graph = graphOf(
    items,
    used.map(({ a, b, share }) => ({ a, b, forA: share, forB: 1 - share })),
  );
  const prior = { shape, rate };
  const { logs } =
    rounds === undefined && stop === undefined
      ? fixedPoint(graph, prior)
      : stoppedIteration(graph, prior, stop ?? 1e-11, scale, { rounds });
  const zero = Math.log((shape - 1) / rate);
  return new Map(items.map((item, i) => [item, anchor + (scale / Math.LN10) * (logs[i]! - zero)]));
}

export const davidsonElo = (duels: readonly Duel[]): Ratings =>
  mapped(
    emulatedBayesianElo(scoredOf(duels), { ...defaultConvention.bayesian_elo, ties: "davidson" }),
    ({ value = NaN }) => value,
  );

export const eloScale = 400 / Math.LN10;

/** The inverse of a matrix, by Gauss and Jordan with the largest pivot. */
function inverse(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => Number(i === j))]);
  for (let k = 0; k < size; k++) {
    const best = rows.reduce(
      (at, row, i) => (i > k && Math.abs(row[k]!) > Math.abs(rows[at]![k]!) ? i : at),
      k,
    );
    [rows[k], rows[best]] = [rows[best]!, rows[k]!];
    const pivot = rows[k]!.map((x) => x / rows[k]![k]!);
    rows[k] = pivot;
    rows.forEach((row, i) => {
      const by = row[k]!;
      if (i !== k && by !== 0) rows[i] = row.map((x, j) => x - by * pivot[j]!);
    });
  }
  return rows.map((row) => row.slice(size));
}

/** Newton's method for log worths that sum to 0; NaN if there is no optimum. */
function worthFit(duels: readonly Duel[], penalty: number) {
  const items = itemsOf(duels);
  const index = new Map(items.map((item, i) => [item, i]));
  const pairs = duels.map(({ a, b, share }) => {
    return { a: index.get(a)!, b: index.get(b)!, share };
  });
  const chance = (of: (typeof pairs)[number]): number => 1 / (1 + Math.exp(at[of.b]! - at[of.a]!));
  let at = items.map(() => 0);
  for (let step = 0; step < 40; step++) {
    const slope = at.map((x) => -penalty * x);
    const curve = at.map((_, i) => at.map((__, j) => (i === j ? penalty : 0)));
    for (const pair of pairs) {
      const { a, b, share } = pair;
      const p = chance(pair);
      slope[a]! += share - p;
      slope[b]! -= share - p;
      for (const [i, j, sign] of [
        [a, a, 1],
        [b, b, 1],
        [a, b, -1],
        [b, a, -1],
      ] as const)
        curve[i]![j]! += sign * p * (1 - p);
    }
    const own = inverse(curve.map((row) => row.map((x) => x + 1 / items.length)));
    const moves = own.map((row) => sum(row.map((x, j) => x * slope[j]!)));
    const most = Math.max(...moves.map(Math.abs));
    at = at.map((x, i) => x + moves[i]! * Math.min(1, 2 / most));
    if (most < 1e-11)
      return { items, pairs, at, inverse: own, left: pairs.map((of) => of.share - chance(of)) };
    if (Math.max(...at.map(Math.abs)) > 25) break;
  }
  return { items, pairs, at: at.map(() => NaN), inverse: null, left: [] };
}

/** Log worths of highest likelihood; with a `penalty`, less half of it times their squares. */
export function worthsOf(duels: readonly Duel[], penalty = 0): Ratings {
  const { items, at } = worthFit(duels, penalty);
  return new Map(items.map((item, i) => [item, at[i]!]));
}

/** Standard errors of log worths, by the sandwich over comparisons. */
export function errorsOf(duels: readonly Duel[]): Ratings {
  const { items, pairs, left, inverse: rows } = worthFit(duels, 0);
  const effects = (row: readonly number[]): number[] =>
    pairs.map(({ a, b }, i) => left[i]! * (row[a]! - row[b]!));
  return new Map(
    items.map((item, i) => {
      return [item, rows === null ? NaN : Math.sqrt(sum(effects(rows[i]!).map((x) => x ** 2)))];
    }),
  );
}
