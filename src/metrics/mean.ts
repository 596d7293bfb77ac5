/** The kind `mean`. */
import { auditedIntervals, intervalConventions, intervalDefaults } from "./intervals.js";
import { defineKind } from "./kind.js";
import { meanInterval } from "./mean-interval.js";
import { deviation, meanOf, quantile } from "./numeric/statistics.js";
import { axis, denominator, divisors, either, withDivisor } from "./options.js";
import { type NamedScores, stepOf } from "./sample.js";
import { clusteredInterval } from "./stats/kind.js";
import { scoreUnits } from "./units.js";

const meanRules = axis("mean", (mean) => ({ conventions: { mean } }), {
  mean: [3, "the arithmetic mean of all ratings is used"],
  median: [3, "the median is used"],
  rater_mean: [3, "each rater's mean counts once"],
  rater_z: [3, "scores are standardised by rater"],
  rater_z_n: [4, "scores are standardised by rater, with a standard deviation that divides by n"],
  rater_minmax: [4, "scores are scaled from each rater's lowest to highest, 0 to 1"],
});

export const mean = defineKind({
  name: "mean",
  title: "mean score",
  model: "metric_mean",
  family: "scored",
  fields: { value: "estimate", n: "count" },
  ...auditedIntervals,
  direction: "either",
  definition: "x̄ = Σ x_{i} / n",
  source: "mean opinion score: ITU-T P.800.2 (2016); MUSHRA: ITU-R BS.1534-3 (2015)",
  ranks: 5,
  interval: ({ mean: rule }, level) => (rule === "mean" ? clusteredInterval(level) : null),
  conventions: {
    mean: either(["mean", "median", "rater_mean", "rater_z", "rater_z_n", "rater_minmax"]),
    denominator,
    ...intervalConventions,
  },
  defaults: { mean: "mean", denominator: "n", ...intervalDefaults },
  decidedBy: ({ mean: rule, denominator: divisor, stats: own }) => ({
    mean: rule,
    denominator: divisor,
    ...meanInterval.decidedBy(own),
  }),
  evaluate(sample, { mean: rule, denominator: divisor, stats: own }, withEnds) {
    const rated = sample.scores();
    const samples = {
      mean: () => rated.scores,
      median: () => rated.scores,
      rater_mean: () => rated.unsorted.map((scores, i) => raterMeans(scores, rated.raters[i]!)),
      rater_z: () => onRaterScale(rated, standardised(1)),
      rater_z_n: () => onRaterScale(rated, standardised(0)),
      rater_minmax: () => onRaterScale(rated, minToMax),
    }[rule]();
    const n = Float64Array.from(samples, (scores) => scores.length);
    const value = Float64Array.from(
      samples,
      rule === "median" ? (scores) => quantile(scores, 0.5) : meanOf,
    );
    const hasEnds = withEnds && rule !== "median";
    const { columns = {}, noise } = hasEnds ? meanInterval.of(sample, samples, own, true) : {};
    return {
      items: rated.items,
      columns: { value: withDivisor(value, n, divisor), n, ...columns },
      ...(noise && { noise }),
    };
  },
  forms: {
    ...meanInterval.forms,
    clustered: (table, sample, conventions) =>
      conventions.mean === "mean"
        ? meanInterval.forms.clustered(table, sample, conventions)
        : table,
  },
  lessThanN: ({ mean: rule, denominator }) =>
    rule !== "mean" ? null : denominator === "n" ? 0 : 1,
  grain(sample, { mean: rule }, isOther) {
    const rated = sample.scores();
    const step = stepOf(rated);
    const grain = (n: number): number => (rule === "median" ? step / 2 : isOther ? step / n : 0);
    return { value: Float64Array.from(rated.scores, ({ length }) => grain(length)) };
  },
  units: scoreUnits,
  hypotheses: [...meanRules.hypotheses, ...divisors.hypotheses, ...meanInterval.hypotheses],
  options: [meanRules.option("mean", "average", "aggregate"), ...meanInterval.options],
});

function raterMeans(scores: Float64Array, raters: Int32Array): Float64Array {
  return Float64Array.from([...groupByRater([scores], [raters]).values()].map(meanOf));
}

function groupByRater(
  scores: readonly Float64Array[],
  raters: readonly Int32Array[],
): Map<number, number[]> {
  const byRater = new Map<number, number[]>();
  scores.forEach((own, item) =>
    own.forEach((score, i) => {
      const rater = raters[item]![i]!;
      const known = byRater.get(rater);
      if (known) known.push(score);
      else byRater.set(rater, [score]);
    }),
  );
  return byRater;
}

/** Of a rater's scores. */
type ScaleOf = (scores: Float64Array) => { readonly level: number; readonly unit: number };

/** z-scores; the standard deviation divides by n - `less`. */
const standardised =
  (less: number): ScaleOf =>
  (scores) => ({ level: meanOf(scores), unit: deviation(scores, scores.length - less) });

const minToMax: ScaleOf = (scores) => {
  const level = scores.reduce((least, score) => Math.min(least, score), Infinity);
  return { level, unit: scores.reduce((most, score) => Math.max(most, score), -Infinity) - level };
};

function onRaterScale({ unsorted, raters }: NamedScores, scaleOf: ScaleOf): Float64Array[] {
  const scales = new Map(
    [...groupByRater(unsorted, raters)].map(([rater, scores]) => [
      rater,
      scaleOf(Float64Array.from(scores)),
    ]),
  );
  return unsorted.map((scores, item) =>
    scores
      .map((score, i) => {
        const own = scales.get(raters[item]![i]!);
        return own && own.unit > 0 ? (score - own.level) / own.unit : NaN;
      })
      .filter((z) => !Number.isNaN(z)),
  );
}
