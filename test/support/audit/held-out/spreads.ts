import { studentQuantile } from "../../../../src/emulator/scoring/quantiles.js";
import { graded, mapped, type Algorithm } from "../bed/algorithm.js";
import { ascending, avg, medianOf, quantileBy, raterMeans, scoresBy, sd, type ByItem } from "../bed/scored.js";
import type { Row } from "../bed/study.js";
import { fieldsIn } from "./counts.js";

interface Rule {
  sd?: (xs: number[]) => number;
  critical?: (n: number) => number;
  quartiles?: (xs: number[]) => [number, number];
  median?: (xs: number[]) => number;
  ends?: (xs: number[], std: number) => [number, number];
  of?: (rows: readonly Row[]) => ByItem;
  mean?: (xs: number[]) => number;
  extremes?: (xs: number[]) => [number, number];
}

const seven = (xs: number[]): [number, number] => [quantileBy(xs, 0.25, 1, 1), quantileBy(xs, 0.75, 1, 1)];
const rank = (xs: number[], at: number): number => ascending(xs)[Math.min(xs.length, Math.max(1, at)) - 1] as number;

const statsAs = (name: string, names: readonly string[], rule: Rule): Algorithm => ({
  ...{ name, names, families: graded, kind: "stats" },
  of: (rows, study) =>
    fieldsIn(
      study,
      mapped((rule.of ?? scoresBy)(rows), (xs) => {
        const std = (rule.sd ?? sd)(xs);
        const mean = (rule.mean ?? avg)(xs);
        const sem = std / Math.sqrt(xs.length);
        const half = sem * (rule.critical ?? ((n) => studentQuantile(0.975, n - 1)))(xs.length);
        const [q1, q3] = (rule.quartiles ?? seven)(xs);
        const [ci_low, ci_high] = rule.ends?.(xs, std) ?? [mean - half, mean + half];
        const [min, max] = rule.extremes?.(xs) ?? [Math.min(...xs), Math.max(...xs)];
        const median = (rule.median ?? medianOf)(xs);
        return { n: xs.length, mean, std, sem, ci_low, ci_high, min, q1, median, q3, max };
      }),
    ),
});

const byRank =
  (low: (n: number) => number, high: (n: number) => number) =>
  (xs: number[]): [number, number] => [rank(xs, low(xs.length)), rank(xs, high(xs.length))];

const planted: readonly Algorithm[] = [
  statsAs("sd by n, normal interval", ["sd=n", "interval=normal"], {
    sd: (xs) => sd(xs, 0),
    critical: () => 1.959963984540054,
  }),
  statsAs("90 %, normal", ["level=90", "interval=normal"], { critical: () => 1.6448536269514722 }),
  statsAs("99 %, normal", ["level=99", "interval=normal"], { critical: () => 2.5758293035489004 }),
  statsAs("99 %, sd by n", ["level=99", "sd=n"], {
    sd: (xs) => sd(xs, 0),
    critical: (n) => studentQuantile(0.995, n - 1),
  }),
  statsAs("hinges, sd by n", ["quartiles=hinges", "sd=n"], {
    sd: (xs) => sd(xs, 0),
    quartiles: (xs) => {
      const s = ascending(xs);
      const half = Math.ceil(s.length / 2);
      return [medianOf(s.slice(0, half)), medianOf(s.slice(s.length - half))];
    },
  }),
  statsAs("type 6, 90 %", ["quartiles=exclusive", "level=90"], {
    quartiles: (xs) => [quantileBy(xs, 0.25, 0, 0), quantileBy(xs, 0.75, 0, 0)],
    critical: (n) => studentQuantile(0.95, n - 1),
  }),
];

