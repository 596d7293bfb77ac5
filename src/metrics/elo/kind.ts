import { likelihoodRatings, withValues } from "../forms.js";
import { likelihoodFit } from "../options.js";
import { defineKind, orders, type Order, type Patch } from "../kind.js";
import { axis, choice, number, isPositive } from "../options.js";
import { comparisonsOfItems } from "../pair-counts.js";
import { eloSchema, type EloConvention } from "./online-elo.js";
import { recentElo } from "./recent-elo.js";

type OwnPatch = Patch<{ elo: EloConvention }>;

const set = (own: Partial<EloConvention>): OwnPatch => ({ conventions: { elo: own } });
const inOrder = (order: Order): OwnPatch => ({ population: { order } });

const ties = axis("ties", (value) => set({ ties: value }), {
  skip: [3, "ties change no rating"],
  count: [3, "a tie changes ratings like any other comparison"],
});
const update = axis("update", (value) => set({ update: value }), {
  session_batch: [3, "ratings are updated once per session, at its end"],
  comparison: [3, "ratings are updated after every comparison"],
});

export const elo = defineKind({
  name: "elo",
  title: "online Elo",
  model: "metric_elo",
  family: "pairwise",
  fields: { value: "estimate", n: "count" },
  columns: { comparisons: "n" },
  direction: "higher",
  definition: "E = 1 / (1 + base^{(R′ − R) / scale}), R ← R + K (S − E), with R′ the rating of the other item",
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
      permutations: 100,
      seed: 1,
    },
  },
  decidedBy: ({ elo: own }) => own,
  evaluate(sample, { elo: own }) {
    const { items, counts } = sample.pairs();
    const value = recentElo(sample).ratings(own);
    const n = comparisonsOfItems(own.ties === "skip" ? { ...counts, ties: counts.ties.map(() => 0) } : counts);
    return { items, columns: { value, n } };
  },
  forms: {
    likelihood: (table, sample, { elo: own }) =>
      withValues(table, likelihoodRatings(sample, own.ties === "skip" ? "none" : "half", own.start, own.scale)),
  },
  sums: ({ elo: own }) => ({ n: { of: (x) => (x === 0 && own.ties === "skip" ? 0 : 1) } }),
  hypotheses: [
    ...ties.hypotheses,
    ...update.hypotheses,
    {
      axis: "unit",
      value: "natural",
      bits: 3,
      says: "ratings are natural logarithms of odds, with the start at 0",
      set: set({ k: (32 * Math.LN10) / 400, start: 0, scale: Math.LN10 }),
    },
    likelihoodFit,
    tieIs(0, "a tie counts as a loss of the item that sorts first"),
    tieIs(1, "a tie counts as a win of the item that sorts first"),
    ...[4, 8, 10, 16, 20, 24, 32, 40].map(kIs),
    orderIs("created", 4, "sessions are taken in order of creation"),
    orderIs("session_id", 4, "sessions are taken in order of identifier"),
    orderIs("slate_updated", 4, "slates are taken in order of their last change, regardless of session"),
    orderIs("slate_id", 4, "slates are taken in order of identifier"),
    orderIs("reversed", 5, "comparisons are taken from newest to oldest"),
  ],
  inUse: { start: [0, 1000, 1200, 1500, 2000] },
  options: [
    { axis: "order", names: ["order"], read: choice(orders, inOrder) },
    { axis: "k", names: ["k", "k_factor", "kfactor"], read: number((k) => set({ k }), isPositive) },
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
      read: number((start) => set({ start })),
    },
    { axis: "scale", names: ["scale", "elo_scale"], read: number((scale) => set({ scale }), isPositive) },
    {
      axis: "base",
      names: ["base"],
      read: number(
        (base) => set({ base }),
        (base) => base > 1,
      ),
    },
    {
      axis: "tie_value",
      names: ["tie_value", "tie", "tie_score", "draw_value"],
      read: number(
        (tie_value) => set({ tie_value }),
        (v) => v >= 0 && v <= 1,
      ),
    },
    ties.option("ties"),
    update.option("update"),
  ],
});

function tieIs(tie_value: 0 | 1, says: string) {
  return { axis: "tie_value", value: String(tie_value), bits: 5, says, set: set({ tie_value }) };
}

function kIs(k: number) {
  return { axis: "k", value: String(k), bits: 3, says: `K is ${k}`, set: set({ k }) };
}

function orderIs(value: Order, bits: number, says: string) {
  return { axis: "order", value, bits, says, set: inOrder(value) };
}
