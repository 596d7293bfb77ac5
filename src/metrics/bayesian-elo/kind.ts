/** The kind `bayesian_elo`. */
import { formed, likelihoodRatings, withValues, worths } from "../forms.js";
import { defineKind, type Patch, type Table } from "../kind.js";
import { axis, choice, isPositive, likelihoodFits, number, usual } from "../options.js";
import type { Sample } from "../sample.js";
import { unitOption, unitsOf, worthUnits } from "../units.js";
import { bayesianElo, bayesianEloEnds, carriedStrengths, quantileEnds } from "./bayesian-elo.js";
import { type BayesianEloConvention, bayesianEloSchema } from "./strengths.js";

type Own = BayesianEloConvention;

const set = (own: Partial<Own>): Patch<{ bayesian_elo: Own }> => ({
  conventions: { bayesian_elo: own },
});

const endNames = quantileEnds.map(([name]) => name);

const labels = axis(
  "labels",
  (value) => set({ interval_labels: value }),
  {
    shifted: [3, "interval labels are shifted by one (p005 and p025 are the same quantile)"],
    own: [3, "interval labels name their own quantiles"],
  },
  endNames,
);

const bayesianTieRules = axis("ties", (ties) => set({ ties }), {
  half: [3, "a tie is half a win for each"],
  exclude: [3, "ties are left out"],
  davidson: [4, "ties have a parameter of their own (Davidson 1970)"],
});

const stopRules = axis(
  "stop_elo",
  (rule) =>
    set({
      stop_elo: rule === "none" ? null : 1,
      ...(rule !== "1" && { start: rule === "none" ? "cold" : "warm" }),
    }),
  {
    1: [3, "the iteration was stopped early, when no item moved by 1 Elo"],
    "1 start=warm": [
      5,
      "the iteration continues from session to session, each time stopped early when no " +
        "item moved by 1 Elo",
    ],
    none: [3, "the iteration runs to its fixed point"],
  },
);

const qualityRules = axis(
  "rater_quality",
  (rule) => set({ rater_quality: rule === "none" ? null : { alpha: 10, beta: 2 } }),
  {
    none: [3, "all raters have equal weight"],
    "(alpha=10 beta=2)": [4, "each rater has a quality with prior Beta(10, 2)"],
  },
);

const strengthForms = axis("unit", formed, {
  worth_sum: [4, "strengths that sum to 1 are published"],
  worth_mean: [4, "strengths with a geometric mean of 1 are published"],
});

