/** The share of approvals of each item. */
import { formed, withValues } from "./forms.js";
import { auditedIntervals, intervalConventions, intervalDefaults } from "./intervals.js";
import { defineKind } from "./kind.js";
import { axis, denominator, divisors, either, withDivisor } from "./options.js";
import { percentScale, percentScaleOption, shareInterval, shareUnits } from "./percent-chosen.js";
import type { Sample } from "./sample.js";
import { shareIntervals } from "./share-interval.js";

const approval = axis("approved", (approved) => ({ conventions: { approved } }), {
  midpoint: [3, "a score at or above the middle of the observed scale approves"],
  positive: [3, "a score above zero approves"],
});

const approvedForms = axis("share", formed, {
  rejected: [3, "the share of ratings that do not approve is published"],
  net: [4, "the share that approves less that which does not is published"],
});

export const percentApproved = defineKind({
  name: "percent_approved",
  title: "percent approved",
  model: "metric_percent_approved",
  family: "scored",
  fields: { value: "estimate", n: "count", approved: "count" },
  ...auditedIntervals,
  direction: "higher",
  definition: "100 · (ratings above 0) / n",
  source: "share of ratings",
  ranks: 4,
  interval: (_, level) => shareInterval(level),
  conventions: {
    approved: either(["positive", "midpoint"]),
    percent_scale: percentScale,
    denominator,
    ...intervalConventions,
  },
  defaults: { approved: "positive", percent_scale: 100, denominator: "n", ...intervalDefaults },
  decidedBy: ({ approved, percent_scale, denominator: divisor, stats: own }) => ({
    ...shareIntervals.decidedBy(own),
    approved,
    percent_scale,
    divisor,
  }),
  evaluate(sample, conventions, withEnds) {
    const { items, scores } = sample.scores();
    const approves = approvalIn(sample, conventions);
    const n = Float64Array.from(scores, (s) => s.length);
    const approved = Float64Array.from(scores, (s) => s.filter(approves).length);
    const value = approved.map((k, i) => (conventions.percent_scale * k) / n[i]!);
    const parts = { whole: approved, half: approved.map(() => 0), n };
    const { columns = {}, noise } = withEnds ? shareIntervals.of(sample, parts, conventions) : {};
    return {
      items,
      columns: { approved, n, value: withDivisor(value, n, conventions.denominator), ...columns },
      ...(noise && { noise }),
    };
  },
  lessThanN: ({ denominator }) => (denominator === "n" ? 0 : 1),
  forms: {
    ...shareIntervals.forms,
    rejected: (table, _, { percent_scale: all }) =>
      withValues(
        table,
        table.columns.value!.map((share) => all - share),
      ),
    net: (table, _, { percent_scale: all }) =>
      withValues(
        table,
        table.columns.value!.map((share) => 2 * share - all),
      ),
  },
  follows: {
    value: ["approved"],
    ...auditedIntervals.follows,
  },
  grain: (sample, { percent_scale }, isOther) =>
    isOther
      ? { value: Float64Array.from(sample.scores().scores, ({ length }) => percent_scale / length) }
      : {},
  units: shareUnits,
  hypotheses: [
    ...divisors.hypotheses,
    ...approval.hypotheses,
    ...approvedForms.hypotheses,
    ...shareIntervals.hypotheses,
  ],
  options: [percentScaleOption, ...shareIntervals.options],
});

function approvalIn(
  sample: Sample,
  conventions: { approved: "positive" | "midpoint" },
): (score: number) => boolean {
  if (conventions.approved === "positive") return (score) => score > 0;
  const { scores } = sample.scores();
  const low = Math.min(...scores.map((s) => s[0] ?? Infinity));
  const high = Math.max(...scores.map((s) => s.at(-1) ?? -Infinity));
  const middle = low / 2 + high / 2;
  return (score) => score >= middle;
}
