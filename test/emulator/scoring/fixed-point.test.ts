import { expect, test } from "vitest";
import {
  fixedPoint,
  graphOf,
  type Graph,
  type WeightedResult,
  stoppedIteration,
} from "../../../src/emulator/scoring/bayesian-elo.js";
import { gammaCdf, gammaQuantile, studentQuantile } from "../../../src/emulator/scoring/quantiles.js";

const prior = { shape: 5, rate: 0.1 };

/** The relative change of each strength by one more round of the definition. */
function unrest(graph: Graph, logs: readonly number[]): number {
  const strengths = logs.map(Math.exp);
  const weights = strengths.map(() => prior.rate);
  for (const { i, j, n } of graph.pairs) {
    const share = n / ((strengths[i] ?? 0) + (strengths[j] ?? 0));
    weights[i] = (weights[i] ?? 0) + share;
    weights[j] = (weights[j] ?? 0) + share;
  }
  return Math.max(
    ...strengths.map((value, i) => Math.abs((prior.shape - 1 + (graph.won[i] ?? 0)) / (weights[i] ?? 1) / value - 1)),
  );
}

const ladder = (length: number): Graph => {
  const items = Array.from({ length }, (_, i) => `step-${i}`);
  const rungs = items.slice(1).map((b, i): WeightedResult => ({ a: items[i] ?? "", b, forA: 7, forB: 3 }));
  return graphOf(items, rungs);
};

test("a sparse ladder of 200 items converges", () => {
  const graph = ladder(200);
  const { logs, converged, iterations } = fixedPoint(graph, prior);
  expect(converged).toBe(true);
  expect(iterations).toBeLessThan(60);
  expect(unrest(graph, logs)).toBeLessThan(1e-11);
});

test("two components, and items without comparisons", () => {
  const graph = graphOf(
    ["a", "b", "c", "d", "e"],
    [
      { a: "a", b: "b", forA: 9, forB: 1 },
      { a: "c", b: "d", forA: 0, forB: 5 },
    ],
  );
  const { logs, converged } = fixedPoint(graph, prior);
  expect(converged).toBe(true);
  expect(unrest(graph, logs)).toBeLessThan(1e-11);
  expect(logs[4]).toBeCloseTo(Math.log(40), 12);
  expect(fixedPoint(graphOf([], []), prior)).toMatchObject({ logs: [], converged: true });
});

test("the definition's own iteration converges to the same fixed point", () => {
  const graph = ladder(12);
  const slow = stoppedIteration(graph, prior, 1e-11, 400);
  const fast = fixedPoint(graph, prior);
  // The rounds stop at a change of 1e-11 Elo, still about 1e-8 in log strength from the fixed point.
  slow.logs.forEach((value, i) => expect(Math.abs(value - (fast.logs[i] ?? NaN))).toBeLessThan(1e-7));
});

test("quantiles against tables", () => {
  // Abramowitz and Stegun: chi-square with 10 degrees of freedom, Student with 5.
  expect(2 * gammaQuantile(0.95, 5)).toBeCloseTo(18.307038053, 8);
  expect(studentQuantile(0.975, 5)).toBeCloseTo(2.5705818356, 9);
  expect(studentQuantile(0.975, 1)).toBeCloseTo(12.7062047364, 8);
  // At shape 20 000 the logarithms in front cancel to about 1e-11.
  for (const shape of [0.5, 4, 153, 20_000])
    for (const p of [0.005, 0.5, 0.995]) expect(gammaCdf(shape, gammaQuantile(p, shape))).toBeCloseTo(p, 9);
});
