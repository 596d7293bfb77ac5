import { studentQuantile } from "../../../../src/emulator/scoring/quantiles.js";
import type { Algorithm, Family, Numbers, Row } from "./world.js";
import {
  ascending,
  avg,
  grouped,
  hinges,
  mapped,
  meansBy,
  medianOf,
  partsOf,
  perRater,
  quantileBy,
  scoresBy,
  sd,
  sum,
  type ByItem,
  type Ratings,
} from "./plain.js";

const graded: readonly Family[] = ["acr", "mushra"];

const meanOver = (
  name: string,
  value: (xs: number[]) => number,
  names: readonly string[] = [],
  by: (rows: readonly Row[]) => ByItem = scoresBy,
): Algorithm => ({
  name,
  names,
  kind: "mean",
  families: graded,
  of: (rows) => mapped(by(rows), (xs) => ({ value: value(xs), n: xs.length })),
});
const meanBy = (
  name: string,
  of: (rows: readonly Row[]) => Ratings,
  names: readonly string[] = [],
): Algorithm => ({
  name,
  names,
  kind: "mean",
  families: graded,
  of(rows) {
    const scores = scoresBy(rows);
    return mapped(of(rows), (value, item): Numbers => ({
      value,
      n: scores.get(item)?.length ?? 0,
    }));
  },
});
const means = (rows: readonly Row[]): Ratings => mapped(scoresBy(rows), avg);
const relative = (
  name: string,
  names: readonly string[],
  of: (value: number, all: readonly number[], first: number) => number,
): Algorithm =>
  meanBy(
    name,
    (rows) => {
      const own = means(rows);
      const all = [...own.values()];
      const first = own.get([...own.keys()].sort()[0]!)!;
      return mapped(own, (value) => of(value, all, first));
    },
    names,
  );
const z = (less: number) => (rows: readonly Row[]) =>
  perRater(rows, (x, all) => {
    const s = sd(all, less);
    return all.length > less && s > 0 ? (x - avg(all)) / s : NaN;
  });
const raterMeans = (rows: readonly Row[]): ByItem => meansBy(rows, (r) => r.rater);
const minMax = (rows: readonly Row[]): ByItem =>
  perRater(rows, (x, all) => (x - Math.min(...all)) / (Math.max(...all) - Math.min(...all)));

function biweight(xs: readonly number[]): number {
  const centre = medianOf(xs);
  const mad = medianOf(xs.map((x) => Math.abs(x - centre))) || 1;
  const weights = xs.map((x) => Math.max(0, 1 - ((x - centre) / (6 * mad)) ** 2) ** 2);
  return sum(xs.map((x, i) => x * weights[i]!)) / sum(weights);
}

/** Without the raters who do not follow the others: a correlation below 0.5 with the items' means. */
function screened(rows: readonly Row[]): Ratings {
  const all = means(rows);
  const good = partsOf(rows, (r) => r.rater).filter((own) => {
    const [xs, ys] = [own.map((r) => r.score), own.map((r) => all.get(r.item)!)];
    const [mx, my] = [avg(xs), avg(ys)];
    const cross = sum(xs.map((x, i) => (x - mx) * (ys[i]! - my)));
    return (
      cross / Math.sqrt(sum(xs.map((x) => (x - mx) ** 2)) * sum(ys.map((y) => (y - my) ** 2))) >=
      0.5
    );
  });
  return means(good.flat());
}

function reliable(rows: readonly Row[]): Ratings {
  const all = means(rows);
  const weight = mapped(
    grouped(rows, (r) => String(r.rater)),
    (own) => 1 / (0.1 + avg(own.map((r) => (r.score - all.get(r.item)!) ** 2))),
  );
  const of = (own: readonly Row[], value: (r: Row) => number): number =>
    sum(own.map((r) => value(r) * weight.get(String(r.rater))!));
  return mapped(
    grouped(rows, (r) => r.item),
    (own) => of(own, (r) => r.score) / of(own, () => 1),
  );
}
const top = (rows: readonly Row[]): number => Math.max(...rows.map((r) => r.score));
const shareOf = (xs: readonly number[], is: (x: number) => boolean): number =>
  xs.filter(is).length / xs.length;

