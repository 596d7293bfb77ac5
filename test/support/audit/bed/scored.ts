import type { Row } from "./study.js";

/** Plain statistics of lists, written apart from src/metrics. */
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
  const value = (i: number): number => s[Math.min(s.length, Math.max(1, i)) - 1] as number;
  return value(j) + (at - j) * (value(j + 1) - value(j));
}

export const medianOf = (xs: readonly number[]): number => quantileBy(xs, 0.5, 1, 1);

export function grouped<K>(rows: readonly Row[], key: (row: Row) => K): Map<K, Row[]> {
  const found = new Map<K, Row[]>();
  for (const row of rows) {
    const own = found.get(key(row));
    if (own === undefined) found.set(key(row), [row]);
    else own.push(row);
  }
  return found;
}

export type ByItem = Map<string, number[]>;

export const scoresBy = (rows: readonly Row[], score: (row: Row) => number = (r) => r.score): ByItem =>
  new Map([...grouped(rows, (r) => r.item)].map(([item, own]) => [item, own.map(score).filter(Number.isFinite)]));

/** The scores of each item on the scale of their rater: `of` maps a score, given all scores of the rater. */
export function perRater(rows: readonly Row[], of: (score: number, all: readonly number[]) => number): ByItem {
  const all = new Map([...grouped(rows, (r) => r.rater)].map(([rater, own]) => [rater, own.map((r) => r.score)]));
  return scoresBy(rows, (r) => of(r.score, all.get(r.rater) as number[]));
}

export const raterMeans = (rows: readonly Row[]): ByItem =>
  new Map(
    [...grouped(rows, (r) => r.item)].map(([item, own]) => [
      item,
      [...grouped(own, (r) => r.rater).values()].map((of) => avg(of.map((r) => r.score))),
    ]),
  );

export function trimmed(xs: readonly number[], share: number): number {
  const cut = Math.floor(share * xs.length);
  return avg(ascending(xs).slice(cut, xs.length - cut));
}

export function winsorised(xs: readonly number[], share: number): number {
  const cut = Math.floor(share * xs.length);
  const s = ascending(xs);
  return avg(s.map((_, i) => s[Math.min(s.length - 1 - cut, Math.max(cut, i))] as number));
}

/** Medians of the lower and upper half; `inclusive` keeps the middle score in both (Tukey's hinges). */
export function hinges(xs: readonly number[], inclusive: boolean): [number, number] {
  const s = ascending(xs);
  const half = inclusive ? Math.ceil(s.length / 2) : Math.floor(s.length / 2);
  return [medianOf(s.slice(0, half)), medianOf(s.slice(s.length - half))];
}
