import { graded, mapped, type Algorithm, type Numbers, type Published } from "../bed/algorithm.js";
import {
  ascending,
  avg,
  grouped,
  medianOf,
  perRater,
  raterMeans,
  scoresBy,
  sd,
  sum,
  type ByItem,
} from "../bed/scored.js";
import type { Row } from "../bed/study.js";
import { countsIn } from "./counts.js";

const meanAs = (name: string, names: readonly string[], of: Algorithm["of"], families = graded): Algorithm => ({
  ...{ name, names, families, kind: "mean" },
  of: (rows, study, random) => countsIn(study, of(rows, study, random)),
});
const shown = (by: ByItem, value: (xs: number[]) => number): Published =>
  mapped(by, (xs) => ({ value: value(xs), n: xs.length }));
const over = (name: string, value: (xs: number[]) => number, names: readonly string[] = []): Algorithm =>
  meanAs(name, names, (rows) => shown(scoresBy(rows), value));

/** The mean over the groups of an item's ratings of each group's mean. */
const meanOfMeans =
  (key: (row: Row) => unknown): Algorithm["of"] =>
  (rows) =>
    new Map(
      [...grouped(rows, (r) => r.item)].map(([item, own]): [string, Numbers] => [
        item,
        { value: avg([...grouped(own, key).values()].map((part) => avg(part.map((r) => r.score)))), n: own.length },
      ]),
    );
const weighted =
  (weight: (row: Row, load: number) => number): Algorithm["of"] =>
  (rows) => {
    const loads = new Map([...grouped(rows, (r) => r.rater)].map(([rater, own]) => [rater, own.length]));
    return mapped(
      grouped(rows, (r) => r.item),
      (own) => {
        const weights = own.map((r) => weight(r, loads.get(r.rater) as number));
        return { value: sum(own.map((r, i) => r.score * (weights[i] as number))) / sum(weights), n: own.length };
      },
    );
  };

function huber(xs: readonly number[], k: number): number {
  const scale = 1.4826 * medianOf(xs.map((x) => Math.abs(x - medianOf(xs)))) || 1;
  let centre = medianOf(xs);
  for (let round = 0; round < 60; round++) {
    const weights = xs.map((x) => Math.min(1, (k * scale) / Math.max(1e-12, Math.abs(x - centre))));
    centre = sum(xs.map((x, i) => x * (weights[i] as number))) / sum(weights);
  }
  return centre;
}
function medianOfMeans(xs: readonly number[]): number {
  const parts = [0, 1, 2, 3, 4].map((p) => xs.filter((_, i) => i % 5 === p)).filter((part) => part.length > 0);
  return medianOf(parts.map(avg));
}
function mode(xs: readonly number[]): number {
  const counted = [
    ...grouped(
      xs.map((score) => ({ score }) as Row),
      (r) => r.score,
    ),
  ];
  return counted.sort(([a, x], [b, y]) => y.length - x.length || a - b)[0]?.[0] ?? NaN;
}
const cutBy = (share: number) => (xs: readonly number[]) => {
  const cut = Math.floor(share * xs.length);
  return ascending(xs).slice(cut, xs.length - cut);
};
/** The median of grouped scores, interpolated within its step of one. */
function interpolatedMedian(xs: readonly number[]): number {
  const m = medianOf(xs);
  const at = xs.filter((x) => x === m).length;
  const below = xs.filter((x) => x < m).length;
  return at === 0 ? m : m - 0.5 + (xs.length / 2 - below) / at;
}
const at = (xs: readonly number[], share: number): number => ascending(xs)[Math.floor(share * xs.length)] as number;
const clean = (xs: readonly number[]): number[] => xs.filter((x) => Math.abs(x - avg(xs)) <= 2 * sd(xs) + 1e-9);
const ranks: Algorithm["of"] = (rows) =>
  shown(
    perRater(rows, (x, all) => 1 + all.filter((y) => y < x).length + (all.filter((y) => y === x).length - 1) / 2),
    avg,
  );
const fixed =
  (of: (value: number, all: number[]) => number): Algorithm["of"] =>
  (rows) => {
    const means = new Map([...scoresBy(rows)].map(([item, xs]) => [item, { value: avg(xs), n: xs.length }]));
    const all = [...means.values()].map((m) => m.value);
    return mapped(means, ({ value, n }) => ({ value: of(value, all), n }));
  };

/** Conventions, alone and two together, and maps that a person may publish. */
const planted: readonly Algorithm[] = [
  over("1 to 5 shown as 0 to 100", (xs) => 25 * (avg(xs) - 1), ["scale", "shift"]),
  over("counted from 0", (xs) => avg(xs) - 1, ["shift"]),
  over("a hundredth", (xs) => avg(xs) / 100, ["scale"]),
  over("reversed, 6 - x", (xs) => 6 - avg(xs), ["scale", "shift"]),
  over("twice", (xs) => 2 * avg(xs), ["scale"]),
  over("median, a hundredth", (xs) => medianOf(xs) / 100, ["mean=median", "scale"]),
  meanAs(
    "least to best as 0 to 100",
    ["scale", "shift"],
    fixed((v, all) => {
      const [low, high] = [Math.min(...all), Math.max(...all)];
      return (100 * (v - low)) / (high - low);
    }),
  ),
  meanAs("each rater once, from 0", ["mean=rater_mean", "shift"], (rows) =>
    shown(raterMeans(rows), (xs) => avg(xs) - 1),
  ),
];

