import type { Comparison } from "./comparisons.js";
import type { Convention } from "./convention.js";
import { gammaQuantile } from "./statistics.js";

/** Items `i` and `j` and the weight of their comparisons. */
interface Pair {
  i: number;
  j: number;
  n: number;
}

/** The comparison graph of K items, by number. `won[i]` counts wins plus half the ties. */
export interface Graph {
  items: readonly string[];
  pairs: Pair[];
  won: number[];
}

export interface Outcome {
  a: string;
  b: string;
  /** Weight of a win of `a` and of a win of `b`; their sum is the weight of the comparison. */
  forA: number;
  forB: number;
}

export function graphOf(items: readonly string[], outcomes: Iterable<Outcome>): Graph {
  const number = new Map(items.map((item, index) => [item, index]));
  const pairs = new Map<number, Pair>();
  const won = items.map(() => 0);
  for (const { a, b, forA, forB } of outcomes) {
    const [x, y] = [number.get(a) ?? 0, number.get(b) ?? 0];
    const [i, j] = x < y ? [x, y] : [y, x];
    const key = i * items.length + j;
    const pair = pairs.get(key) ?? { i, j, n: 0 };
    pair.n += forA + forB;
    pairs.set(key, pair);
    won[x] = (won[x] ?? 0) + forA;
    won[y] = (won[y] ?? 0) + forB;
  }
  return { items, pairs: [...pairs.values()], won };
}

export interface Prior {
  shape: number;
  rate: number;
}

export interface FixedPoint {
  /** log λ of every item. */
  logs: number[];
  iterations: number;
  converged: boolean;
}

const at = (values: readonly number[], i: number): number => values[i] ?? 0;
const dot = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, v, i) => sum + v * at(y, i), 0);

/**
 * The fixed point of the Bayesian Bradley-Terry iteration: the maximum of a function that is concave
 * in log λ, climbed by Newton steps whose linear systems are solved by conjugate gradients.
 */
export function fixedPoint(graph: Graph, prior: Prior, from?: readonly number[]): FixedPoint {
  let logs = from === undefined ? graph.items.map(() => Math.log((prior.shape - 1) / prior.rate)) : [...from];
  for (let iterations = 1; iterations <= 200; iterations += 1) {
    const slope = gradient(graph, prior, logs);
    const step = conjugateGradients((x) => curvature(graph, prior, logs, x), slope);
    const largest = Math.max(0, ...step.map(Math.abs));
    const damped = Math.min(1, 2 / Math.max(largest, 2));
    logs = logs.map((value, i) => value + damped * at(step, i));
    if (largest < 1e-12) return { logs, iterations, converged: true };
  }
  return { logs, iterations: 200, converged: false };
}

/** Probability that an item with log strength `x` beats one with `y`. */
export const beats = (x: number, y: number): number => 1 / (1 + Math.exp(y - x));

function gradient({ pairs, won }: Graph, { shape, rate }: Prior, logs: readonly number[]): number[] {
  const slope = logs.map((value, i) => shape - 1 + at(won, i) - rate * Math.exp(value));
  for (const { i, j, n } of pairs) {
    const p = beats(at(logs, i), at(logs, j));
    slope[i] = at(slope, i) - n * p;
    slope[j] = at(slope, j) - n * (1 - p);
  }
  return slope;
}

/** The negative second derivative times `x`. Positive definite, since the rate of the prior is positive. */
function curvature({ pairs }: Graph, { rate }: Prior, logs: readonly number[], x: readonly number[]): number[] {
  const found = logs.map((value, i) => rate * Math.exp(value) * at(x, i));
  for (const { i, j, n } of pairs) {
    const p = beats(at(logs, i), at(logs, j));
    const flow = n * p * (1 - p) * (at(x, i) - at(x, j));
    found[i] = at(found, i) + flow;
    found[j] = at(found, j) - flow;
  }
  return found;
}

