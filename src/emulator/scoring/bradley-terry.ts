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
