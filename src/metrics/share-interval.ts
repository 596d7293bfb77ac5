/** The interval of a share: by a formula, or drawn. */
import { formed } from "./forms.js";
import {
  between,
  bootstrapMeans,
  confidenceLevels,
  decidingNormal,
  intervalFields,
  intervalOptions,
  upperProbability,
  withColumns,
  type IntervalConvention,
} from "./intervals.js";
import type { DrawnColumns, Table } from "./kind.js";
import { betaQuantile, normalQuantile } from "./numeric/statistics.js";
import { axis } from "./options.js";
import type { Sample } from "./sample.js";

const methods = axis(
  "interval",
  formed,
  {
    wald: [3, "the interval is the share ± z √(p (1 − p) / n) (Wald)"],
    exact: [3, "the interval is Clopper and Pearson's, exact for the binomial distribution"],
    wilsoncc: [3, "the interval is Wilson's with a continuity correction (R's prop.test)"],
    agresti_coull: [
      3,
      "the interval is Agresti and Coull's: Wald's of z² more ratings, half of them successes",
    ],
  },
  Object.keys(intervalFields),
);

interface Parts {
  readonly whole: Float64Array;
  readonly half: Float64Array;
  readonly n: Float64Array;
}

type Conventions = { readonly stats: IntervalConvention; readonly percent_scale: 1 | 100 };

/** Of a share `p` of `n`, 0 to 1; `sign` -1: the lower one. */
type End = (p: number, n: number, sign: 1 | -1, upper: number) => number;

const wilson: End = (p, n, sign, upper) => {
  const z = normalQuantile(upper);
  const middle = p + (z * z) / (2 * n);
  const reach = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return (middle + sign * reach) / (1 + (z * z) / n);
};

const wald: End = (p, n, sign, upper) =>
  p + sign * normalQuantile(upper) * Math.sqrt((p * (1 - p)) / n);

/** Wilson's needs no name. */
export const shareEnds = {
  wald,
  exact: (p, n, sign, upper) => {
    const [chosen, others] = [p * n, (1 - p) * n];
    if (sign < 0) return chosen > 0 ? betaQuantile(1 - upper, chosen, others + 1) : 0;
    return others > 0 ? betaQuantile(upper, chosen + 1, others) : 1;
  },
  wilsoncc: (p, n, sign, upper) => {
    const moved = p + sign / (2 * n);
    if (moved <= 0 || moved >= 1) return moved <= 0 ? 0 : 1;
    return wilson(moved, n, sign, upper);
  },
  agresti_coull: (p, n, sign, upper) => {
    const more = normalQuantile(upper) ** 2;
    const end = wald((n * p + more / 2) / (n + more), n + more, sign, upper);
    return Math.min(1, Math.max(0, end));
  },
} satisfies Record<string, End>;

function ends(
  end: End,
  shares: Float64Array,
  n: Float64Array,
  { stats: { level }, percent_scale: scale }: Conventions,
) {
  const upper = upperProbability(level);
  const at = (sign: 1 | -1) => shares.map((share, i) => scale * end(share, n[i]!, sign, upper));
  return between(at(-1), at(1));
}

function samplesOf({ whole, half, n }: Parts, scale: number): Float64Array[] {
  return Array.from(n, (of, i) => {
    const values = new Float64Array(of);
    values.fill(scale, 0, whole[i]);
    return values.fill(scale / 2, whole[i], whole[i]! + half[i]!);
  });
}

const asForm =
  (end: End) =>
  (table: Table, _: Sample, own: Conventions): Table => {
    const { value, n } = table.columns as Record<"value" | "n", Float64Array>;
    const shares = value.map((share) => share / own.percent_scale);
    return withColumns(table, ends(end, shares, n, own));
  };

export const shareIntervals = {
  decidedBy: decidingNormal,
  of(sample: Sample, parts: Parts, own: Conventions): DrawnColumns {
    const { stats, percent_scale: scale } = own;
    if (stats.interval === "bootstrap")
      return bootstrapMeans(samplesOf(parts, scale), stats, (work) => {
        sample.spend(work);
      });
    const { whole, half, n } = parts;
    const shares = whole.map((k, i) => (k + half[i]! / 2) / n[i]!);
    return { columns: ends(wilson, shares, n, own) };
  },
  hypotheses: [...methods.hypotheses, ...confidenceLevels.hypotheses],
  options: intervalOptions(methods.option().read),
  forms: Object.fromEntries(Object.entries(shareEnds).map(([name, end]) => [name, asForm(end)])),
};
