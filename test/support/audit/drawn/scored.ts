import { studentQuantile } from "../../../../src/emulator/scoring/quantiles.js";
import { graded, mapped, type Algorithm, type Published } from "../bed/algorithm.js";
import { ascending, avg, grouped, medianOf, perRater, quantileBy, scoresBy, sd, sum } from "../bed/scored.js";
import type { Row } from "../bed/study.js";
import { approvedBy } from "../held-out/approvals.js";
import { countsIn, fieldsIn } from "../held-out/counts.js";

const meanAs = (name: string, of: (rows: readonly Row[]) => Map<string, number>): Algorithm => ({
  ...{ name, names: [], kind: "mean", families: graded },
  of(rows, study) {
    const counts = scoresBy(rows);
    return countsIn(
      study,
      mapped(of(rows), (value, item) => ({ value, n: counts.get(item)?.length ?? 0 })),
    );
  },
});
const over = (name: string, value: (xs: number[]) => number): Algorithm =>
  meanAs(name, (rows) => new Map([...scoresBy(rows)].map(([item, xs]) => [item, value(xs)])));
const byGroup =
  (key: (row: Row) => unknown, of: (means: number[]) => number) =>
  (rows: readonly Row[]): Map<string, number> =>
    new Map(
      [...grouped(rows, (r) => r.item)].map(([item, own]) => [
        item,
        of([...grouped(own, key).values()].map((part) => avg(part.map((r) => r.score)))),
      ]),
    );

function biweight(xs: readonly number[]): number {
  const centre = medianOf(xs);
  const mad = medianOf(xs.map((x) => Math.abs(x - centre))) || 1;
  const weights = xs.map((x) => Math.max(0, 1 - ((x - centre) / (6 * mad)) ** 2) ** 2);
  return sum(xs.map((x, i) => x * (weights[i] as number))) / sum(weights);
}

/** Without the raters who do not follow the others: a correlation below 0.5 with the items' means. */
function screened(rows: readonly Row[]): Map<string, number> {
  const means = new Map([...scoresBy(rows)].map(([item, xs]) => [item, avg(xs)]));
  const good = [...grouped(rows, (r) => r.rater).values()].filter((own) => {
    const [xs, ys] = [own.map((r) => r.score), own.map((r) => means.get(r.item) as number)];
    const [mx, my] = [avg(xs), avg(ys)];
    const cross = sum(xs.map((x, i) => (x - mx) * ((ys[i] as number) - my)));
    return cross / Math.sqrt(sum(xs.map((x) => (x - mx) ** 2)) * sum(ys.map((y) => (y - my) ** 2))) >= 0.5;
  });
  return new Map([...scoresBy(good.flat())].map(([item, xs]) => [item, avg(xs)]));
}

/** Raters weigh by how little they differ from the items' means. */
function reliable(rows: readonly Row[]): Map<string, number> {
  const means = new Map([...scoresBy(rows)].map(([item, xs]) => [item, avg(xs)]));
  const weight = new Map(
    [...grouped(rows, (r) => r.rater)].map(([rater, own]) => [
      rater,
      1 / (0.1 + avg(own.map((r) => (r.score - (means.get(r.item) as number)) ** 2))),
    ]),
  );
  const of = (own: readonly Row[], value: (r: Row) => number): number =>
    sum(own.map((r) => value(r) * (weight.get(r.rater) as number)));
  return new Map(
    [...grouped(rows, (r) => r.item)].map(([item, own]) => [item, of(own, (r) => r.score) / of(own, () => 1)]),
  );
}
const top = (rows: readonly Row[]): number => Math.max(...rows.map((r) => r.score));

