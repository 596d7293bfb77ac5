import { defineKind } from "../kind.js";
import { deviation, meanOf, quantile } from "../numeric/statistics.js";
import { axis } from "../options.js";
import { stepOf, type NamedScores } from "../sample.js";
import { either } from "../schema.js";

const rules = axis("mean", (mean) => ({ conventions: { mean } }), {
  mean: [3, "the arithmetic mean of all ratings is used"],
  median: [3, "the median is used"],
  rater_mean: [3, "each rater's mean counts once"],
  rater_z: [3, "scores are standardised by rater"],
});

export const mean = defineKind({
  name: "mean",
  family: "scored",
  fields: { value: "estimate", n: "count" },
  aliases: { p025: "ci_low", p975: "ci_high" },
  direction: "either",
  ranks: 5,
  conventions: { mean: either(["mean", "median", "rater_mean", "rater_z"]) },
  defaults: { mean: "mean" },
  decidedBy: ({ mean: rule }) => ({ mean: rule }),
  evaluate(sample, { mean: rule }) {
    const rated = sample.scores();
    const samples = {
      mean: () => rated.scores,
      median: () => rated.scores,
      rater_mean: () => rated.unsorted.map((scores, i) => raterMeans(scores, rated.raters[i] as Int32Array)),
      rater_z: () => zScores(rated),
    }[rule]();
    const value = Float64Array.from(samples, rule === "median" ? (scores) => quantile(scores, 0.5) : meanOf);
    return { items: rated.items, columns: { value, n: Float64Array.from(samples, (scores) => scores.length) } };
  },
  influence: "score sums",
  grain(sample) {
    const rated = sample.scores();
    return { value: Float64Array.from(rated.scores, ({ length }) => stepOf(rated) / length) };
  },
  hypotheses: rules.hypotheses,
  options: [rules.option("mean", "average", "aggregate")],
});

function raterMeans(scores: Float64Array, raters: Int32Array): Float64Array {
  return Float64Array.from([...groupByRater([scores], [raters]).values()].map(meanOf));
}

function groupByRater(scores: readonly Float64Array[], raters: readonly Int32Array[]): Map<number, number[]> {
  const byRater = new Map<number, number[]>();
  scores.forEach((own, item) =>
    own.forEach((score, i) => {
      const rater = raters[item]?.[i] as number;
      const known = byRater.get(rater);
      if (known) known.push(score);
      else byRater.set(rater, [score]);
    }),
  );
  return byRater;
}

/** (score - rater's mean) / rater's sd (n - 1); the scores of a rater who never varies are left out. */
function zScores({ unsorted, raters }: NamedScores): Float64Array[] {
  const scale = new Map(
    [...groupByRater(unsorted, raters)].map(([rater, scores]) => {
      const own = Float64Array.from(scores);
      return [rater, { mean: meanOf(own), sd: deviation(own, own.length - 1) }] as const;
    }),
  );
  return unsorted.map((scores, item) =>
    scores
      .map((score, i) => {
        const own = scale.get(raters[item]?.[i] as number);
        return own && own.sd > 0 ? (score - own.mean) / own.sd : NaN;
      })
      .filter((z) => !Number.isNaN(z)),
  );
}
