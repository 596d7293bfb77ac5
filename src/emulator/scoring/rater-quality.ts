import type { Comparison } from "./items.js";
import { beats, fixedPoint, type FixedPoint, type Prior, graphOf, type Graph, type Outcome } from "./bradley-terry.js";

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