export const drawnMeans: readonly Algorithm[] = [
  over("mean of the deciles", (xs) => (quantileBy(xs, 0.1, 1, 1) + quantileBy(xs, 0.9, 1, 1)) / 2),
  over("power mean of a half", (xs) => avg(xs.map((x) => Math.sqrt(Math.max(0, x)))) ** 2),
  over("logarithm of the mean exponential", (xs) => 10 * Math.log(avg(xs.map((x) => Math.exp(x / 10))))),
  over("Tukey's biweight", biweight),
  over("the newer half", (xs) => avg(xs.slice(xs.length >> 1))),
  over("smoothed, newest first", (xs) => xs.reduce((level, x) => 0.95 * level + 0.05 * x)),
  over("mean of the distinct scores", (xs) => avg([...new Set(xs)])),
  over("mean and median, mixed", (xs) => (avg(xs) + medianOf(xs)) / 2),
  over("mean plus a standard error", (xs) => avg(xs) + sd(xs) / Math.sqrt(xs.length)),
  over("30 % trimmed above", (xs) => avg(ascending(xs).slice(0, Math.ceil(0.7 * xs.length)))),
  over("55 % quantile", (xs) => quantileBy(xs, 0.55, 1, 1)),
  over("one median more", (xs) => (sum(xs) + medianOf(xs)) / (xs.length + 1)),
  meanAs("share of top two scores", (rows) => {
    const least = 0.75 * top(rows);
    return new Map(
      [...scoresBy(rows)].map(([item, xs]) => [item, (100 * xs.filter((x) => x >= least).length) / xs.length]),
    );
  }),
  meanAs("promoters less detractors", (rows) => {
    const high = top(rows);
    const share = (xs: number[], is: (x: number) => boolean): number => xs.filter(is).length / xs.length;
    return new Map(
      [...scoresBy(rows)].map(([item, xs]) => [
        item,
        100 * (share(xs, (x) => x >= 0.9 * high) - share(xs, (x) => x <= 0.6 * high)),
      ]),
    );
  }),
  meanAs("without raters who differ", screened),
  meanAs("raters by reliability", reliable),
  meanAs(
    "mean over blocks of five sessions",
    byGroup((r) => Math.floor(r.session / 5), avg),
  ),
  meanAs(
    "median over sessions of means",
    byGroup((r) => r.session, medianOf),
  ),
  meanAs(
    "best session",
    byGroup(
      (r) => r.session,
      (means) => Math.max(...means),
    ),
  ),
  meanAs("share of each rater's total", (rows) => {
    const by = perRater(rows, (x, all) => (sum(all) === 0 ? NaN : (100 * x * all.length) / sum(all)));
    return new Map([...by].map(([item, xs]) => [item, avg(xs)]));
  }),
  meanAs("share of raters below", (rows) => {
    const by = perRater(rows, (x, all) => (100 * all.filter((y) => y < x).length) / all.length);
    return new Map([...by].map(([item, xs]) => [item, avg(xs)]));
  }),
];

interface Rule {
  readonly std?: (xs: number[], own: readonly Row[]) => number;
  readonly sem?: (std: number, xs: number[], own: readonly Row[]) => number;
  readonly critical?: (n: number, own: readonly Row[]) => number;
  readonly quantile?: (xs: number[], p: number) => number;
  readonly ends?: (xs: number[]) => [number, number];
}
const ratersOf = (own: readonly Row[]): number => Math.max(2, new Set(own.map((r) => r.rater)).size);
const seven = (xs: number[], p: number): number => quantileBy(xs, p, 1, 1);

const statsAs = (name: string, rule: Rule): Algorithm => ({
  ...{ name, names: [], kind: "stats", families: graded },
  of(rows, study): Published {
    const all = mapped(
      grouped(rows, (r) => r.item),
      (own) => {
        const xs = own.map((r) => r.score);
        const std = rule.std?.(xs, own) ?? sd(xs);
        const sem = rule.sem?.(std, xs, own) ?? std / Math.sqrt(xs.length);
        const half = sem * (rule.critical?.(xs.length, own) ?? studentQuantile(0.975, xs.length - 1));
        const [min, max] = rule.ends?.(xs) ?? [Math.min(...xs), Math.max(...xs)];
        const at = rule.quantile ?? seven;
        const quartiles = { q1: at(xs, 0.25), median: at(xs, 0.5), q3: at(xs, 0.75) };
        const mean = avg(xs);
        return { n: xs.length, mean, std, sem, ci_low: mean - half, ci_high: mean + half, min, ...quartiles, max };
      },
    );
    return fieldsIn(study, all);
  },
});
const atRank = (xs: number[], at: number): number =>
  ascending(xs)[Math.min(xs.length - 1, Math.max(0, Math.round(at) - 1))] as number;

