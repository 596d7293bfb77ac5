import { defineKind, type Table } from "./kind.js";
import { addTo } from "./numeric/arrays.js";
import type { NamedPairs } from "./sample.js";

/** wins, losses, ties and n of each item. */
export function winLossTable({ items, counts }: NamedPairs): Table {
  const wins = new Float64Array(items.length);
  const losses = new Float64Array(items.length);
  const ties = new Float64Array(items.length);
  counts.a.forEach((left, pair) => {
    const right = counts.b[pair] as number;
    addTo(wins, left, counts.winsA[pair] as number);
    addTo(losses, right, counts.winsA[pair] as number);
    addTo(wins, right, counts.winsB[pair] as number);
    addTo(losses, left, counts.winsB[pair] as number);
    addTo(ties, left, counts.ties[pair] as number);
    addTo(ties, right, counts.ties[pair] as number);
  });
  const n = wins.map((w, i) => w + (losses[i] as number) + (ties[i] as number));
  return { items, columns: { wins, losses, ties, n } };
}

export const winLoss = defineKind({
  name: "win_loss",
  family: "pairwise",
  fields: { wins: "count", losses: "count", ties: "count", n: "count" },
  direction: "higher",
  definition: "comparisons won, lost and tied",
  source: "counts",
  conventions: {},
  defaults: {},
  decidedBy: () => ({}),
  evaluate: (sample) => winLossTable(sample.pairs()),
  influence: "pair sums",
  follows: { n: ["wins", "losses", "ties"] },
  hypotheses: [],
  options: [],
});
