import type { FixedPoint, Prior } from "./fixed-point.js";
import type { Graph } from "./pairs.js";

/** The iteration of docs/metrics.md itself, left when no item moves by `stopElo` or more in a round. */
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
