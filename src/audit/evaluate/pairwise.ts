import {
  bayesianElo,
  bayesianEloEnds,
  intervalEnds,
  type BayesianEloConvention,
  type Conventions,
  type PairCounts,
  type QualityPrecision,
  type RaterPairCounts,
} from "../../metrics/index.js";
import type { Table } from "../target/index.js";

/** What the pairwise counts need: the names of the items and how often each pair met. */
export interface NamedPairs {
  readonly items: readonly string[];
  readonly counts: PairCounts;
}

/** wins, losses, ties and n of each item. */
export function winLoss({ items, counts }: NamedPairs): Table {
  const wins = new Float64Array(items.length);
  const losses = new Float64Array(items.length);
  const ties = new Float64Array(items.length);
  counts.a.forEach((left, pair) => {
    const right = counts.b[pair] as number;
    add(wins, left, counts.winsA[pair] as number);
    add(losses, right, counts.winsA[pair] as number);
    add(wins, right, counts.winsB[pair] as number);
    add(losses, left, counts.winsB[pair] as number);
    add(ties, left, counts.ties[pair] as number);
    add(ties, right, counts.ties[pair] as number);
  });
  const n = wins.map((w, i) => w + (losses[i] as number) + (ties[i] as number));
  return { items, columns: { wins, losses, ties, n } };
}

export function percentChosen(pairs: NamedPairs, conventions: Conventions): Table {
  const { columns } = winLoss(pairs);
  const { wins, losses, ties } = columns as { wins: Float64Array; losses: Float64Array; ties: Float64Array };
  const rule = conventions.ties.percent_chosen;
  const n = wins.map((w, i) => w + (losses[i] as number) + (rule === "exclude" ? 0 : (ties[i] as number)));
  const half = rule === "half" ? 0.5 : 0;
  const value = wins.map((w, i) => (conventions.percent_scale * (w + half * (ties[i] as number))) / (n[i] as number));
  return { items: pairs.items, columns: { value, n, wins, losses, ties } };
}

/** Interval ends cost more than the fit and are left out unless `withEnds`. `iterations`: what the fit took. */
export function bayesian(
  items: readonly string[],
  counts: PairCounts | RaterPairCounts,
  convention: BayesianEloConvention,
  withEnds: boolean,
  start?: Float64Array,
  precision?: QualityPrecision,
): { table: Table; iterations: number } {
  const fit = bayesianElo(counts, convention, start, precision);
  const columns: Record<string, Float64Array> = { value: fit.elo, wins: fit.wins, n: fit.comparisons };
  if (withEnds) {
    const ends = bayesianEloEnds(fit, convention);
    intervalEnds.forEach(([name], i) => (columns[name] = ends[i] as Float64Array));
  }
  return { table: { items, columns }, iterations: fit.iterations };
}

function add(totals: Float64Array, at: number, amount: number): void {
  totals[at] = (totals[at] as number) + amount;
}
