/** Wins, losses and ties of each pair. */
import { defineKind, type Table } from "./kind.js";
import type { NamedPairs } from "./sample.js";

export function winLossTable({ items, counts }: NamedPairs): Table {
  const wins = new Float64Array(items.length);
  const losses = new Float64Array(items.length);
  const ties = new Float64Array(items.length);
  counts.a.forEach((left, pair) => {
    const right = counts.b[pair]!;
    wins[left]! += counts.winsA[pair]!;
    losses[right]! += counts.winsA[pair]!;
    wins[right]! += counts.winsB[pair]!;
    losses[left]! += counts.winsB[pair]!;
    ties[left]! += counts.ties[pair]!;
    ties[right]! += counts.ties[pair]!;
  });
  const n = wins.map((w, i) => w + losses[i]! + ties[i]!);
  return { items, columns: { wins, losses, ties, n } };
}

export const winLoss = defineKind({
  name: "win_loss",
  title: "wins and losses",
  model: "metric_win_loss",
  family: "pairwise",
  fields: { wins: "count", losses: "count", ties: "count", n: "count" },
  direction: "higher",
  definition: "comparisons won, lost and tied",
  source: "counts",
  conventions: {},
  defaults: {},
  decidedBy: () => ({}),
  evaluate: (sample) => winLossTable(sample.pairs()),
  follows: { n: ["wins", "losses", "ties"] },
  hypotheses: [],
  options: [],
});
