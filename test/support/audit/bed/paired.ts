import { fixedPoint, graphOf, stoppedIteration } from "../../../../src/emulator/scoring/bayesian-elo.js";
import { tally, type Tally } from "../../../../src/emulator/scoring/comparisons.js";
import { grouped } from "./scored.js";
import type { Row } from "./study.js";

/** A comparison: `share` is 1 if a won, 0 if b did, a half for a tie. */
export interface Duel {
  readonly a: string;
  readonly b: string;
  readonly share: number;
  readonly session: number;
}

export function duelsOf(rows: readonly Row[]): Duel[] {
  const slates = [...grouped(rows, (r) => r.slate).values()].filter((own) => own.length === 2);
  return slates.map((own) => {
    const [a, b] = own.toSorted((x, y) => (x.item < y.item ? -1 : 1)) as [Row, Row];
    return { a: a.item, b: b.item, session: a.session, share: a.score > b.score ? 1 : a.score < b.score ? 0 : 0.5 };
  });
}

export type Record4 = Tally;

export const recordsOf = (duels: readonly Duel[]): Map<string, Record4> =>
  tally(duels.map(({ a, b, share }) => ({ a, b, result: share as 0 | 0.5 | 1, session: "", rater: "" })));

export interface EloRule {
  k?: number | ((game: number) => number);
  start?: number;
  scale?: number;
  tie?: number;
  skipTies?: boolean;
}

export function eloOf(
  duels: readonly Duel[],
  { k = 32, start = 2000, scale = 400, tie = 0.5, skipTies = false }: EloRule,
): Map<string, number> {
  const at = new Map<string, number>();
  const games = new Map<string, number>();
  for (const { a, b, share } of duels) {
    for (const item of [a, b]) if (!at.has(item)) at.set(item, start);
    if (share === 0.5 && skipTies) continue;
    const [ra, rb] = [at.get(a) as number, at.get(b) as number];
    const result = share === 0.5 ? tie : share;
    const expected = 1 / (1 + 10 ** ((rb - ra) / scale));
    const kOf = (item: string): number => (typeof k === "number" ? k : k(games.get(item) ?? 0));
    at.set(a, ra + kOf(a) * (result - expected));
    at.set(b, rb - kOf(b) * (result - expected));
    for (const item of [a, b]) games.set(item, (games.get(item) ?? 0) + 1);
  }
  return at;
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
export function gammaElo(duels: readonly Duel[], rule: StrengthRule): Map<string, number> {
  const { shape = 5, rate = 0.1, rounds, stop, ties = "half", anchor = 2000, scale = 400 } = rule;
  const used = ties === "half" ? duels : duels.filter((d) => d.share !== 0.5);
  const items = [...new Set(used.flatMap((d) => [d.a, d.b]))].sort();
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
  return new Map(items.map((item, i) => [item, anchor + (scale / Math.LN10) * ((logs[i] as number) - zero)]));
}

/** Ridge Bradley-Terry: log strengths with a normal prior of precision `ridge`; with `nu`, ties as in Davidson's model. */
export function ridgeElo(duels: readonly Duel[], ridge: number, davidson = false): Map<string, number> {
  const items = [...new Set(duels.flatMap((d) => [d.a, d.b]))].sort();
  const index = new Map(items.map((item, i) => [item, i]));
  const x = items.map(() => 0);
  let nu = davidson ? 0.3 : 0;
  let step = 1;
  const games = duels.map((d) => [index.get(d.a) as number, index.get(d.b) as number, d.share] as const);
  // Coordinate Newton with numerical safety: slow and plain.
  for (let round = 0; round < 400 && step > 1e-11; round++) {
    step = 0;
    for (let i = 0; i < x.length; i++) {
      let [slope, curve] = [-ridge * (x[i] as number), -ridge];
      for (const [a, b, share] of games) {
        if (a !== i && b !== i) continue;
        const side = a === i ? 1 : -1;
        const lead = side * ((x[a] as number) - (x[b] as number));
        const own = side === 1 ? share : 1 - share;
        const [up, down] = [Math.exp(lead / 2), Math.exp(-lead / 2)];
        const whole = up + down + nu;
        const mean = (up - down) / whole;
        slope += own - 0.5 - mean / 2;
        curve -= ((up + down) / whole - mean * mean) / 4;
      }
      const move = -slope / curve;
      x[i] = (x[i] as number) + Math.max(-1, Math.min(1, move));
      step = Math.max(step, Math.abs(move));
    }
    if (davidson) {
      const ties = games.filter(([, , s]) => s === 0.5).length;
      const expected = games.reduce((t, [a, b]) => {
        const lead = (x[a] as number) - (x[b] as number);
        return t + 1 / (Math.exp(lead / 2) + Math.exp(-lead / 2) + nu);
      }, 0);
      nu = ties / expected;
    }
  }
  return new Map(items.map((item, i) => [item, 2000 + (400 / Math.LN10) * (x[i] as number)]));
}