function conjugateGradients(multiply: (x: readonly number[]) => number[], target: readonly number[]): number[] {
  let x = target.map(() => 0);
  let residual = [...target];
  let direction = [...target];
  let size = dot(residual, residual);
  const enough = size * 1e-30;
  for (let turn = 0; turn < 10 * target.length + 10 && size > enough && size > 0; turn += 1) {
    const image = multiply(direction);
    const length = size / dot(direction, image);
    x = x.map((value, i) => value + length * at(direction, i));
    residual = residual.map((value, i) => value - length * at(image, i));
    const next = dot(residual, residual);
    const ratio = next / size;
    direction = residual.map((value, i) => value + ratio * at(direction, i));
    size = next;
  }
  return x;
}

/** The iteration of docs/metrics.md itself, stopped when no item moves by `stopElo` or more in a round. */
export function stoppedIteration(
  graph: Graph,
  { shape, rate }: Prior,
  stopElo: number,
  scale: number,
  from?: readonly number[],
): FixedPoint {
  let strengths = from === undefined ? graph.items.map(() => (shape - 1) / rate) : from.map(Math.exp);
  for (let iterations = 1; iterations <= 1_000_000; iterations += 1) {
    const weight = strengths.map(() => rate);
    for (const { i, j, n } of graph.pairs) {
      const share = n / ((strengths[i] ?? 0) + (strengths[j] ?? 0));
      weight[i] = (weight[i] ?? 0) + share;
      weight[j] = (weight[j] ?? 0) + share;
    }
    const next = strengths.map((_, i) => (shape - 1 + (graph.won[i] ?? 0)) / (weight[i] ?? 1));
    const moves = next.map((value, i) => Math.abs(scale * Math.log10(value / (strengths[i] ?? 1))));
    strengths = next;
    if (Math.max(0, ...moves) < stopElo) return { logs: strengths.map(Math.log), iterations, converged: true };
  }
  return { logs: strengths.map(Math.log), iterations: 1_000_000, converged: false };
}

/** What one result of a comparison says about log λ of its two items and about log ν. */
type Feature = readonly [ofA: number, ofB: number, ofTie: number];
const results: readonly (readonly [result: Comparison["result"], feature: Feature])[] = [
  [1, [1, 0, 0]],
  [0, [0, 1, 0]],
  [0.5, [0.5, 0.5, 1]],
];

/**
 * The mode of Bradley-Terry with Davidson's ties (1970) and a Gamma prior on λ: an exponential family, whose slopes are
 * observed minus expected features and whose curvature is their covariance, climbed by Newton's method. ν is 0 without
 * ties; with nothing but ties it never converges, and every item stays at the prior's mode.
 */
export function davidsonMode(
  items: readonly string[],
  comparisons: readonly Comparison[],
  { shape, rate }: Prior,
): FixedPoint {
  const number = new Map(items.map((item, index) => [item, index]));
  const tied = comparisons.filter(({ result }) => result === 0.5).length;
  const prior = items.map(() => Math.log((shape - 1) / rate));
  if (tied === comparisons.length) return { logs: prior, iterations: 0, converged: true };
  const size = items.length + (tied > 0 ? 1 : 0);
  let at = tied > 0 ? [...prior, 0] : prior;
  for (let iterations = 1; iterations <= 200; iterations += 1) {
    const slope = at.map((value, i) => (i < items.length ? shape - 1 - rate * Math.exp(value) : 0));
    const bend = at.map((value, i) => at.map((_, j) => (i === j && i < items.length ? rate * Math.exp(value) : 0)));
    for (const { a, b, result } of comparisons) {
      const places = [number.get(a) ?? 0, number.get(b) ?? 0, items.length].slice(0, tied > 0 ? 3 : 2);
      const possible = results.filter(([one]) => tied > 0 || one !== 0.5);
      const weights = possible.map(([, f]) =>
        Math.exp(places.reduce((sum, p, k) => sum + (f[k] ?? 0) * (at[p] ?? 0), 0)),
      );
      const whole = weights.reduce((sum, weight) => sum + weight, 0);
      const expected = (k: number, l?: number): number =>
        possible.reduce(
          (sum, [, f], o) => sum + ((weights[o] ?? 0) / whole) * (f[k] ?? 0) * (l === undefined ? 1 : (f[l] ?? 0)),
          0,
        );
      const seen = results.find(([one]) => one === result)?.[1];
      places.forEach((row, k) => {
        slope[row] = (slope[row] ?? 0) + (seen?.[k] ?? 0) - expected(k);
        places.forEach((column, l) => {
          const line = bend[row] ?? [];
          line[column] = (line[column] ?? 0) + expected(k, l) - expected(k) * expected(l);
        });
      });
    }
    const step = solved(bend, slope);
    const largest = Math.max(...step.map(Math.abs));
    at = at.map((value, i) => value + (step[i] ?? 0) * Math.min(1, 2 / largest));
    if (largest < 1e-13 * size) return { logs: at.slice(0, items.length), iterations, converged: true };
  }
  return { logs: at.slice(0, items.length), iterations: 200, converged: false };
}