const others: readonly Algorithm[] = [
  statsAs("quartiles at the nearest rank", [], {
    quartiles: byRank(
      (n) => Math.ceil(n / 4),
      (n) => Math.ceil((3 * n) / 4),
    ),
  }),
  statsAs("quartiles at the floor", [], {
    quartiles: byRank(
      (n) => Math.floor(n / 4) + 1,
      (n) => Math.floor((3 * n) / 4) + 1,
    ),
  }),
  statsAs("quartiles of type 4", [], { quartiles: (xs) => [quantileBy(xs, 0.25, 0, 1), quantileBy(xs, 0.75, 0, 1)] }),
  statsAs("10th and 90th as quartiles", [], {
    quartiles: (xs) => [quantileBy(xs, 0.1, 1, 1), quantileBy(xs, 0.9, 1, 1)],
  }),
  statsAs("mean of types 6 and 7", [], {
    quartiles: (xs) => [
      (quantileBy(xs, 0.25, 0, 0) + quantileBy(xs, 0.25, 1, 1)) / 2,
      (quantileBy(xs, 0.75, 0, 0) + quantileBy(xs, 0.75, 1, 1)) / 2,
    ],
  }),
  statsAs("lower median", [], { median: (xs) => rank(xs, (xs.length + 1) >> 1) }),
  statsAs("sd by n - 1.5", [], { sd: (xs) => sd(xs, 1.5) }),
  statsAs("sd corrected by c4", [], { sd: (xs) => sd(xs) * (1 + 1 / (4 * xs.length)) }),
  statsAs("sd from the quartiles", [], { sd: (xs) => (seven(xs)[1] - seven(xs)[0]) / 1.349 }),
  statsAs("sd from the range", [], { sd: (xs) => (Math.max(...xs) - Math.min(...xs)) / 4 }),
  statsAs("mean absolute deviation", [], { sd: (xs) => avg(xs.map((x) => Math.abs(x - avg(xs)))) }),
  statsAs("sd around the median", [], { sd: (xs) => Math.sqrt(avg(xs.map((x) => (x - medianOf(xs)) ** 2))) }),
  statsAs("t with n - 2", [], { critical: (n) => studentQuantile(0.975, Math.max(1, n - 2)) }),
  statsAs("98 % interval", [], { critical: (n) => studentQuantile(0.99, n - 1) }),
  statsAs("85 % interval", [], { critical: (n) => studentQuantile(0.925, n - 1) }),
  statsAs("one standard error", [], { critical: () => 1 }),
  statsAs("three standard errors", [], { critical: () => 3 }),
  statsAs("Bonferroni for 6 items", [], { critical: (n) => studentQuantile(1 - 0.025 / 6, n - 1) }),
  statsAs("two-sided normal at 1.64", [], { critical: () => 1.64 }),
  statsAs("interval of the median", [], {
    ends: (xs) => [
      rank(xs, Math.floor(xs.length / 2 - 0.98 * Math.sqrt(xs.length))),
      rank(xs, Math.ceil(1 + xs.length / 2 + 0.98 * Math.sqrt(xs.length))),
    ],
  }),
  statsAs("2.5th and 97.5th percentile", [], {
    ends: (xs) => [quantileBy(xs, 0.025, 1, 1), quantileBy(xs, 0.975, 1, 1)],
  }),
  statsAs("mean and sd", [], { ends: (xs, std) => [avg(xs) - std, avg(xs) + std] }),
  statsAs("sessions as the units of the interval", [], { critical: (n) => studentQuantile(0.975, n - 1) * 1.4 }),
  statsAs("each rater's mean, of all", [], { of: raterMeans, sd: (xs) => sd(xs, 0) }),
  statsAs("without the extremes", [], {
    of: (rows) =>
      new Map([...scoresBy(rows)].map(([item, xs]) => [item, xs.length > 4 ? ascending(xs).slice(1, -1) : xs])),
  }),
  statsAs("trimmed mean, sd of all", [], { mean: (xs) => avg(xs.length > 4 ? ascending(xs).slice(1, -1) : xs) }),
  statsAs("whiskers for extremes", [], {
    extremes: (xs) => {
      const [a, b] = seven(xs);
      const kept = xs.filter((x) => x >= a - 1.5 * (b - a) && x <= b + 1.5 * (b - a));
      return [Math.min(...kept), Math.max(...kept)];
    },
  }),
];

export const heldOutSpreads = [...planted, ...others];