export const drawnStats: readonly Algorithm[] = [
  statsAs("standard error by raters", { sem: (std, _, own) => std / Math.sqrt(ratersOf(own)) }),
  statsAs("t by raters", { critical: (_, own) => studentQuantile(0.975, ratersOf(own) - 1) }),
  statsAs("standard error clustered by rater", {
    sem(_, xs, own) {
      const centre = avg(xs);
      const totals = [...grouped(own, (r) => r.rater).values()].map((of) => sum(of.map((r) => r.score - centre)));
      return Math.sqrt(sum(totals.map((t) => t * t))) / xs.length;
    },
  }),
  statsAs("standard error of a finite population", { sem: (std, xs) => (std / Math.sqrt(xs.length)) * Math.sqrt(0.9) }),
  statsAs("97.5 % interval", { critical: (n) => studentQuantile(0.9875, n - 1) }),
  statsAs("half an interval", { critical: (n) => studentQuantile(0.975, n - 1) / 2 }),
  statsAs("sd of successive differences", {
    std: (xs) => Math.sqrt(avg(xs.slice(1).map((x, i) => (x - (xs[i] as number)) ** 2)) / 2),
  }),
  statsAs("sd within raters", {
    std: (xs, own) =>
      Math.sqrt(
        sum(
          [...grouped(own, (r) => r.rater).values()].map((of) => {
            const centre = avg(of.map((r) => r.score));
            return sum(of.map((r) => (r.score - centre) ** 2));
          }),
        ) / xs.length,
      ),
  }),
  statsAs("mean difference for sd", {
    std: (xs) => avg(xs.slice(0, 80).flatMap((x, i, some) => some.slice(0, i).map((y) => Math.abs(x - y)))),
  }),
  statsAs("quantiles averaged at steps", {
    quantile(xs, p) {
      const at = p * xs.length;
      return Number.isInteger(at) ? (atRank(xs, at) + atRank(xs, at + 1)) / 2 : atRank(xs, Math.ceil(at));
    },
  }),
  statsAs("quantiles at the nearest even rank", {
    quantile: (xs, p) => atRank(xs, 2 * Math.round((p * xs.length) / 2)),
  }),
  statsAs("quantiles of grouped scores", {
    quantile(xs, p) {
      const m = seven(xs, p);
      const at = xs.filter((x) => x === m).length;
      return at === 0 ? m : m - 0.5 + (p * xs.length - xs.filter((x) => x < m).length) / at;
    },
  }),
  statsAs("1 % and 99 % as extremes", { ends: (xs) => [seven(xs, 0.01), seven(xs, 0.99)] }),
  statsAs("second lowest and highest", { ends: (xs) => [atRank(xs, 2), atRank(xs, xs.length - 1)] }),
];

const share = (own: readonly Row[]): number => own.filter((r) => r.score > 0).length / Math.max(1, own.length);

export const drawnApprovals: readonly Algorithm[] = [
  approvedBy("Tukey's (k + 1/3)/(n + 2/3)", (own) => (share(own) * own.length + 1 / 3) / (own.length + 2 / 3)),
  approvedBy("shrunk by five answers", (own, all) => (share(own) * own.length + 5 * share(all)) / (own.length + 5)),
  approvedBy("the newer half", (own) => share(own.slice(own.length >> 1))),
  approvedBy("the first 15 answers", (own) => share(own.slice(0, 15))),
  approvedBy("median of the raters' shares", (own) => medianOf([...grouped(own, (r) => r.rater).values()].map(share))),
  approvedBy("raters who always approve", (own) =>
    avg([...grouped(own, (r) => r.rater).values()].map((of) => Number(share(of) === 1))),
  ),
  approvedBy("relative to all answers", (own, all) => share(own) / share(all)),
  approvedBy("sessions weigh the same", (own) => avg([...grouped(own, (r) => r.session).values()].map(share))),
  approvedBy("share of all approvals", (own, all) => (share(own) * own.length) / (share(all) * all.length)),
  approvedBy("upper end of Wald's interval", (own) => {
    const p = share(own);
    return p + 1.645 * Math.sqrt((p * (1 - p)) / own.length);
  }),
  approvedBy("logarithmic score", (own) => Math.log2(1 + share(own))),
];