/** Solves a linear system by elimination, largest pivot first. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  const cell = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let k = 0; k < rows.length; k += 1) {
    let pivot = k;
    for (let i = k + 1; i < rows.length; i += 1) if (Math.abs(cell(i, k)) > Math.abs(cell(pivot, k))) pivot = i;
    const [above = [], own = []] = [rows[k], rows[pivot]];
    [rows[k], rows[pivot]] = [own, above];
    for (let i = k + 1; i < rows.length; i += 1) {
      const share = cell(i, k) / cell(k, k);
      rows[i] = (rows[i] ?? []).map((value, j) => value - share * (own[j] ?? 0));
    }
  }
  const found = rows.map(() => 0);
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    const rest = found.reduce((sum, value, j) => (j > i ? sum + cell(i, j) * value : sum), 0);
    found[i] = (cell(i, rows.length) - rest) / cell(i, i);
  }
  return found;
}

interface QualityFit extends FixedPoint {
  graph: Graph;
  quality: Map<string, number>;
}

/**
 * Bayesian Bradley-Terry with a quality per rater (arXiv 2510.09333), q ~ Beta(alpha, beta) from ½:
 * weight every win by the probability that it was intended, fit the strengths, then the qualities, until neither moves.
 */
export function qualityFit(
  items: readonly string[],
  comparisons: readonly Comparison[],
  prior: Prior,
  { alpha, beta }: { alpha: number; beta: number },
): QualityFit {
  const number = new Map(items.map((item, index) => [item, index]));
  let quality = new Map(comparisons.map(({ rater }) => [rater, 0.5]));
  let fit = fixedPoint(graphOf(items, []), prior);
  for (let round = 1; round <= 5000; round += 1) {
    const meant = new Map<string, number>();
    const answered = new Map<string, number>();
    const outcomes: Outcome[] = comparisons.map(({ a, b, result, rater }) => {
      const q = quality.get(rater) ?? 0.5;
      const p = beats(fit.logs[number.get(a) ?? 0] ?? 0, fit.logs[number.get(b) ?? 0] ?? 0);
      const forA = result * weight(q, p);
      const forB = (1 - result) * weight(q, 1 - p);
      meant.set(rater, (meant.get(rater) ?? 0) + forA + forB);
      answered.set(rater, (answered.get(rater) ?? 0) + 1);
      return { a, b, forA, forB };
    });
    const graph = graphOf(items, outcomes);
    const next = fixedPoint(graph, prior, fit.logs);
    const better = new Map(
      [...quality.keys()].map((rater) => [
        rater,
        (alpha - 1 + (meant.get(rater) ?? 0)) / (alpha + beta - 2 + (answered.get(rater) ?? 0)),
      ]),
    );
    const moved = Math.max(
      0,
      ...next.logs.map((value, i) => Math.abs(value - (fit.logs[i] ?? 0))),
      ...[...better].map(([rater, q]) => Math.abs(q - (quality.get(rater) ?? 0))),
    );
    fit = next;
    quality = better;
    if (moved < 1e-12) return { ...fit, graph, quality, iterations: round };
    if (round === 5000) return { ...fit, graph, quality, iterations: round, converged: false };
  }
  throw new Error("unreachable");
}

