// Bayesian Bradley-Terry, scored independently of src/metrics.
import type { ScoredPair } from "./comparisons.js";
import type { Convention } from "./convention.js";
import { invertedGammaCdf } from "./quantiles.js";

/** `n`: the weight of the comparisons of items `i` and `j`. */
interface MetPair {
  i: number;
  j: number;
  n: number;
}

/** `won[i]` counts wins plus half the ties of item `i`. */
export interface Graph {
  items: readonly string[];
  pairs: readonly MetPair[];
  won: Float64Array;
}

interface WeightedResult {
  a: string;
  b: string;
  /** Weight of a win of `a` and of `b`; their sum is the weight of the comparison. */
  forA: number;
  forB: number;
}

export function graphOf(items: readonly string[], results: Iterable<WeightedResult>): Graph {
  const number = new Map(items.map((item, index) => [item, index]));
  const pairs = new Map<number, MetPair>();
  const won = new Float64Array(items.length);
  for (const { a, b, forA, forB } of results) {
    const x = number.get(a) ?? 0;
    const y = number.get(b) ?? 0;
    const i = Math.min(x, y);
    const j = Math.max(x, y);
    const pair = pairs.get(i * items.length + j) ?? { i, j, n: 0 };
    pairs.set(i * items.length + j, pair);
    pair.n += forA + forB;
    won[x]! += forA;
    won[y]! += forB;
  }
  return { items, pairs: [...pairs.values()], won };
}

interface Prior {
  shape: number;
  rate: number;
}

interface FixedPoint {
  /** log λ of every item. */
  logs: number[];
  iterations: number;
  converged: boolean;
}

/**
 * The maximum of a concave function by Newton's method. `describe` adds the slope (length n) and
 * the negative second derivatives (n × n, by rows), which must be positive definite.
 */
function climb(
  start: readonly number[],
  describe: (at: readonly number[], slope: Float64Array, bend: Float64Array) => void,
): FixedPoint {
  let logs = [...start];
  for (let iterations = 1; iterations <= 200; iterations += 1) {
    const slope = new Float64Array(logs.length);
    const bend = new Float64Array(logs.length ** 2);
    describe(logs, slope, bend);
    const step = solved(bend, slope);
    const largest = step.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const damped = Math.min(1, 2 / Math.max(largest, 2));
    logs = logs.map((value, i) => value + damped * step[i]!);
    if (largest < 1e-12) return { logs, iterations, converged: true };
  }
  return { logs, iterations: 200, converged: false };
}

/** Elimination of a symmetric positive definite system, in place. */
function solved(matrix: Float64Array, right: Float64Array): Float64Array {
  const n = right.length;
  for (let k = 0; k < n; k += 1)
    for (let i = k + 1; i < n; i += 1) {
      const share = matrix[i * n + k]! / matrix[k * n + k]!;
      if (share === 0) continue;
      for (let j = k; j < n; j += 1) matrix[i * n + j]! -= share * matrix[k * n + j]!;
      right[i]! -= share * right[k]!;
    }
  for (let i = n - 1; i >= 0; i -= 1) {
    for (let j = i + 1; j < n; j += 1) right[i]! -= matrix[i * n + j]! * right[j]!;
    right[i]! /= matrix[i * n + i]!;
  }
  return right;
}

/** Of the Gamma prior on the first K unknowns. */
function addPrior(
  { shape, rate }: Prior,
  at: readonly number[],
  count: number,
  slope: Float64Array,
  bend: Float64Array,
) {
  for (let i = 0; i < count; i += 1) {
    const pull = rate * Math.exp(at[i]!);
    slope[i]! += shape - 1 - pull;
    bend[i * at.length + i]! += pull;
  }
}

const priorMode = ({ shape, rate }: Prior): number => Math.log((shape - 1) / rate);

/** From log strengths. */
const beats = (x: number, y: number): number => 1 / (1 + Math.exp(y - x));

/** The maximum of a function that is concave in log λ. */
export function fixedPoint(
  { items, pairs, won }: Graph,
  prior: Prior,
  from?: readonly number[],
): FixedPoint {
  const size = items.length;
  return climb(from ?? items.map(() => priorMode(prior)), (at, slope, bend) => {
    addPrior(prior, at, size, slope, bend);
    for (let i = 0; i < size; i += 1) slope[i]! += won[i]!;
    for (const { i, j, n } of pairs) {
      const p = beats(at[i]!, at[j]!);
      slope[i]! -= n * p;
      slope[j]! -= n * (1 - p);
      const flow = n * p * (1 - p);
      bend[i * size + i]! += flow;
      bend[j * size + j]! += flow;
      bend[i * size + j]! -= flow;
      bend[j * size + i]! -= flow;
    }
  });
}