const meanConventions: readonly Algorithm[] = [
  meanOver("median", medianOf, ["mean=median"]),
  meanOver("each rater once", avg, ["mean=rater_mean"], raterMeans),
  meanOver("z-scores", avg, ["mean=rater_z"], z(1)),
  meanOver("z-scores, sd by n", avg, ["mean=rater_z_n"], z(0)),
  meanOver("min-max by rater", avg, ["mean=rater_minmax"], minMax),
  meanOver("sum over n - 1", (xs) => sum(xs) / (xs.length - 1), ["denominator=n-1"]),
  relative("relative to the best", ["relative=best"], (v, all) => v - Math.max(...all)),
  relative("relative to the first", ["relative=sys-00"], (v, _, first) => v - first),
  relative(
    "percent of the best",
    ["relative=percent_of_best"],
    (v, all) => (100 * v) / Math.max(...all),
  ),
  meanOver("1 to 5 shown as 0 to 100", (xs) => 25 * (avg(xs) - 1), ["unit=0_to_100"]),
  meanOver("1 to 7 shown as 0 to 100", (xs) => (avg(xs) - 1) / 0.06, ["unit=0_to_100"]),
  meanOver(
    "z-scores as 0 to 100",
    (xs) => (100 * (avg(xs) + 3)) / 6,
    ["mean=rater_z", "unit=z_0_to_100"],
    z(1),
  ),
  meanBy(
    "difference from the first, and the top",
    (rows) => {
      const all = means(rows);
      return mapped(all, (value) => value - all.get("sys-00")! + top(rows));
    },
    ["relative=dmos_sys-00"],
  ),
  meanOver("counted from 0", (xs) => avg(xs) - 1, []),
  meanOver("a hundredth", (xs) => avg(xs) / 100, ["scale=0.01"]),
  meanOver("reversed, 6 - x", (xs) => 6 - avg(xs), []),
  meanOver("twice", (xs) => 2 * avg(xs), []),
  meanOver("median, a hundredth", (xs) => medianOf(xs) / 100, ["mean=median", "scale=0.01"]),
  relative(
    "least to best as 0 to 100",
    [],
    (v, all) => (100 * (v - Math.min(...all))) / (Math.max(...all) - Math.min(...all)),
  ),
  meanOver("each rater once, from 0", (xs) => avg(xs) - 1, [], raterMeans),
];

const otherMeans: readonly Algorithm[] = [
  meanOver(
    "mean of the deciles",
    (xs) => (quantileBy(xs, 0.1, 1, 1) + quantileBy(xs, 0.9, 1, 1)) / 2,
  ),
  meanOver("power mean of a half", (xs) => avg(xs.map((x) => Math.sqrt(Math.max(0, x)))) ** 2),
  meanOver(
    "logarithm of the mean exponential",
    (xs) => 10 * Math.log(avg(xs.map((x) => Math.exp(x / 10)))),
  ),
  meanOver("Tukey's biweight", biweight),
  meanOver("the newer half", (xs) => avg(xs.slice(xs.length >> 1))),
  meanOver("smoothed, newest first", (xs) => xs.reduce((level, x) => 0.95 * level + 0.05 * x)),
  meanOver("mean of the distinct scores", (xs) => avg([...new Set(xs)])),
  meanOver("mean and median, mixed", (xs) => (avg(xs) + medianOf(xs)) / 2),
  meanOver("mean plus a standard error", (xs) => avg(xs) + sd(xs) / Math.sqrt(xs.length)),
  meanOver("30 % trimmed above", (xs) => avg(ascending(xs).slice(0, Math.ceil(0.7 * xs.length)))),
  meanOver("55 % quantile", (xs) => quantileBy(xs, 0.55, 1, 1)),
  meanOver("one median more", (xs) => (sum(xs) + medianOf(xs)) / (xs.length + 1)),
  meanBy("share of top two scores", (rows) =>
    mapped(scoresBy(rows), (xs) => 100 * shareOf(xs, (x) => x >= 0.75 * top(rows))),
  ),
  meanBy("promoters less detractors", (rows) => {
    const high = top(rows);
    return mapped(
      scoresBy(rows),
      (xs) => 100 * (shareOf(xs, (x) => x >= 0.9 * high) - shareOf(xs, (x) => x <= 0.6 * high)),
    );
  }),
  meanBy("without raters who differ", screened),
  meanBy("raters by reliability", reliable),
  meanBy("mean over blocks of five sessions", (rows) =>
    mapped(
      meansBy(rows, (r) => Math.floor(r.session / 5)),
      avg,
    ),
  ),
  meanBy("median over sessions of means", (rows) =>
    mapped(
      meansBy(rows, (r) => r.session),
      medianOf,
    ),
  ),
  meanBy("best session", (rows) =>
    mapped(
      meansBy(rows, (r) => r.session),
      (xs) => Math.max(...xs),
    ),
  ),
  meanBy("share of each rater's total", (rows) =>
    mapped(
      perRater(rows, (x, all) => (sum(all) === 0 ? NaN : (100 * x * all.length) / sum(all))),
      avg,
    ),
  ),
  meanBy("share of raters below", (rows) =>
    mapped(
      perRater(rows, (x, all) => 100 * shareOf(all, (y) => y < x)),
      avg,
    ),
  ),
];

