import type { Comparison } from "./items.js";
import type { Convention } from "./convention.js";
import { davidsonMode } from "./davidson.js";
import { fixedPoint, type FixedPoint, graphOf, type Graph, stoppedIteration } from "./bradley-terry.js";
import { gammaQuantile } from "./quantiles.js";
import { qualityFit } from "./rater-quality.js";

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
