// The published rows of each kind of metric.
import { groupsOf } from "../../platform/index.js";
import { emulatedBayesianElo } from "./bayesian-elo.js";
import {
  type ScoredPair,
  scoredPairs,
  emulatedElo,
  shareChosen,
  tally,
  itemNamer,
  shareOf,
} from "./comparisons.js";
import type { Convention } from "./convention.js";
import type { ScoredSlate } from "./population.js";
import { studentQuantile } from "./quantiles.js";

/** The fields of the kind, by item. Null: not defined for so few ratings. */
export type PublishedRow = { stimulus: string } & Record<string, string | number | null>;

type RowsByItem = ReadonlyMap<string, Readonly<Record<string, number | null>>>;
type KindTable = (
  slates: readonly ScoredSlate[],
  dimension: string | null,
  convention: Convention,
) => RowsByItem;

const mappedItems = <V>(
  source: ReadonlyMap<string, V>,
  row: (value: V) => Record<string, number | null>,
): RowsByItem => new Map([...source].map(([item, value]) => [item, row(value)]));

const ofPairs =
  (table: (comparisons: readonly ScoredPair[], convention: Convention) => RowsByItem): KindTable =>
  (slates, dimension, convention) => {
    const comparisons = scoredPairs(slates, dimension, convention);
    return table(convention.order === "reversed" ? comparisons.reverse() : comparisons, convention);
  };

const scorers = {
  bayesian_elo: ofPairs((comparisons, convention) =>
    emulatedBayesianElo(comparisons, convention.bayesian_elo),
  ),
  elo: ofPairs((comparisons, convention) =>
    mappedItems(emulatedElo(comparisons, convention.elo), (value) => ({ value })),
  ),
  mean: (slates, dimension, convention) =>
    mappedItems(means(scoredItems(slates, dimension, convention), convention), (own) => ({
      ...own,
    })),
  percent_approved: (slates, dimension, convention) =>
    mappedItems(approvals(scoredItems(slates, dimension, convention), convention), (own) => ({
      ...own,
    })),
  percent_chosen: ofPairs((comparisons, convention) =>
    mappedItems(tally(comparisons), (own) => shareChosen(own, convention)),
  ),
  stats: (slates, dimension, convention) =>
    mappedItems(scoredItems(slates, dimension, convention), (own) =>
      statsOf(
        own.map(({ score }) => score),
        convention,
      ),
    ),
  win_loss: ofPairs((comparisons) => mappedItems(tally(comparisons), (own) => ({ ...own }))),
} satisfies Record<string, KindTable>;

export type ScoredKind = keyof typeof scorers;
export const scoredKinds = Object.keys(scorers) as ScoredKind[];

/** Items in alphabetical order. */
export function score(
  kind: ScoredKind,
  dimension: string,
  slates: readonly ScoredSlate[],
  convention: Convention,
): PublishedRow[] {
  const counted = convention.dimension === "*" ? null : (convention.dimension ?? dimension);
  const rows = [...scorers[kind](slates, counted, convention)];
  return rows
    .map(([stimulus, row]) => ({ stimulus, ...row }))
    .sort((x, y) => (x.stimulus < y.stimulus ? -1 : 1));
}

interface RaterScore {
  score: number;
  rater: string;
}

type ScoresOfItems = ReadonlyMap<string, readonly RaterScore[]>;

/** `dimension` null: all. Null scores are left out. */
function scoredItems(
  slates: readonly ScoredSlate[],
  dimension: string | null,
  convention: Convention,
): ScoresOfItems {
  const ratings = slates.flatMap((slate) =>
    slate.ratings.filter(
      (r) => r.score !== null && (dimension === null || r.dimension === dimension),
    ),
  );
  const scores = ({ score, rater_id }: (typeof ratings)[number]): RaterScore => ({
    score: Number(score),
    rater: String(rater_id),
  });
  return new Map(
    [...groupsOf(ratings, itemNamer(convention))].map(([item, own]) => [item, own.map(scores)]),
  );
}