interface Spread {
  readonly std?: (xs: number[], own: readonly Row[]) => number;
  readonly sem?: (std: number, xs: number[], own: readonly Row[]) => number;
  readonly critical?: (n: number, own: readonly Row[]) => number;
  /** Quartiles and median alike, or the quartiles apart. */
  readonly quantile?: (xs: number[], p: number) => number;
  readonly quartiles?: (xs: number[]) => [number, number];
  readonly extremes?: (xs: number[]) => [number, number];
}
const t = (p: number) => (n: number) => studentQuantile(p, n - 1);
const seven = (xs: number[], p: number): number => quantileBy(xs, p, 1, 1);
const quartilesBy =
  (a: number) =>
  (xs: number[]): [number, number] => [quantileBy(xs, 0.25, a, a), quantileBy(xs, 0.75, a, a)];

const statsAs = (name: string, names: readonly string[], rule: Spread): Algorithm => ({
  name,
  names,
  kind: "stats",
  families: graded,
  of: (rows) =>
    mapped(
      grouped(rows, (r) => r.item),
      (own): Numbers => {
        const xs = own.map((r) => r.score);
        const std = rule.std?.(xs, own) ?? sd(xs);
        const sem = rule.sem?.(std, xs, own) ?? std / Math.sqrt(xs.length);
        const half = sem * (rule.critical ?? t(0.975))(xs.length, own);
        const [min, max] = rule.extremes?.(xs) ?? [Math.min(...xs), Math.max(...xs)];
        const at = rule.quantile ?? seven;
        const [q1, q3] = rule.quartiles?.(xs) ?? [at(xs, 0.25), at(xs, 0.75)];
        const mean = avg(xs);
        return {
          n: xs.length,
          mean,
          std,
          sem,
          ci_low: mean - half,
          ci_high: mean + half,
          min,
          q1,
          median: at(xs, 0.5),
          q3,
          max,
        };
      },
    ),
});
const sdByN = (xs: readonly number[]): number => sd(xs, 0);
const normal = (z: number) => () => z;

