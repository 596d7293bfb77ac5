/** Plain statistics of lists and comparisons, written apart from src/metrics. */
import {
  fixedPoint,
  graphOf,
  stoppedIteration,
} from "../../../../src/emulator/scoring/bayesian-elo.js";
import { tally, type Outcomes } from "../../../../src/emulator/scoring/comparisons.js";
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

/** What `of` makes of each value. */
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

/** The scores of each item on the scale of their rater: `of` maps a score, given all scores of the rater. */
export function perRater(
  rows: readonly Row[],
  of: (score: number, all: readonly number[]) => number,
): ByItem {
  const all = new Map(
    [...grouped(rows, (r) => r.rater)].map(([rater, own]) => [rater, own.map((r) => r.score)]),
  );
  return scoresBy(rows, (r) => of(r.score, all.get(r.rater)!));
}

/** The means of an item's ratings in each group of them. */
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

export const recordsOf = (duels: readonly Duel[]): Map<string, Outcomes> =>
  tally(
    duels.map(({ a, b, share }) => ({
      a,
      b,
      result: share as 0 | 0.5 | 1,
      session: "",
      rater: "",
    })),
  );

/** A comparison as one of its items sees it. */
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

/** Maximum-likelihood Bradley-Terry by Zermelo's iteration: log worths that sum to 0. NaN if it does not converge. */
export function likelihoodLogs(duels: readonly Duel[]): Ratings {
  const items = itemsOf(duels);
  const index = new Map(items.map((item, i) => [item, i]));
  const wins = items.map(() => 0);
  const met = items.map(() => items.map(() => 0));
  for (const { a, b, share } of duels) {
    const [i, j] = [index.get(a)!, index.get(b)!];
    wins[i]! += share;
    wins[j]! += 1 - share;
    met[i]![j]! += 1;
    met[j]![i]! += 1;
  }
  let logs = items.map(() => 0);
  let step = 1;
  for (let round = 0; round < 20_000 && step > 1e-14; round++) {
    const next = logs.map((own, i) =>
      Math.log(
        wins[i]! / sum(logs.map((other, j) => met[i]![j]! / (Math.exp(own) + Math.exp(other)))),
      ),
    );
    const middle = avg(next);
    step = Math.max(...next.map((log, i) => Math.abs(log - middle - logs[i]!)));
    logs = next.map((log) => log - middle);
  }
  return new Map(items.map((item, i) => [item, step < 1e-12 ? logs[i]! : NaN]));
}

/** Ridge Bradley-Terry: log strengths with a normal prior of precision `ridge`; with `davidson`, ties as in his model. */
export function ridgeElo(duels: readonly Duel[], ridge: number, davidson = false): Ratings {
  const items = itemsOf(duels);
  const index = new Map(items.map((item, i) => [item, i]));
  const x = items.map(() => 0);
  let nu = davidson ? 0.3 : 0;
  let step = 1;
  const games = duels.map((d) => [index.get(d.a)!, index.get(d.b)!, d.share] as const);
  // Coordinate Newton with numerical safety: slow and plain.
  for (let round = 0; round < 400 && step > 1e-11; round++) {
    step = 0;
    for (let i = 0; i < x.length; i++) {
      let slope = -ridge * x[i]!;
      let curve = -ridge;
      for (const [a, b, share] of games) {
        if (a !== i && b !== i) continue;
        const side = a === i ? 1 : -1;
        const lead = side * (x[a]! - x[b]!);
        const own = side === 1 ? share : 1 - share;
        const [up, down] = [Math.exp(lead / 2), Math.exp(-lead / 2)];
        const whole = up + down + nu;
        const mean = (up - down) / whole;
        slope += own - 0.5 - mean / 2;
        curve -= ((up + down) / whole - mean * mean) / 4;
      }
      const move = -slope / curve;
      x[i] = x[i]! + Math.max(-1, Math.min(1, move));
      step = Math.max(step, Math.abs(move));
    }
    if (davidson) {
      const ties = games.filter(([, , s]) => s === 0.5).length;
      const expected = games.map(([a, b]) => {
        const lead = x[a]! - x[b]!;
        return 1 / (Math.exp(lead / 2) + Math.exp(-lead / 2) + nu);
      });
      nu = ties / sum(expected);
    }
  }
  return new Map(items.map((item, i) => [item, 2000 + (400 / Math.LN10) * x[i]!]));
}