/**
 * The iteration of docs/explanation/metrics.md, until no item moves by `stopElo`, or for `rounds`.
 */
export function stoppedIteration(
  graph: Graph,
  { shape, rate }: Prior,
  stopElo: number,
  scale: number,
  {
    from,
    rounds = 1_000_000,
  }: { from?: readonly number[] | undefined; rounds?: number | undefined } = {},
): FixedPoint {
  let strengths =
    from === undefined ? graph.items.map(() => (shape - 1) / rate) : from.map(Math.exp);
  for (let iterations = 1; iterations <= rounds; iterations += 1) {
    const weight = strengths.map(() => rate);
    for (const { i, j, n } of graph.pairs) {
      const share = n / (strengths[i]! + strengths[j]!);
      weight[i]! += share;
      weight[j]! += share;
    }
    const next = weight.map((own, i) => (shape - 1 + graph.won[i]!) / own);
    const moves = next.map((value, i) => Math.abs(scale * Math.log10(value / strengths[i]!)));
    strengths = next;
    if (Math.max(0, ...moves) < stopElo)
      return { logs: strengths.map(Math.log), iterations, converged: true };
  }
  return { logs: strengths.map(Math.log), iterations: rounds, converged: false };
}

/** What a result says about log λ of its two items and about log ν of the tie. */
const features = [
  { result: 1, of: [1, 0, 0] },
  { result: 0, of: [0, 1, 0] },
  { result: 0.5, of: [0.5, 0.5, 1] },
] as const;

/**
 * Davidson (1970) with a Gamma prior on λ: an exponential family, whose slopes are observed minus
 * expected features and whose bend is their covariance. With nothing but ties every item stays at
 * the prior's mode.
 */
function davidsonMode(
  items: readonly string[],
  comparisons: readonly ScoredPair[],
  prior: Prior,
): number[] {
  const number = new Map(items.map((item, index) => [item, index]));
  const tied = comparisons.filter(({ result }) => result === 0.5).length;
  const start = items.map(() => priorMode(prior));
  if (tied === comparisons.length) return start;
  const possible = features.filter(({ result }) => tied > 0 || result !== 0.5);
  const found = climb(tied > 0 ? [...start, 0] : start, (at, slope, bend) => {
    addPrior(prior, at, items.length, slope, bend);
    for (const { a, b, result } of comparisons) {
      const places = [number.get(a) ?? 0, number.get(b) ?? 0, items.length].slice(
        0,
        tied > 0 ? 3 : 2,
      );
      const weights = possible.map(({ of }) =>
        Math.exp(places.reduce((sum, place, k) => sum + of[k]! * at[place]!, 0)),
      );
      const whole = weights.reduce((sum, weight) => sum + weight, 0);
      const expected = (k: number, l?: number): number =>
        possible.reduce(
          (sum, { of }, o) => sum + (weights[o]! / whole) * of[k]! * (l === undefined ? 1 : of[l]!),
          0,
        );
      const seen = features.find((one) => one.result === result)!.of;
      places.forEach((row, k) => {
        slope[row]! += seen[k]! - expected(k);
        places.forEach((column, l) => {
          bend[row * at.length + column]! += expected(k, l) - expected(k) * expected(l);
        });
      });
    }
  });
  return found.logs.slice(0, items.length);
}

/** The probability that a win of probability `p` was intended by a rater of quality `q`. */
const intended = (q: number, p: number): number => (q * p) / (q * p + (1 - q) / 2);

/**
 * A quality per rater (arXiv 2510.09333), q ~ Beta(alpha, beta) from ½: weight every win by the
 * probability that it was intended, fit the strengths, then the qualities, until neither moves.
 */