const spreadConventions: readonly Algorithm[] = [
  statsAs("sd by n", ["sd=n"], { std: sdByN }),
  statsAs("normal interval", ["interval=normal"], { critical: normal(1.959963984540054) }),
  statsAs("1.96 standard errors", ["interval=1.96"], { critical: normal(1.96) }),
  statsAs("1.96 standard errors, sd by n", ["interval=1.96", "sd=n"], {
    std: sdByN,
    critical: normal(1.96),
  }),
  statsAs("90 % interval", ["level=90"], { critical: t(0.95) }),
  statsAs("99 % interval", ["level=99"], { critical: t(0.995) }),
  statsAs("quartiles of type 6", ["quartiles=exclusive"], { quartiles: quartilesBy(0) }),
  statsAs("quartiles of type 8", ["quartiles=type_8"], { quartiles: quartilesBy(1 / 3) }),
  statsAs("quartiles of type 5", ["quartiles=type_5"], { quartiles: quartilesBy(0.5) }),
  statsAs("hinges", ["quartiles=hinges"], { quartiles: (xs) => hinges(xs, true) }),
  statsAs("halves without the middle", ["quartiles=halves"], {
    quartiles: (xs) => hinges(xs, false),
  }),
  statsAs("sd by n, normal interval", ["sd=n", "interval=normal"], {
    std: sdByN,
    critical: normal(1.959963984540054),
  }),
  statsAs("90 %, normal", ["level=90", "interval=normal"], {
    critical: normal(1.6448536269514722),
  }),
  statsAs("99 %, normal", ["level=99", "interval=normal"], {
    critical: normal(2.5758293035489004),
  }),
  statsAs("99 %, sd by n", ["level=99", "sd=n"], { std: sdByN, critical: t(0.995) }),
  statsAs("hinges, sd by n", ["quartiles=hinges", "sd=n"], {
    std: sdByN,
    quartiles: (xs) => hinges(xs, true),
  }),
  statsAs("type 6, 90 %", ["quartiles=exclusive", "level=90"], {
    quartiles: quartilesBy(0),
    critical: t(0.95),
  }),
];

const ratersOf = (own: readonly Row[]): number =>
  Math.max(2, new Set(own.map((r) => r.rater)).size);
const atRank = (xs: number[], at: number): number =>
  ascending(xs)[Math.min(xs.length - 1, Math.max(0, Math.round(at) - 1))]!;

const otherSpreads: readonly Algorithm[] = [
  statsAs("standard error by raters", [], { sem: (std, _, own) => std / Math.sqrt(ratersOf(own)) }),
  statsAs("t by raters", [], { critical: (_, own) => studentQuantile(0.975, ratersOf(own) - 1) }),
  statsAs("standard error clustered by rater", [], {
    sem(_, xs, own) {
      const centre = avg(xs);
      const totals = partsOf(own, (r) => r.rater).map((of) => sum(of.map((r) => r.score - centre)));
      return Math.sqrt(sum(totals.map((t) => t * t))) / xs.length;
    },
  }),
  statsAs("standard error of a finite population", [], {
    sem: (std, xs) => (std / Math.sqrt(xs.length)) * Math.sqrt(0.9),
  }),
  statsAs("97.5 % interval", [], { critical: t(0.9875) }),
  statsAs("half an interval", [], { critical: (n) => t(0.975)(n) / 2 }),
  statsAs("sd of successive differences", [], {
    std: (xs) => Math.sqrt(avg(xs.slice(1).map((x, i) => (x - xs[i]!) ** 2)) / 2),
  }),
  statsAs("sd within raters", [], {
    std(xs, own) {
      const within = partsOf(own, (r) => r.rater).map((of) => {
        const centre = avg(of.map((r) => r.score));
        return sum(of.map((r) => (r.score - centre) ** 2));
      });
      return Math.sqrt(sum(within) / xs.length);
    },
  }),
  statsAs("mean difference for sd", [], {
    std: (xs) =>
      avg(xs.slice(0, 80).flatMap((x, i, some) => some.slice(0, i).map((y) => Math.abs(x - y)))),
  }),
  statsAs("quantiles averaged at steps", [], {
    quantile(xs, p) {
      const at = p * xs.length;
      return Number.isInteger(at)
        ? (atRank(xs, at) + atRank(xs, at + 1)) / 2
        : atRank(xs, Math.ceil(at));
    },
  }),
  statsAs("quantiles at the nearest even rank", [], {
    quantile: (xs, p) => atRank(xs, 2 * Math.round((p * xs.length) / 2)),
  }),
  statsAs("quantiles of grouped scores", [], {
    quantile(xs, p) {
      const m = seven(xs, p);
      const at = xs.filter((x) => x === m).length;
      return at === 0 ? m : m - 0.5 + (p * xs.length - xs.filter((x) => x < m).length) / at;
    },
  }),
  statsAs("1 % and 99 % as extremes", [], { extremes: (xs) => [seven(xs, 0.01), seven(xs, 0.99)] }),
  statsAs("second lowest and highest", [], {
    extremes: (xs) => [atRank(xs, 2), atRank(xs, xs.length - 1)],
  }),
];

