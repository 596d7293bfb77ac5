/** The interval of a mean: by a standard error, or drawn. */
import { formed } from "./forms.js";
import {
  around,
  bootstrapMeans,
  clustering,
  confidenceLevels,
  intervalFields,
  intervalOptions,
  withColumns,
  upperProbability,
  withSd,
  type IntervalConvention,
} from "./intervals.js";
import type { DrawnColumns, Table } from "./kind.js";
import { deviation, meanOf, normalQuantile, tQuantile } from "./numeric/statistics.js";
import { axis } from "./options.js";
import type { NamedScores, Sample } from "./sample.js";

interface MeanConvention extends IntervalConvention {
  readonly sd: "n" | "n-1";
}

const fields = Object.keys(intervalFields);

const sdDivisors = axis(
  "sd",
  withSd,
  {
    n: [3, "the standard deviation divides by n"],
    "n-1": [3, "the standard deviation divides by n - 1"],
  },
  ["std", "sem", ...fields],
);
const methods = axis(
  "interval",
  (interval) => ({ conventions: { stats: { interval } } }),
  {
    normal: [2, "the interval uses the normal distribution"],
    t: [3, "the interval uses Student's t"],
  },
  fields,
);
const roundedQuantile = axis(
  "interval",
  formed,
  { "1.96": [2.5, "the interval is the mean ± 1.96 standard errors"] },
  fields,
);

/** By item, with degrees of freedom. */
interface MeanErrors {
  readonly mean: Float64Array;
  readonly error: Float64Array;
  readonly df: Float64Array;
}

function independent(samples: readonly Float64Array[], sd: MeanConvention["sd"]): MeanErrors {
  const each = (of: (values: Float64Array) => number) => Float64Array.from(samples, of);
  return {
    mean: each(meanOf),
    error: each((v) => deviation(v, sd === "n" ? v.length : v.length - 1) / Math.sqrt(v.length)),
    df: each((v) => v.length - 1),
  };
}

/** One cluster a rater, as in `metric_stats_clustered`. */
function clustered({ unsorted, raters }: NamedScores, sd: MeanConvention["sd"]): MeanErrors {
  const each = unsorted.map((scores, item) => {
    const mean = meanOf(scores);
    const sums = new Map<number, number>();
    scores.forEach((score, i) => {
      const rater = raters[item]![i]!;
      sums.set(rater, (sums.get(rater) ?? 0) + score - mean);
    });
    const squares = [...sums.values()].reduce((sum, own) => sum + own * own, 0);
    const few = sd === "n" ? 1 : sums.size / (sums.size - 1);
    return { mean, error: Math.sqrt(squares * few) / scores.length, df: sums.size - 1 };
  });
  const column = (name: "mean" | "error" | "df") => Float64Array.from(each, (one) => one[name]);
  return { mean: column("mean"), error: column("error"), df: column("df") };
}

function byQuantile({ mean, error, df }: MeanErrors, { interval, level }: MeanConvention) {
  const upper = upperProbability(level);
  const factorOf = (own: number): number =>
    interval === "normal" ? normalQuantile(upper) : own > 0 ? tQuantile(upper, own) : NaN;
  const half = error.map((e, i) => e * factorOf(df[i]!));
  return { ...around(mean, half), error };
}

type Stats = { readonly stats: MeanConvention };

export const meanInterval = {
  decidedBy: ({ sd, interval, level, bootstrap_samples }: MeanConvention) => ({
    sd,
    interval,
    level,
    draws: interval === "bootstrap" ? bootstrap_samples : null,
  }),
  /** A bootstrap only if `withDraws`. */
  of(
    sample: Sample,
    samples: readonly Float64Array[],
    own: MeanConvention,
    withDraws: boolean,
  ): DrawnColumns {
    if (own.interval !== "bootstrap")
      return { columns: byQuantile(independent(samples, own.sd), own) };
    return withDraws
      ? bootstrapMeans(samples, own, (work) => {
          sample.spend(work);
        })
      : { columns: {} };
  },
  hypotheses: [
    ...sdDivisors.hypotheses,
    ...clustering.hypotheses,
    ...methods.hypotheses,
    ...roundedQuantile.hypotheses,
    ...confidenceLevels.hypotheses,
  ],
  options: [
    {
      axis: "sd",
      names: ["sd", "ddof"],
      read(value: unknown) {
        if (value === "n" || value === 0) return withSd("n");
        return value === "n-1" || value === 1 ? withSd("n-1") : undefined;
      },
    },
    ...intervalOptions((value) =>
      value === "1.96" || value === 1.96 ? formed("1.96") : methods.option().read(value),
    ),
  ],
  forms: {
    clustered: (table: Table, sample: Sample, { stats: own }: Stats): Table =>
      withColumns(table, byQuantile(clustered(sample.scores(), own.sd), own)),
    "1.96": (table: Table): Table => {
      const { ci_low: low, half_width: half, error, mean, value = mean } = table.columns;
      if (low === undefined || half === undefined || error === undefined) return table;
      // One rating has no t interval.
      const centre = low.map((end, i) => (Number.isNaN(end) ? value![i]! : end + half[i]!));
      return withColumns(
        table,
        around(
          centre,
          error.map((e) => 1.96 * e),
        ),
      );
    },
  },
};