function average(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

function standardDeviation(values: readonly number[], divisor: number): number {
  const centre = average(values);
  let sum = 0;
  for (const value of values) sum += (value - centre) ** 2;
  return Math.sqrt(sum / divisor);
}

/** Interpolated; `place` counts from 0. */
function valueAt(sorted: readonly number[], place: number): number {
  const at = Math.min(sorted.length - 1, Math.max(0, place));
  const low = sorted[Math.floor(at)] ?? NaN;
  const high = sorted[Math.ceil(at)] ?? NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** Quantile of sorted values by linear interpolation (type 7). */
const quantileOf = (sorted: readonly number[], p: number): number =>
  valueAt(sorted, (sorted.length - 1) * p);

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** Hyndman and Fan (1996), counted from 0. */
const placeOfQuantile: Record<string, (n: number, p: number) => number> = {
  linear: (n, p) => (n - 1) * p,
  exclusive: (n, p) => (n + 1) * p - 1,
  type_5: (n, p) => n * p - 0.5,
  type_8: (n, p) => (n + 1 / 3) * p + 1 / 3 - 1,
};

/** Quantiles of a type, or medians of the halves, with (`hinges`) or without the middle. */
function quartiles(
  sorted: readonly number[],
  rule: Convention["stats"]["quartiles"],
): [number, number] {
  const n = sorted.length;
  const place = placeOfQuantile[rule];
  if (place !== undefined)
    return [valueAt(sorted, place(n, 0.25)), valueAt(sorted, place(n, 0.75))];
  const half = Math.max(1, rule === "hinges" ? Math.ceil(n / 2) : Math.floor(n / 2));
  return [quantileOf(sorted.slice(0, half), 0.5), quantileOf(sorted.slice(n - half), 0.5)];
}

/** Two-sided. */
const normalQuantiles = { 90: 1.6448536269514722, 95: 1.959963984540054, 99: 2.5758293035489004 };

function interval(
  sorted: readonly number[],
  mean: number,
  sem: number | null,
  stats: Convention["stats"],
): [number | null, number | null] {
  if (sem === null || (stats.interval === "t" && sorted.length < 2)) return [null, null];
  const upper = 0.5 + stats.level / 200;
  if (stats.interval === "bootstrap") {
    const means = resampledMeans(sorted, stats.bootstrap_samples, stats.seed);
    return [quantileOf(means, 1 - upper), quantileOf(means, upper)];
  }
  const half =
    sem *
    (stats.interval === "normal"
      ? normalQuantiles[stats.level]
      : studentQuantile(upper, sorted.length - 1));
  return [mean - half, mean + half];
}

/** Drawn with replacement, in ascending order. */
function resampledMeans(values: readonly number[], samples: number, seed: number): number[] {
  // A generator of the emulator's own (xorshift32), so that it shares nothing with what it checks.
  // The state must not be 0.
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1;
  const drawn = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return values[Math.floor(((state >>> 0) / 2 ** 32) * values.length)] ?? 0;
  };
  return ascending(Array.from({ length: samples }, () => average(values.map(drawn))));
}

/** With a single score, the spread and everything derived from it are null. */
function statsOf(scores: readonly number[], { stats }: Convention): Record<string, number | null> {
  const sorted = ascending(scores);
  const n = sorted.length;
  const mean = average(sorted);
  const divisor = stats.sd === "n" ? n : n - 1;
  const std = divisor > 0 ? standardDeviation(sorted, divisor) : null;
  const sem = std === null ? null : std / Math.sqrt(n);
  const [ci_low, ci_high] = interval(sorted, mean, sem, stats);
  const [q1, q3] = quartiles(sorted, stats.quartiles);
  const median = quantileOf(sorted, 0.5);
  return {
    n,
    mean,
    std,
    sem,
    ci_low,
    ci_high,
    min: sorted[0] ?? null,
    q1,
    median,
    q3,
    max: sorted[n - 1] ?? null,
  };
}

type Share = { value: number | null; n: number };

/** Approving: above zero, or at least the middle of the scores seen in the dimension. */
function approvals(
  items: ScoresOfItems,
  convention: Convention,
): Map<string, Share & { approved: number }> {
  let low = Infinity;
  let high = -Infinity;
  for (const { score } of [...items.values()].flat()) {
    low = Math.min(low, score);
    high = Math.max(high, score);
  }
  const middle = (low + high) / 2;
  const isApproving = (score: number): boolean =>
    convention.approved === "midpoint" ? score >= middle : score > 0;
  return new Map(
    [...items].map(([item, own]) => {
      const approved = own.filter(({ score }) => isApproving(score)).length;
      return [item, { value: shareOf(approved, own.length, convention), n: own.length, approved }];
    }),
  );
}

function means(items: ScoresOfItems, convention: Convention): Map<string, Share> {
  const { mean: kind, denominator } = convention;
  const found = new Map<string, Share>();
  for (const [item, own] of onRaterScales(items, kind)) {
    const scores = own.map(({ score }) => score);
    const values =
      kind === "rater_mean"
        ? [...groupsOf(own, ({ rater }) => rater).values()].map(averageScore)
        : scores;
    const n = values.length;
    const value = kind === "median" ? quantileOf(ascending(values), 0.5) : average(values);
    if (denominator === "n") found.set(item, { value, n });
    else found.set(item, { value: n > 1 ? value * (1 + 1 / (n - 1)) : null, n });
  }
  return found;
}

const averageScore = (own: readonly RaterScore[]): number => average(own.map(({ score }) => score));

/** `unit` 0: the rater never varies. */
type ScaleOfScores = (scores: readonly number[]) => { zero: number; unit: number };

const standard =
  (less: number): ScaleOfScores =>
  (scores) => ({
    zero: average(scores),
    unit: scores.length > less ? standardDeviation(scores, scores.length - less) : 0,
  });

const raterScales: Partial<Record<Convention["mean"], ScaleOfScores>> = {
  rater_z: standard(1),
  rater_z_n: standard(0),
  rater_minmax: (scores) => ({
    zero: Math.min(...scores),
    unit: Math.max(...scores) - Math.min(...scores),
  }),
};

/** Ratings of a rater who never varies do not count. */
function onRaterScales(items: ScoresOfItems, kind: Convention["mean"]): ScoresOfItems {
  const scaleOf = raterScales[kind];
  if (scaleOf === undefined) return items;
  const byRater = groupsOf([...items.values()].flat(), ({ rater }) => rater);
  const raters = new Map(
    [...byRater].map(([rater, own]) => [rater, scaleOf(own.map(({ score }) => score))]),
  );
  const scaled = [...items].map(([item, own]) => {
    const rows = own.flatMap(({ rater, score }) => {
      const { zero = 0, unit = 0 } = raters.get(rater) ?? {};
      return unit === 0 ? [] : [{ rater, score: (score - zero) / unit }];
    });
    return [item, rows] as const;
  });
  return new Map(scaled.filter(([, own]) => own.length > 0));
}
