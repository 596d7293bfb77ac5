import { studentQuantile } from "../../../../src/emulator/scoring/quantiles.js";
import { graded, mapped, scored, type Algorithm, type Published } from "./algorithm.js";
import {
  ascending,
  avg,
  hinges,
  medianOf,
  perRater,
  quantileBy,
  raterMeans,
  scoresBy,
  sd,
  sum,
  trimmed,
  winsorised,
  type ByItem,
} from "./scored.js";
import type { Row } from "./study.js";

const shown = (by: ByItem, value: (xs: number[]) => number): Published =>
  mapped(by, (xs) => ({ value: value(xs), n: xs.length }));

const own: Algorithm["of"] = (rows) => shown(scoresBy(rows), avg);
const meanAs = (name: string, names: readonly string[], of: Algorithm["of"], families = graded): Algorithm => ({
  name,
  kind: "mean",
  families,
  names,
  of,
});
const meanOver = (name: string, names: readonly string[], value: (xs: number[]) => number): Algorithm =>
  meanAs(name, names, (rows) => shown(scoresBy(rows), value));
const relative =
  (of: (value: number, all: readonly number[], first: number) => number): Algorithm["of"] =>
  (rows) => {
    const means = new Map([...scoresBy(rows)].map(([item, xs]) => [item, { value: avg(xs), n: xs.length }]));
    const all = [...means.values()].map((m) => m.value);
    const first = means.get([...means.keys()].sort()[0] as string)?.value as number;
    return mapped(means, ({ value, n }) => ({ value: of(value, all, first), n }));
  };
const z =
  (less: number): Algorithm["of"] =>
  (rows) =>
    shown(
      perRater(rows, (x, all) => {
        const s = sd(all, less);
        return all.length > less && s > 0 ? (x - avg(all)) / s : NaN;
      }),
      avg,
    );

const means: readonly Algorithm[] = [
  meanOver("median", ["mean=median"], medianOf),
  meanAs("each rater once", ["mean=rater_mean"], (rows) => shown(raterMeans(rows), avg)),
  meanAs("z-scores", ["mean=rater_z"], z(1)),
  meanAs("z-scores, sd by n", ["mean=rater_z_n"], z(0)),
  meanAs("min-max by rater", ["mean=rater_minmax"], (rows) =>
    shown(
      perRater(rows, (x, all) => (x - Math.min(...all)) / (Math.max(...all) - Math.min(...all))),
      avg,
    ),
  ),
  meanOver("sum over n - 1", ["denominator=n-1"], (xs) => sum(xs) / (xs.length - 1)),
  meanAs(
    "relative to the best",
    ["relative=best"],
    relative((v, all) => v - Math.max(...all)),
  ),
  meanAs(
    "relative to the first",
    ["relative=sys-00"],
    relative((v, _, first) => v - first),
  ),
  meanAs(
    "percent of the best",
    ["relative=percent_of_best"],
    relative((v, all) => (100 * v) / Math.max(...all)),
  ),
  meanOver("sum over n + 1", [], (xs) => sum(xs) / (xs.length + 1)),
  meanOver("10 % trimmed mean", [], (xs) => trimmed(xs, 0.1)),
  meanOver("25 % trimmed mean", [], (xs) => trimmed(xs, 0.25)),
  meanOver("winsorised mean", [], (xs) => winsorised(xs, 0.1)),
  meanOver("geometric mean", [], (xs) => Math.exp(avg(xs.map((x) => Math.log(Math.max(1, x)))))),
  meanOver("harmonic mean", [], (xs) => 1 / avg(xs.map((x) => 1 / Math.max(1, x)))),
  meanOver("root mean square", [], (xs) => Math.sqrt(avg(xs.map((x) => x * x)))),
  meanOver("mid-range of quartiles", [], (xs) => (quantileBy(xs, 0.25, 1, 1) + quantileBy(xs, 0.75, 1, 1)) / 2),
  meanAs("centred by rater", [], (rows) =>
    shown(
      perRater(rows, (x, all) => x - avg(all)),
      avg,
    ),
  ),
  meanAs("shrunk to the grand mean", [], (rows) => {
    const grand = avg(rows.map((r) => r.score));
    return shown(scoresBy(rows), (xs) => (sum(xs) + 5 * grand) / (xs.length + 5));
  }),
  meanAs("medians by rater", [], (rows) => shown(raterMeans(rows), medianOf)),
];

