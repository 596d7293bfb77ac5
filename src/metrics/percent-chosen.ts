/** The kind `percent_chosen`. */
import { Type } from "typebox";
import { formed, likelihoodShares, sharesByOpponent, withValues } from "./forms.js";
import { auditedIntervals, intervalConventions, intervalDefaults } from "./intervals.js";
import { defineKind, type Table } from "./kind.js";
import { axis, denominator, divisors, either, withDivisor } from "./options.js";
import { shareIntervals } from "./share-interval.js";
import { multiples } from "./units.js";
import { winLossTable } from "./win-loss.js";
import { strict } from "../platform/index.js";

export const percentScale = Type.Union([Type.Literal(100), Type.Literal(1)]);

const scaled = (percent_scale: 1 | 100) => ({ conventions: { percent_scale } });

/** `level` in percent. */
export const shareInterval = (level: number): string =>
  `${level} % Wilson interval, clustered by rater where raters are known`;

export const shareUnits = {
  of: ({ percent_scale }: { readonly percent_scale: 1 | 100 }) =>
    multiples(percent_scale, {
      percent: [100, 1, "shares are percentages"],
      fraction: [1, 1, "shares are fractions of 1"],
      permille: [1000, 4, "shares are per mille"],
    }),
};

export const percentScaleOption = {
  axis: "scale",
  names: ["percent_scale", "scale", "unit"],
  read(value: unknown) {
    if (value === "percent" || value === "%" || value === 100) return scaled(100);
    return value === "fraction" || value === "share" || value === 1 ? scaled(1) : undefined;
  },
} as const;

const chosenSides = axis("share", (chosen) => ({ conventions: { chosen } }), {
  wins: [4, "the share of comparisons won is published"],
  losses: [4, "the share of comparisons lost is published"],
});

const chosenForms = axis("share", formed, {
  opponents: [5, "the shares against each opponent are averaged"],
  bradley_terry: [5, "the mean chance to win by a Bradley-Terry fit is published"],
  net: [4, "the share of wins less that of losses is published"],
  margin: [4, "wins minus losses are published"],
});

const chosenTieRules = axis(
  "ties",
  (value) => ({ conventions: { ties: { percent_chosen: value } } }),
  {
    half: [3, "a tie is half a win for each"],
    exclude: [3, "ties are left out of n"],
    count: [3, "ties count in n and as no win"],
  },
);

export const percentChosen = defineKind({
  name: "percent_chosen",
  title: "percent chosen",
  model: "metric_percent_chosen",
  family: "pairwise",
  fields: { value: "estimate", n: "count", wins: "count", losses: "count", ties: "count" },
  ...auditedIntervals,
  direction: "higher",
  definition: "100 · wins / n, with n = wins + losses + ties",
  source: "share of comparisons",
  ranks: 3,
  interval: (_, level) => shareInterval(level),
  conventions: {
    ties: Type.Object({ percent_chosen: either(["count", "half", "exclude"]) }, strict),
    chosen: either(["wins", "losses"]),
    percent_scale: percentScale,
    denominator,
    ...intervalConventions,
  },
  defaults: {
    ties: { percent_chosen: "count" },
    chosen: "wins",
    percent_scale: 100,
    denominator: "n",
    ...intervalDefaults,
  },
  decidedBy: ({ ties, percent_scale, denominator: divisor, chosen, stats: own }) => ({
    ...shareIntervals.decidedBy(own),
    ties: ties.percent_chosen,
    percent_scale,
    divisor,
    chosen,
  }),
  evaluate(sample, conventions, withEnds) {
    const { percent_scale, denominator: divisor, chosen } = conventions;
    const rule = conventions.ties.percent_chosen;
    const { items, columns } = winLossTable(sample.pairs());
    const { wins, losses, ties } = columns as Record<"wins" | "losses" | "ties", Float64Array>;
    const n = wins.map((w, i) => w + losses[i]! + (rule === "exclude" ? 0 : ties[i]!));
    const half = rule === "half" ? 0.5 : 0;
    const counted = chosen === "wins" ? wins : losses;
    const value = counted.map((w, i) => (percent_scale * (w + half * ties[i]!)) / n[i]!);
    const parts = { whole: counted, half: rule === "half" ? ties : ties.map(() => 0), n };
    const { columns: ends = {}, noise } = withEnds
      ? shareIntervals.of(sample, parts, conventions)
      : {};
    return {
      items,
      columns: { value: withDivisor(value, n, divisor), n, wins, losses, ties, ...ends },
      ...(noise && { noise }),
    };
  },
  forms: {
    ...shareIntervals.forms,
    opponents(table, sample, { ties: { percent_chosen: rule }, percent_scale }) {
      const tie = rule === "half" ? 0.5 : 0;
      const ties = rule === "exclude" ? "left out" : "counted";
      return withValues(table, sharesByOpponent(sample, tie, ties), percent_scale);
    },
    bradley_terry(table, sample, { ties: { percent_chosen: rule }, percent_scale }) {
      const ties = rule === "exclude" ? "none" : "half";
      return withValues(table, likelihoodShares(sample, ties), percent_scale);
    },
    net: (table, _, { percent_scale }) =>
      withValues(
        table,
        marginOf(table).map((margin, i) => (percent_scale * margin) / table.columns.n![i]!),
      ),
    margin: (table) => withValues(table, marginOf(table)),
  },
  lessThanN: ({ denominator }) => (denominator === "n" ? 0 : 1),
  follows: {
    value: ["wins", "losses"],
    n: ["wins", "losses"],
    ...auditedIntervals.follows,
  },
  grain(sample, { percent_scale }, isOther) {
    if (!isOther) return {};
    const { columns } = winLossTable(sample.pairs());
    return { value: (columns.n as Float64Array).map((n) => percent_scale / (2 * n)) };
  },
  units: shareUnits,
  hypotheses: [
    ...chosenTieRules.hypotheses,
    ...chosenSides.hypotheses,
    ...chosenForms.hypotheses,
    ...divisors.hypotheses,
    ...shareIntervals.hypotheses,
  ],
  options: [...shareIntervals.options, chosenSides.option("chosen"), percentScaleOption],
});

const marginOf = ({ columns: { wins, losses } }: Table): Float64Array =>
  wins!.map((won, i) => won - losses![i]!);
