/** The kind `bradley_terry`. */
import { formed, withValues, worths } from "../forms.js";
import {
  around,
  auditedIntervals,
  between,
  clustering,
  confidenceLevels,
  decidingNormal,
  drawnInterval,
  intervalConventions,
  intervalDefaults,
  intervalOptions,
  upperProbability,
  type IntervalConvention,
} from "../intervals.js";
import { defineKind, type Patch, type Table } from "../kind.js";
import { normalQuantile } from "../numeric/statistics.js";
import { axis } from "../options.js";
import {
  comparisonsOf,
  comparisonsOfItems,
  winsWithHalfTies,
  type PairCounts,
} from "../pair-counts.js";
import type { Sample } from "../sample.js";
import { unitOption, unitsOf, worthUnits } from "../units.js";
import { fitStyle } from "./style.js";
import { likelihoodClasses, membersOf, restrict } from "./classes.js";
import { sandwichErrors, type Errors } from "./errors.js";
import {
  bradleyTerrySchema,
  fitWorths,
  type BradleyTerryConvention,
  type TieModel,
  type WorthFit,
} from "./model.js";
import { ridgeFit } from "./ridge.js";
import { resampleComparisons } from "./resample.js";
import { seededRandom } from "../../platform/index.js";

const bradleyTerryPatch = (
  own: Partial<BradleyTerryConvention>,
): Patch<{ bradley_terry: BradleyTerryConvention }> => ({
  conventions: { bradley_terry: own },
});

const bradleyTerryTieRules = axis("ties", (ties) => bradleyTerryPatch({ ties }), {
  half: [3, "a tie is half a win for each"],
  davidson: [4, "ties have a parameter of their own (Davidson 1970)"],
  generalised_davidson: [
    5,
    "ties have two parameters of their own (Firth's generalisation of Davidson 1970)",
  ],
});

const excludedTies = axis("ties", () => formed("without_ties"), {
  exclude: [3, "ties are left out"],
});

const penalisedFits = axis("fit", formed, {
  ridge: [
    5,
    "ratings are a logistic regression with a penalty (L2, C = 1), each vote entered twice",
  ],
  ridge_stopped: [
    6,
    "ratings are a logistic regression with a penalty (L2, C = 1), each vote entered twice, " +
      "stopped before its optimum at a gradient per row of at most 1e-4",
  ],
});

const styleRules = axis("style", formed, {
  controlled: [
    4,
    "style is controlled for: the logit has the standardised covariates of the votes",
  ],
  controlled_reweighted: [
    4,
    "style is controlled for, and each pair of items counts as at most 50 votes",
  ],
});

/** Covariates of the comparisons are in the logit. */
const withStyle = (isReweighted: boolean) => (table: Table, sample: Sample) => {
  const comparisons = sample.comparisons();
  const fit = fitStyle(table.items.length, comparisons, isReweighted);
  sample.spend((fit?.iterations ?? 1) * comparisons.a.length);
  const value = fit?.logWorth ?? new Float64Array(table.items.length).fill(NaN);
  return withMappedValues(table, (_, i) => value[i]!);
};

const worthForms = axis("unit", formed, {
  worth_sum: [3, "worths that sum to 1 are published"],
  worth_mean: [3, "worths with a geometric mean of 1 are published"],
});

const shownUnits = unitOption(worthUnits, "unit", "normalisation", "normalization", "scale");

export const bradleyTerryKind = defineKind({
  name: "bradley_terry",
  title: "Bradley-Terry",
  model: "metric_bradley_terry",
  family: "pairwise",
  fields: { value: "estimate", wins: "count", n: "count" },
  ...auditedIntervals,
  direction: "higher",
  definition:
    "P(i beats j) = λ_{i} / (λ_{i} + λ_{j}); the log worth ln λ_{i} of highest likelihood, " +
    "with a mean of 0",
  source: "Bradley and Terry, Rank analysis of incomplete block designs, Biometrika 39 (1952)",
  ranks: 0,
  isIterative: true,
  conventions: { bradley_terry: bradleyTerrySchema, ...intervalConventions },
  defaults: { bradley_terry: { ties: "half", rater_samples: 200, seed: 1 }, ...intervalDefaults },
  decidedBy: ({ bradley_terry: { ties }, stats: own }) => ({ ties, ...decidingNormal(own) }),
  evaluate: (sample, { bradley_terry: { ties }, stats: own }, withEnds) =>
    worthTable(sample, (counts) => counts, ties, withEnds ? own : null),
  forms: {
    without_ties: ({ columns }, sample, { stats: own }) =>
      worthTable(sample, withoutTies, "half", columns.half_width ? own : null),
    clustered({ columns }, sample, { bradley_terry: { ties }, stats: own }) {
      const { counts } = sample.pairs();
      const isWhole = comparisonsOfItems(counts).every((n, i) => n === columns.n![i]);
      const counted = isWhole ? <C>(all: C): C => all : withoutTies;
      return worthTable(sample, counted, ties, columns.half_width ? own : null, "clustered");
    },
    controlled: withStyle(false),
    controlled_reweighted: withStyle(true),
    ridge: (table, sample) => ridgeTable(table, sample, false),
    ridge_stopped: (table, sample) => ridgeTable(table, sample, true),
    worth_mean: (table) => withMappedValues(table, (log) => Math.exp(log)),
    worth_sum: (table) => withValues(table, worths(table.columns.value!, Math.LN10, "sum")),
  },
  hypotheses: [
    ...bradleyTerryTieRules.hypotheses,
    ...excludedTies.hypotheses,
    ...styleRules.hypotheses,
    ...penalisedFits.hypotheses,
    ...clustering.hypotheses,
    ...confidenceLevels.hypotheses,
    ...worthForms.hypotheses,
  ],
  units: { of: () => unitsOf(worthUnits, 1), level: "anchor" },
  options: [
    bradleyTerryTieRules.option("tie_model"),
    styleRules.option("style", "style_control"),
    {
      ...shownUnits,
      read: (value) => worthForms.option().read(value) ?? shownUnits.read(value),
    },
    ...intervalOptions(() => undefined),
  ],
});

