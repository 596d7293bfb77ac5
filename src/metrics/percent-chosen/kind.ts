import Type from "typebox";
import { defineKind } from "../kind.js";
import { choice } from "../options.js";
import { either, strict } from "../schema.js";
import { winLossTable } from "../win-loss/kind.js";
import { percentScale, percentScaleHypotheses, percentScaleOption } from "./scale.js";

export const percentChosen = defineKind({
  name: "percent_chosen",
  family: "pairwise",
  fields: { value: "estimate", n: "count", wins: "count", losses: "count", ties: "count" },
  direction: "higher",
  ranks: 3,
  conventions: {
    ties: Type.Object({ percent_chosen: either(["count", "half", "exclude"]) }, strict),
    percent_scale: percentScale,
  },
  defaults: { ties: { percent_chosen: "count" }, percent_scale: 100 },
  decidedBy: ({ ties, percent_scale }) => ({ ties: ties.percent_chosen, percent_scale }),
  evaluate(sample, { ties: { percent_chosen: rule }, percent_scale }) {
    const { items, columns } = winLossTable(sample.pairs());
    const { wins, losses, ties } = columns as Record<"wins" | "losses" | "ties", Float64Array>;
    const n = wins.map((w, i) => w + (losses[i] as number) + (rule === "exclude" ? 0 : (ties[i] as number)));
    const half = rule === "half" ? 0.5 : 0;
    const value = wins.map((w, i) => (percent_scale * (w + half * (ties[i] as number))) / (n[i] as number));
    return { items, columns: { value, n, wins, losses, ties } };
  },
  influence: "pair sums",
  hypotheses: [
    tiesAre("half", "a tie is half a win for each"),
    tiesAre("exclude", "ties are left out of n"),
    tiesAre("count", "ties count in n and as no win"),
    ...percentScaleHypotheses,
  ],
  options: [
    {
      axis: "ties",
      names: ["ties"],
      read: choice(["count", "half", "exclude"], (v) => ({ conventions: { ties: { percent_chosen: v } } })),
    },
    percentScaleOption,
  ],
});

function tiesAre(value: "half" | "exclude" | "count", says: string) {
  return { axis: "ties", value, bits: 3, says, set: { conventions: { ties: { percent_chosen: value } } } };
}