/** The probability that a win, of probability `p` in the model, was intended by a rater of quality `q`, not random. */
const weight = (q: number, p: number): number => (q * p) / (q * p + (1 - q) / 2);

const names = ["p005", "p025", "p05", "p50", "p95", "p975", "p995"] as const;
const own = [0.005, 0.025, 0.05, 0.5, 0.95, 0.975, 0.995] as const;
const shifted = [0.005, 0.005, 0.025, 0.05, 0.5, 0.95, 0.975] as const;

interface BayesianElo {
  rows: Map<string, Record<string, number>>;
  iterations: number;
  converged: boolean;
}

/** Bayesian Bradley-Terry strengths on the Elo scale with their interval ends (docs/metrics.md). */
export function bayesianElo(comparisons: readonly Comparison[], convention: Convention["bayesian_elo"]): BayesianElo {
  const { shape, rate, scale, anchor, interval_labels: labels } = convention;
  const items = [...new Set(comparisons.flatMap(({ a, b }) => [a, b]))].sort();
  const { graph, logs, iterations, converged } = fit(items, comparisons, convention);
  const zero = anchor - scale * Math.log10((shape - 1) / rate);
  const elo = (log: number): number => (scale * log) / Math.LN10 + zero;
  const counts = new Map<string, number>();
  for (const { a, b } of counted(comparisons, convention))
    for (const item of [a, b]) counts.set(item, (counts.get(item) ?? 0) + 1);
  const rows = new Map<string, Record<string, number>>();
  items.forEach((item, i) => {
    const log = logs[i] ?? 0;
    const wins = graph.won[i] ?? 0;
    const row: Record<string, number> = { value: elo(log), wins, n: counts.get(item) ?? 0 };
    const posterior = shape - 1 + wins;
    names.forEach((name, end) => {
      const p = (labels === "shifted" ? shifted : own)[end] ?? 0.5;
      row[name] = elo(log + Math.log(gammaQuantile(p, posterior) / posterior));
    });
    rows.set(item, row);
  });
  return { rows, iterations, converged };
}

function fit(
  items: readonly string[],
  comparisons: readonly Comparison[],
  convention: Convention["bayesian_elo"],
): FixedPoint & { graph: Graph } {
  const { shape, rate, scale, stop_elo: stop, start, rater_quality: quality, ties } = convention;
  const prior = { shape, rate };
  const graph = graphFor(items, counted(comparisons, convention));
  if (ties === "davidson") return { graph, ...davidsonMode(items, comparisons, prior) };
  if (quality !== null) return qualityFit(items, counted(comparisons, convention), prior, quality);
  if (stop === null) return { graph, ...fixedPoint(graph, prior) };
  const from = start === "warm" ? beforeLastSession(items, comparisons, convention, stop) : undefined;
  return { graph, ...stoppedIteration(graph, prior, stop, scale, from) };
}

const counted = (comparisons: readonly Comparison[], { ties }: Convention["bayesian_elo"]): readonly Comparison[] =>
  ties === "exclude" ? comparisons.filter(({ result }) => result !== 0.5) : comparisons;

const graphFor = (items: readonly string[], comparisons: readonly Comparison[]): Graph =>
  graphOf(
    items,
    comparisons.map(({ a, b, result }) => ({ a, b, forA: result, forB: 1 - result })),
  );

/** A warm start: the iteration runs after every session, from where it last stopped; the last run is the fit. */
function beforeLastSession(
  items: readonly string[],
  comparisons: readonly Comparison[],
  convention: Convention["bayesian_elo"],
  stop: number,
): number[] | undefined {
  let from: number[] | undefined;
  comparisons.forEach(({ session }, index) => {
    const before = comparisons[index - 1];
    if (before === undefined || before.session === session) return;
    const graph = graphFor(items, counted(comparisons.slice(0, index), convention));
    from = stoppedIteration(graph, convention, stop, convention.scale, from).logs;
  });
  return from;
}