/** Nobody publishes intervals of it by a formula. */
function ridgeTable({ columns }: Table, sample: Sample, mayStop: boolean): Table {
  const { items, counts } = sample.pairs();
  const { n, wins } = columns as Record<"n" | "wins", Float64Array>;
  const { logWorth, iterations, stopped } = ridgeFit(counts);
  sample.spend(iterations * (counts.a.length + items.length ** 3));
  return {
    items,
    columns: { value: logWorth, wins, n },
    ...(mayStop && { stopped }),
  };
}

const withoutTies = <C extends PairCounts>(counts: C): C => ({
  ...counts,
  ties: counts.ties.map(() => 0),
});

/** Natural log worths that sum to zero within each class. */
function worthTable(
  sample: Sample,
  counted: <C extends PairCounts>(counts: C) => C,
  ties: TieModel,
  interval: IntervalConvention | null,
  errors: keyof Errors = "plain",
): Table {
  const { items, counts: all } = sample.pairs();
  const counts = counted(all);
  const byRater = errors === "clustered" ? counted(sample.raterPairs()) : null;
  const { ofItem, classes } = likelihoodClasses(counts);
  const column = (): Float64Array => new Float64Array(counts.items).fill(NaN);
  const value = column();
  const error = column();
  let drawn: ReturnType<typeof drawnWorths> | undefined;
  for (const members of membersOf(ofItem, classes)) {
    const part = restrict(counts, members);
    const fit = fitWorths(part, ties);
    sample.spend(fit.iterations * part.a.length);
    members.forEach((item, i) => (value[item] = fit.logWorth[i]!));
    if (interval === null) continue;
    if (interval.interval === "bootstrap") {
      if (classes === 1) drawn = drawnWorths(part, fit, ties, interval, sample);
      continue;
    }
    const own = sandwichErrors(part, byRater && restrict(byRater, members), fit)[errors];
    sample.spend(members.length ** 3);
    members.forEach((item, i) => (error[item] = own[i]!));
  }
  const columns = { value, wins: winsWithHalfTies(counts), n: comparisonsOfItems(counts) };
  if (interval === null) return { items, columns };
  const ends = endsOf(value, error, interval);
  return { items, ...drawn, columns: { ...columns, ...ends, ...drawn?.columns } };
}

const endsOf = (value: Float64Array, error: Float64Array, { level }: IntervalConvention) => {
  const factor = normalQuantile(upperProbability(level));
  return around(
    value,
    error.map((e) => factor * e),
  );
};

function drawnWorths(
  counts: PairCounts,
  fit: WorthFit,
  ties: TieModel,
  convention: IntervalConvention,
  sample: Sample,
): Pick<Table, "columns" | "noise" | "held"> {
  const draws = resampleComparisons(counts, fit, ties, seededRandom(1));
  sample.spend(draws.length * comparisonsOf(counts).reduce((sum, n) => sum + n, 0));
  const numbers = (held: number | null) =>
    Array.from(fit.logWorth, (_, item) =>
      Float64Array.from(draws, (one) => one[item]! - (held === null ? 0 : one[held]!)),
    );
  return {
    ...drawnInterval(numbers(null), convention),
    held(at) {
      const own = drawnInterval(numbers(at), convention);
      const { ci_low, ci_high } = own.columns as Record<"ci_low" | "ci_high", Float64Array>;
      const on = (end: Float64Array) => end.map((v) => v + fit.logWorth[at]!);
      return { ...own, columns: between(on(ci_low), on(ci_high)) };
    },
  };
}

/** Without intervals: those of mapped numbers are others. */
function withMappedValues(table: Table, map: (log: number, i: number) => number): Table {
  const { value, wins, n } = table.columns as Record<"value" | "wins" | "n", Float64Array>;
  return { items: table.items, columns: { value: value.map(map), wins, n } };
}