const others: readonly Algorithm[] = [
  over("Huber's mean", (xs) => huber(xs, 1.345)),
  over("Huber's mean, k 2", (xs) => huber(xs, 2)),
  over("median of means", medianOfMeans),
  over("most frequent score", mode),
  over("20 % winsorised", (xs) => {
    const kept = cutBy(0.2)(xs);
    return avg(xs.map((x) => Math.min(kept.at(-1) as number, Math.max(kept[0] as number, x))));
  }),
  over("5 % trimmed", (xs) => avg(cutBy(0.05)(xs))),
  over("interquartile mean", (xs) => avg(cutBy(0.25)(xs))),
  over("without highest and lowest", (xs) => avg(xs.length > 3 ? ascending(xs).slice(1, -1) : xs)),
  over("mean of least and greatest", (xs) => (Math.min(...xs) + Math.max(...xs)) / 2),
  over("trimean", (xs) => (at(xs, 0.25) + 2 * medianOf(xs) + at(xs, 0.75)) / 4),
  over("median of pairwise means", (xs) =>
    medianOf(xs.slice(0, 60).flatMap((x, i, some) => some.slice(i).map((y) => (x + y) / 2))),
  ),
  over("interpolated median", interpolatedMedian),
  over("lower median", (xs) => ascending(xs)[(xs.length - 1) >> 1] as number),
  over("upper median", (xs) => ascending(xs)[xs.length >> 1] as number),
  over("without what is 2 sd away", (xs) => avg(clean(xs))),
  over("cubic mean", (xs) => Math.cbrt(avg(xs.map((x) => x ** 3)))),
  over("mean of logarithms", (xs) => avg(xs.map((x) => Math.log(1 + Math.max(0, x))))),
  over("contraharmonic mean", (xs) => sum(xs.map((x) => x * x)) / sum(xs)),
  over("60 % quantile", (xs) => ascending(xs)[Math.floor(0.6 * xs.length)] as number),
  over("one zero more", (xs) => sum(xs) / (xs.length + 1)),
  over("lower end of an interval", (xs) => avg(xs) - (1.96 * sd(xs)) / Math.sqrt(xs.length)),
  over("mean less half a sd", (xs) => avg(xs) - sd(xs) / 2),
  meanAs(
    "mean over jobs of means",
    [],
    meanOfMeans((r) => r.job),
  ),
  meanAs(
    "mean over sessions of means",
    [],
    meanOfMeans((r) => r.session),
  ),
  meanAs(
    "mean over slates' means by rater parity",
    [],
    meanOfMeans((r) => r.rater % 2),
  ),
  meanAs(
    "weighted by position",
    [],
    weighted((r) => 1 + (r.slate % 7)),
  ),
  meanAs(
    "weighted by recency",
    [],
    weighted((r) => 0.97 ** -r.session),
  ),
  meanAs(
    "raters weighted by square root",
    [],
    weighted((_, load) => 1 / Math.sqrt(load)),
  ),
  meanAs("mean rank by rater", [], ranks),
  meanAs("z-scores over everything, by median", [], (rows) => {
    const all = rows.map((r) => r.score);
    const mad = medianOf(all.map((x) => Math.abs(x - medianOf(all)))) || 1;
    return shown(
      scoresBy(rows, (r) => Math.tanh((r.score - medianOf(all)) / mad)),
      avg,
    );
  }),
  meanAs("z-scores by half a session", [], (rows) =>
    shown(
      perRater(
        rows.map((r) => ({ ...r, rater: r.session + 1000 * (r.slate % 2) })),
        (x, all) => (sd(all) > 0 ? (x - avg(all)) / sd(all) : NaN),
      ),
      avg,
    ),
  ),
  meanAs("z-scores on the overall scale", [], (rows) => {
    const all = rows.map((r) => r.score);
    return shown(
      perRater(rows, (x, own) => avg(all) + (sd(own) > 0 ? (sd(all) * (x - avg(own))) / sd(own) : NaN)),
      avg,
    );
  }),
  meanAs("rater bias removed in two steps", [], (rows) => {
    const item = new Map([...scoresBy(rows)].map(([name, xs]) => [name, avg(xs)]));
    const bias = new Map(
      [...grouped(rows, (r) => r.rater)].map(([rater, own]) => [
        rater,
        avg(own.map((r) => r.score - (item.get(r.item) as number))),
      ]),
    );
    return shown(
      scoresBy(rows, (r) => r.score - (bias.get(r.rater) as number)),
      avg,
    );
  }),
  meanAs("10 prior votes at the middle", [], (rows) => {
    const grand = avg(rows.map((r) => r.score));
    return shown(scoresBy(rows), (xs) => (sum(xs) + 10 * grand) / (xs.length + 10));
  }),
  meanAs(
    "softmax of means",
    [],
    fixed((v, all) => (100 * Math.exp(v - Math.max(...all))) / sum(all.map((o) => Math.exp(o - Math.max(...all))))),
  ),
];

export const heldOutMeans = [...planted, ...others];
