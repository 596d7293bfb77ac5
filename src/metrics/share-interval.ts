/** The interval of a share, as services publish it: Wilson's, Wald's, or drawn. */
import { formed } from "./forms.js";
import {
  around,
  between,
  bootstrapMeans,
  bootstraps,
  confidenceLevels,
  decidingNormal,
  intervalFields,
  intervalOptions,
  upperProbability,
  withColumns,
  type IntervalConvention,
} from "./intervals.js";
import type { DrawnColumns, Table } from "./kind.js";
import { normalQuantile } from "./numeric/statistics.js";
import { axis } from "./options.js";
import type { Sample } from "./sample.js";

const methods = axis(
  "interval",
  formed,
  { wald: [3, "the interval is the share ± z √(p (1 − p) / n) (Wald)"] },
  Object.keys(intervalFields),
);

/** Parts of n for each item: what was chosen, and what was chosen by half. */
interface Parts {
  readonly whole: Float64Array;
  readonly half: Float64Array;
  readonly n: Float64Array;
}

const factorOf = ({ level }: IntervalConvention): number => normalQuantile(upperProbability(level));

function wilson({ whole, half, n }: Parts, scale: number, own: IntervalConvention) {
  const z = factorOf(own);
  const end = (sign: 1 | -1): Float64Array =>
    whole.map((k, i) => {
      const of = n[i]!;
      const p = (k + half[i]! / 2) / of;
      const middle = p + (z * z) / (2 * of);
      const reach = z * Math.sqrt((p * (1 - p)) / of + (z * z) / (4 * of * of));
      return (scale * (middle + sign * reach)) / (1 + (z * z) / of);
    });
  return between(end(-1), end(1));
}

function samplesOf({ whole, half, n }: Parts, scale: number): Float64Array[] {
  return Array.from(n, (of, i) => {
    const values = new Float64Array(of);
    values.fill(scale, 0, whole[i]);
    return values.fill(scale / 2, whole[i], whole[i]! + half[i]!);
  });
}

type Conventions = { readonly stats: IntervalConvention; readonly percent_scale: 1 | 100 };

/** What kinds of shares do with their intervals. */
export const shareIntervals = {
  decidedBy: decidingNormal,
  of(
    sample: Sample,
    parts: Parts,
    { stats: own, percent_scale: scale }: Conventions,
  ): DrawnColumns {
    if (own.interval !== "bootstrap") return { columns: wilson(parts, scale, own) };
    return bootstrapMeans(samplesOf(parts, scale), own, (work) => {
      sample.spend(work);
    });
  },
  hypotheses: [...methods.hypotheses, ...bootstraps.hypotheses, ...confidenceLevels.hypotheses],
  options: intervalOptions(methods.option().read),
  forms: {
    wald(table: Table, _: Sample, { stats: own, percent_scale: scale }: Conventions): Table {
      const { value, n } = table.columns as Record<"value" | "n", Float64Array>;
      const error = value.map((share, i) =>
        Math.sqrt(((share / scale) * (1 - share / scale)) / n[i]!),
      );
      return withColumns(
        table,
        around(
          value,
          error.map((e) => scale * factorOf(own) * e),
        ),
      );
    },
  },
};