interface Spread {
  sd?: 0 | 1;
  critical?: (n: number) => number;
  quartiles?: (xs: number[]) => [number, number];
  of?: (rows: readonly Row[]) => ByItem;
  ends?: (xs: number[], random: () => number) => [number, number];
}
const t95 = (n: number): number => studentQuantile(0.975, n - 1);
const seven = (xs: number[]): [number, number] => [quantileBy(xs, 0.25, 1, 1), quantileBy(xs, 0.75, 1, 1)];
const bothBy =
  (a: number) =>
  (xs: number[]): [number, number] => [quantileBy(xs, 0.25, a, a), quantileBy(xs, 0.75, a, a)];

const statsAs = (
  name: string,
  names: readonly string[],
  { sd: less = 1, critical = t95, quartiles = seven, of = scoresBy, ends }: Spread,
): Algorithm => ({
  name,
  names,
  kind: "stats",
  families: graded,
  of: (rows, _, random) =>
    mapped(of(rows), (xs) => {
      const [mean, std] = [avg(xs), sd(xs, less)];
      const sem = std / Math.sqrt(xs.length);
      const half = sem * critical(xs.length);
      const [q1, q3] = quartiles(xs);
      const [ci_low, ci_high] = ends?.(xs, random) ?? [mean - half, mean + half];
      const s = ascending(xs);
      return {
        n: xs.length,
        mean,
        std,
        sem,
        ci_low,
        ci_high,
        min: s[0] as number,
        q1,
        median: medianOf(xs),
        q3,
        max: s.at(-1) as number,
      };
    }),
});
function bootstrap(xs: number[], random: () => number): [number, number] {
  const drawn = ascending(
    Array.from({ length: 400 }, () => avg(xs.map(() => xs[Math.floor(random() * xs.length)] as number))),
  );
  return [quantileBy(drawn, 0.025, 1, 1), quantileBy(drawn, 0.975, 1, 1)];
}

const stats: readonly Algorithm[] = [
  statsAs("sd by n", ["sd=n"], { sd: 0 }),
  statsAs("normal interval", ["interval=normal"], { critical: () => 1.959963984540054 }),
  statsAs("90 % interval", ["level=90"], { critical: (n) => studentQuantile(0.95, n - 1) }),
  statsAs("99 % interval", ["level=99"], { critical: (n) => studentQuantile(0.995, n - 1) }),
  statsAs("quartiles of type 6", ["quartiles=exclusive"], { quartiles: bothBy(0) }),
  statsAs("quartiles of type 8", ["quartiles=type_8"], { quartiles: bothBy(1 / 3) }),
  statsAs("quartiles of type 5", ["quartiles=type_5"], { quartiles: bothBy(0.5) }),
  statsAs("hinges", ["quartiles=hinges"], { quartiles: (xs) => hinges(xs, true) }),
  statsAs("halves without the middle", ["quartiles=halves"], { quartiles: (xs) => hinges(xs, false) }),
  statsAs("rater means", [], { of: raterMeans }),
  statsAs("bootstrap ends", [], { ends: bootstrap }),
  statsAs("normal bootstrap", [], {
    ends: (xs, random) => {
      const [a, b] = bootstrap(xs, random);
      const m = avg(xs);
      const h = (b - a) / 2;
      return [m - h, m + h];
    },
  }),
  statsAs("two standard errors", [], { critical: () => 2 }),
  statsAs("quartiles of type 9", [], { quartiles: bothBy(3 / 8) }),
  statsAs("t with n degrees", [], { critical: (n) => studentQuantile(0.975, n) }),
  statsAs("80 % interval", [], { critical: (n) => studentQuantile(0.9, n - 1) }),
];

const approvedAs = (name: string, names: readonly string[], value: (k: number, n: number) => number): Algorithm => ({
  name,
  names,
  kind: "percent_approved",
  families: ["approval"],
  of: (rows) =>
    mapped(scoresBy(rows), (xs) => ({ value: 100 * value(xs.filter((x) => x > 0).length, xs.length), n: xs.length })),
});
const approvals: readonly Algorithm[] = [
  approvedAs("fractions", ["scale=fraction"], (k, n) => k / n / 100),
  approvedAs("over n - 1", ["denominator=n-1"], (k, n) => k / (n - 1)),
  approvedAs("over n + 1", [], (k, n) => k / (n + 1)),
  approvedAs("Laplace", [], (k, n) => (k + 1) / (n + 2)),
  approvedAs("share of raters", [], (k, n) => Math.sqrt(k / n)),
];

export const scoredAlgorithms: readonly Algorithm[] = [...means, ...stats, ...approvals];

/** The definitions themselves. */
export const scoredDefinitions: readonly Algorithm[] = [
  meanAs("mean", [], own, scored),
  statsAs("stats", [], {}),
  approvedAs("percent_approved", [], (k, n) => k / n),
];
