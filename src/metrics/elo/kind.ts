/** The kind `elo`. */
import { likelihoodRatings, withValues } from "../forms.js";
import { defineKind, orders, type Order, type Patch, type Table } from "../kind.js";
import { axis, choice, isPositive, likelihoodFits, number, usual } from "../options.js";
import { comparisonsOfItems } from "../pair-counts.js";
import type { Sample } from "../sample.js";
import { eloUnits, unitOption, unitsOf } from "../units.js";
import { eloSchema, type EloConvention } from "./online-elo.js";
import { recentElo } from "./recent-elo.js";

type OwnPatch = Patch<{ elo: EloConvention }>;

const eloPatch = (own: Partial<EloConvention>): OwnPatch => ({ conventions: { elo: own } });
const inOrder = (order: Order): OwnPatch => ({ population: { order } });

const eloTies = axis("ties", (value) => eloPatch({ ties: value }), {
  skip: [3, "ties change no rating"],
  count: [3, "a tie changes ratings like any other comparison"],
});
const update = axis("update", (value) => eloPatch({ update: value }), {
  session_batch: [3, "ratings are updated once per session, at its end"],
  comparison: [3, "ratings are updated after every comparison"],
});

const weighing = axis("weights", (value) => eloPatch({ weights: value }), {
  updates: [4, "a comparison of weight w is w updates, one after the other"],
  k: [4, "a comparison of weight w is one update with K times w"],
});

const tieValues = axis("tie_value", (value) => eloPatch({ tie_value: Number(value) }), {
  0: [5, "a tie counts as a loss of the item that sorts first"],
  1: [5, "a tie counts as a win of the item that sorts first"],
});

const sessionOrders = axis("order", (order: Exclude<Order, "service">) => inOrder(order), {
  created: [4, "sessions are taken in order of creation"],
  session_id: [4, "sessions are taken in order of identifier"],
  slate_updated: [4, "slates are taken in order of their last change, regardless of session"],
  slate_id: [4, "slates are taken in order of identifier"],
  reversed: [5, "comparisons are taken from newest to oldest"],
});

export const elo = defineKind({
  name: "elo",
  title: "online Elo",
  model: "metric_elo",
  family: "pairwise",
  fields: { value: "estimate", n: "count" },
  columns: { comparisons: "n" },
  direction: "higher",
  definition:
    "E = 1 / (1 + base^{(R′ − R) / scale}), R ← R + K (S − E), with R′ the rating of the " +
    "other item",
  source: "Elo, The Rating of Chessplayers, Past and Present (1978)",
  ranks: 2,
  orderModel: "metric_elo_order",
  conventions: { elo: eloSchema },
  defaults: {
    elo: {
      k: 32,
      start: 2000,
      scale: 400,
      base: 10,
      tie_value: 0.5,
      ties: "count",
      update: "comparison",
      weights: "updates",
      permutations: 100,
      seed: 1,
    },
  },
  decidedBy: ({ elo: own }) => own,
  evaluate(sample, { elo: own }) {
    const { items, counts } = sample.pairs();
    const value = recentElo(sample).ratings(own);
    const n = comparisonsOfItems(
      own.ties === "skip" ? { ...counts, ties: counts.ties.map(() => 0) } : counts,
    );
    return { items, columns: { value, n } };
  },
  forms: { likelihood: eloLikelihood },
  hypotheses: [
    ...eloTies.hypotheses,
    ...update.hypotheses,
    ...weighing.hypotheses,
    ...likelihoodFits.hypotheses,
    ...tieValues.hypotheses,
    ...usual("k", [4, 8, 10, 16, 20, 24, 32, 40], (k) => eloPatch({ k }), "K is"),
    ...sessionOrders.hypotheses,
  ],
  units: {
    of: ({ elo: { scale, base } }) => unitsOf(eloUnits, scale / Math.log(base)),
    level: "start",
  },
  options: [
    unitOption(eloUnits, "unit"),
    { axis: "order", names: ["order"], read: choice(orders, inOrder) },
    {
      axis: "k",
      names: ["k", "k_factor", "kfactor"],
      read: number((k) => eloPatch({ k }), isPositive),
    },
    {
      axis: "start",
      names: [
        "start",
        "initial",
        "initial_rating",
        "initial_elo",
        "initial_score",
        "start_rating",
        "starting_rating",
        "base_rating",
      ],
      read: number((start) => eloPatch({ start })),
    },
    {
      axis: "scale",
      names: ["scale", "elo_scale"],
      read: number((scale) => eloPatch({ scale }), isPositive),
    },
    {
      axis: "base",
      names: ["base"],
      read: number(
        (base) => eloPatch({ base }),
        (base) => base > 1,
      ),
    },
    {
      axis: "tie_value",
      names: ["tie_value", "tie", "tie_score", "draw_value"],
      read: number(
        (tie_value) => eloPatch({ tie_value }),
        (v) => v >= 0 && v <= 1,
      ),
    },
  ],
});

function eloLikelihood(
  table: Table,
  sample: Sample,
  { elo: own }: { readonly elo: EloConvention },
) {
  const ties = own.ties === "skip" ? "none" : "half";
  return withValues(table, likelihoodRatings(sample, ties, own.start, own.scale));
}