function qualityFit(
  items: readonly string[],
  comparisons: readonly ScoredPair[],
  prior: Prior,
  { alpha, beta }: { alpha: number; beta: number },
): { graph: Graph; logs: number[] } {
  const number = new Map(items.map((item, index) => [item, index]));
  const answered = new Map<string, number>();
  for (const { rater } of comparisons) answered.set(rater, (answered.get(rater) ?? 0) + 1);
  const quality = new Map([...answered.keys()].map((rater) => [rater, 0.5]));
  let graph = graphOf(items, []);
  let { logs } = fixedPoint(graph, prior);
  for (let round = 1, moved = Infinity; round <= 5000 && moved >= 1e-12; round += 1) {
    const meant = new Map<string, number>();
    const before = logs;
    const results = comparisons.map(({ a, b, result, rater }) => {
      const q = quality.get(rater) ?? 0.5;
      const p = beats(before[number.get(a) ?? 0]!, before[number.get(b) ?? 0]!);
      const forA = result * intended(q, p);
      const forB = (1 - result) * intended(q, 1 - p);
      meant.set(rater, (meant.get(rater) ?? 0) + forA + forB);
      return { a, b, forA, forB };
    });
    graph = graphOf(items, results);
    logs = fixedPoint(graph, prior, before).logs;
    moved = logs.reduce((most, value, i) => Math.max(most, Math.abs(value - before[i]!)), 0);
    for (const [rater, own] of quality) {
      const next =
        (alpha - 1 + (meant.get(rater) ?? 0)) / (alpha + beta - 2 + (answered.get(rater) ?? 0));
      moved = Math.max(moved, Math.abs(next - own));
      quality.set(rater, next);
    }
  }
  return { graph, logs };
}

const quantileOfEnd = {
  p005: 0.005,
  p025: 0.025,
  p05: 0.05,
  p50: 0.5,
  p95: 0.95,
  p975: 0.975,
  p995: 0.995,
};
/** Labels that have moved by one place. */
const shiftedEnds = {
  p005: 0.005,
  p025: 0.005,
  p05: 0.025,
  p50: 0.05,
  p95: 0.5,
  p975: 0.95,
  p995: 0.975,
};

/** On the Elo scale, with interval ends (docs/explanation/metrics.md), by item. */
export function emulatedBayesianElo(
  comparisons: readonly ScoredPair[],
  convention: Convention["bayesian_elo"],
): Map<string, Record<string, number>> {
  const { shape, rate, scale, anchor, interval_labels: labels } = convention;
  const items = [...new Set(comparisons.flatMap(({ a, b }) => [a, b]))].sort();
  const { graph, logs } = fit(items, comparisons, convention);
  const zero = anchor - scale * Math.log10((shape - 1) / rate);
  const elo = (log: number): number => (scale * log) / Math.LN10 + zero;
  const counts = new Map<string, number>();
  for (const item of countedOf(comparisons, convention).flatMap(({ a, b }) => [a, b]))
    counts.set(item, (counts.get(item) ?? 0) + 1);
  return new Map(
    items.map((item, i) => {
      const wins = graph.won[i]!;
      const posterior = shape - 1 + wins;
      const interval = Object.entries(labels === "shifted" ? shiftedEnds : quantileOfEnd).map(
        ([name, p]) =>
          [name, elo(logs[i]! + Math.log(invertedGammaCdf(p, posterior) / posterior))] as const,
      );
      return [
        item,
        { value: elo(logs[i]!), wins, n: counts.get(item) ?? 0, ...Object.fromEntries(interval) },
      ];
    }),
  );
}

const countedOf = (
  comparisons: readonly ScoredPair[],
  { ties }: Convention["bayesian_elo"],
): readonly ScoredPair[] =>
  ties === "exclude" ? comparisons.filter(({ result }) => result !== 0.5) : comparisons;

function fit(
  items: readonly string[],
  comparisons: readonly ScoredPair[],
  convention: Convention["bayesian_elo"],
): { graph: Graph; logs: number[] } {
  const { shape, rate, scale, stop_elo: stop, start, rater_quality: quality, ties } = convention;
  const prior = { shape, rate };
  const graphUpTo = (end: number): Graph =>
    graphOf(
      items,
      countedOf(comparisons.slice(0, end), convention).map(({ a, b, result }) => ({
        a,
        b,
        forA: result,
        forB: 1 - result,
      })),
    );
  const graph = graphUpTo(comparisons.length);
  if (ties === "davidson") return { graph, logs: davidsonMode(items, comparisons, prior) };
  if (quality !== null)
    return qualityFit(items, countedOf(comparisons, convention), prior, quality);
  if (stop === null) return { graph, logs: fixedPoint(graph, prior).logs };
  if (start === "cold") return { graph, logs: stoppedIteration(graph, prior, stop, scale).logs };
  // A warm start: after every session, from where the last run stopped.
  const sessionEnds = comparisons.flatMap(({ session }, i) =>
    session === comparisons[i + 1]?.session ? [] : [i + 1],
  );
  let logs: number[] | undefined;
  for (const end of sessionEnds)
    ({ logs } = stoppedIteration(graphUpTo(end), prior, stop, scale, { from: logs }));
  return { graph, logs: logs ?? [] };
}
