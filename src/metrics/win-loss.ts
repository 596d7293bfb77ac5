/** Wins, losses and ties of each pair. */
import { defineKind, type Table } from "./kind.js";
import type { NamedPairs } from "./sample.js";

export function winLossTable({
  items,
  counts: { a, b, winsA, winsB, ties: tied },
}: NamedPairs): Table {
  const wins = new Float64Array(items.length);
  const losses = new Float64Array(items.length);
  const ties = new Float64Array(items.length);
  a.forEach((left, pair) => {
    const right = b[pair]!;
    wins[left]! += winsA[pair]!;
    losses[right]! += winsA[pair]!;
    wins[right]! += winsB[pair]!;
    losses[left]! += winsB[pair]!;
    ties[left]! += tied[pair]!;
    ties[right]! += tied[pair]!;
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