export const bayesianEloKind = defineKind({
  name: "bayesian_elo",
  title: "Bayesian Elo",
  model: "metric_bayesian_elo",
  family: "pairwise",
  fields: {
    value: "estimate",
    wins: "count",
    n: "count",
    p005: "interval end",
    p025: "interval end",
    p05: "interval end",
    p50: "interval end",
    p95: "interval end",
    p975: "interval end",
    p995: "interval end",
  },
  aliases: { ci_low: "p025", ci_high: "p975", median: "p50" },
  direction: "higher",
  definition:
    "P(i beats j) = λ_{i} / (λ_{i} + λ_{j}), λ_{i} ~ Gamma(shape, rate); the mode of the posterior",
  source:
    "Caron and Doucet, Efficient Bayesian inference for generalized Bradley–Terry models, " +
    "JCGS 21 (2012)",
  ranks: 1,
  isIterative: true,
  interval: () => "95 % credible interval",
  intervalNoise: { share: 1e-6, of: "end" },
  conventions: { bayesian_elo: bayesianEloSchema },
  defaults: {
    bayesian_elo: {
      shape: 5,
      rate: 0.1,
      scale: 400,
      anchor: 2000,
      ties: "half",
      stop_elo: null,
      start: "cold",
      interval_labels: "own",
      rater_quality: null,
    },
  },
  decidedBy: ({ bayesian_elo: own }) =>
    own.ties === "davidson" ? { ...own, stop_elo: null, start: "cold", rater_quality: null } : own,
  evaluate(sample, { bayesian_elo: own }, withEnds) {
    const { items, counts } = sample.pairs();
    const data = isConverging(own) || own.rater_quality === null ? counts : sample.raterPairs();
    const fit = bayesianElo(data, own, startStrengths(sample, own));
    sample.spend(fit.iterations * data.a.length);
    if (isConverging(own)) remember(sample, fit.elo, own);
    const ends = withEnds ? bayesianEloEnds(fit, own) : {};
    return { items, columns: { value: fit.elo, wins: fit.wins, n: fit.comparisons, ...ends } };
  },
  forms: {
    likelihood,
    worth_sum: relative("sum"),
    worth_mean: relative("mean"),
  },
  follows: Object.fromEntries(endNames.map((name) => [name, ["value", "wins"]])),
  hypotheses: [
    ...labels.hypotheses,
    ...bayesianTieRules.hypotheses,
    ...likelihoodFits.hypotheses,
    ...usual("shape", [2, 3, 5, 10], (shape) => set({ shape }), "the shape of the prior is"),
    ...strengthForms.hypotheses,
    ...stopRules.hypotheses,
    ...qualityRules.hypotheses,
  ],
  units: {
    of: ({ bayesian_elo: { scale } }) => unitsOf(worthUnits, scale / Math.LN10),
    level: "anchor",
  },
  options: [
    unitOption(worthUnits, "unit"),
    {
      axis: "shape",
      names: ["shape", "a", "prior_shape", "prior_a", "gamma_shape"],
      read: number(
        (shape) => set({ shape }),
        (shape) => shape > 1,
      ),
    },
    {
      axis: "rate",
      names: ["rate", "b", "prior_rate", "prior_b", "gamma_rate"],
      read: number((rate) => set({ rate }), isPositive),
    },
    {
      axis: "scale",
      names: ["scale", "elo_scale"],
      read: number((scale) => set({ scale }), isPositive),
    },
    {
      axis: "anchor",
      names: ["anchor", "center", "centre", "initial_rating", "base_rating"],
      read: number((anchor) => set({ anchor })),
    },
    {
      axis: "stop_elo",
      names: ["stop_elo", "tolerance", "tol"],
      read: (value) =>
        value === null
          ? set({ stop_elo: null })
          : number((stop_elo) => set({ stop_elo }), isPositive)(value),
    },
    { axis: "start", names: ["start"], read: choice(["cold", "warm"], (start) => set({ start })) },
    labels.option("interval_labels"),
    { axis: "rater_quality", names: ["rater_quality"], read: readQuality },
  ],
  joinedOptions: { rater_quality: ["alpha", "beta"] },
});

function likelihood(table: Table, sample: Sample, { bayesian_elo: own }: { bayesian_elo: Own }) {
  const ties = own.ties === "exclude" ? "none" : own.ties;
  return withValues(withoutEnds(table), likelihoodRatings(sample, ties, own.anchor, own.scale));
}

function relative(per: "sum" | "mean") {
  return (table: Table, _: Sample, { bayesian_elo: { scale } }: { bayesian_elo: Own }): Table =>
    withValues(withoutEnds(table), worths(table.columns.value!, scale, per));
}

const withoutEnds = ({ items, columns }: Table): Table => ({
  items,
  columns: Object.fromEntries(
    Object.entries(columns).filter(([field]) => !endNames.some((end) => end === field)),
  ),
});

const isConverging = ({ rater_quality, stop_elo, ties }: Own): boolean =>
  ties === "davidson" || (rater_quality === null && stop_elo === null);

/** λ of the first converged fit: later ones depend on what was searched before. */
const firstFit = (sample: Sample) =>
  sample.kept("bayesian_elo", 400, (): { relative?: Float64Array } => ({}));

function startStrengths(sample: Sample, own: Own): Float64Array | undefined {
  if (isConverging(own))
    return firstFit(sample).relative?.map((strength) => (strength * (own.shape - 1)) / own.rate);
  if (own.rater_quality !== null || own.stop_elo === null || own.start === "cold") return undefined;
  const { strength, work } = carriedStrengths(
    sample.comparisons(),
    sample.pairs().counts,
    own,
    own.stop_elo,
  );
  sample.spend(work);
  return strength;
}

function remember(sample: Sample, elo: Float64Array, { anchor, scale }: Own): void {
  const first = firstFit(sample);
  if (first.relative !== undefined) return;
  const relative = elo.map((value) => 10 ** ((value - anchor) / scale));
  if (relative.every((s) => s > 1e-6 && s < 1e6)) first.relative = relative;
}

function readQuality(value: unknown) {
  if (value === null || value === false) return set({ rater_quality: null });
  const { alpha, beta } = (typeof value === "object" ? value : {}) as {
    alpha?: unknown;
    beta?: unknown;
  };
  if (typeof alpha !== "number" || typeof beta !== "number" || alpha < 1 || beta < 1)
    return undefined;
  return set({ rater_quality: { alpha, beta } });
}