const approvedBy = (
  name: string,
  of: (own: readonly Row[], all: readonly Row[]) => number,
  names: readonly string[] = [],
): Algorithm => ({
  name,
  names,
  kind: "percent_approved",
  families: ["approval"],
  of: (rows) =>
    mapped(
      grouped(rows, (r) => r.item),
      (own) => ({ value: 100 * of(own, rows), n: own.length }),
    ),
});
const approvals = (own: readonly Row[]): number => own.filter((r) => r.score > 0).length;
const share = (own: readonly Row[]): number => approvals(own) / Math.max(1, own.length);
const shares = (own: readonly Row[], key: (row: Row) => unknown): number[] =>
  partsOf(own, key).map(share);

const approvalConventions: readonly Algorithm[] = [
  approvedBy("fractions", (own) => share(own) / 100, ["scale=fraction"]),
  approvedBy("over n - 1", (own) => approvals(own) / (own.length - 1), ["denominator=n-1"]),
  approvedBy(
    "at the midpoint",
    (own, all) => {
      const scores = all.map((r) => r.score);
      const middle = (Math.min(...scores) + Math.max(...scores)) / 2;
      return own.filter((r) => r.score >= middle).length / own.length;
    },
    ["approved=midpoint"],
  ),
  approvedBy("fractions, over n - 1", (own) => approvals(own) / (own.length - 1) / 100, [
    "scale=fraction",
    "denominator=n-1",
  ]),
  approvedBy("share disapproved", (own) => 1 - share(own), ["share=rejected"]),
  approvedBy("approved less disapproved", (own) => 2 * share(own) - 1, ["share=net"]),
];

const otherApprovals: readonly Algorithm[] = [
  approvedBy(
    "Tukey's (k + 1/3)/(n + 2/3)",
    (own) => (approvals(own) + 1 / 3) / (own.length + 2 / 3),
  ),
  approvedBy(
    "shrunk by five answers",
    (own, all) => (approvals(own) + 5 * share(all)) / (own.length + 5),
  ),
  approvedBy("the newer half", (own) => share(own.slice(own.length >> 1))),
  approvedBy("the first 15 answers", (own) => share(own.slice(0, 15))),
  approvedBy("median of the raters' shares", (own) => medianOf(shares(own, (r) => r.rater))),
  approvedBy("raters who always approve", (own) =>
    shareOf(
      shares(own, (r) => r.rater),
      (of) => of === 1,
    ),
  ),
  approvedBy("relative to all answers", (own, all) => share(own) / share(all)),
  approvedBy("sessions weigh the same", (own) => avg(shares(own, (r) => r.session))),
  approvedBy("share of all approvals", (own, all) => approvals(own) / approvals(all)),
  approvedBy("upper end of Wald's interval", (own) => {
    const p = share(own);
    return p + 1.645 * Math.sqrt((p * (1 - p)) / own.length);
  }),
  approvedBy("logarithmic score", (own) => Math.log2(1 + share(own))),
];

export const scored = {
  definitions: [
    { ...meanOver("mean", avg), families: ["acr", "mushra", "approval"] },
    statsAs("stats", [], {}),
    approvedBy("percent_approved", share),
  ],
  conventions: [...meanConventions, ...spreadConventions, ...approvalConventions],
  others: [...otherMeans, ...otherSpreads, ...otherApprovals],
} satisfies Record<string, readonly Algorithm[]>;
