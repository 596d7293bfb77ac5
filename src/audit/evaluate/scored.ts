import { type Conventions, normalQuantile, tQuantile } from "../../metrics/index.js";
import { type RatingColumns, itemsOf, selectRatings, type Population } from "../ratings/index.js";
import type { Table } from "../target/index.js";

/** The counted scores of each item, ascending. */
export interface ScoresByItem {
  readonly items: readonly string[];
  readonly scores: readonly Float64Array[];
}

export interface RatedByItem extends ScoresByItem {
  /** The rater of each score, in the order in which the ratings stand; parallel to `unsorted`. */
  readonly raters: readonly Int32Array[];
  readonly unsorted: readonly Float64Array[];
}

export function scoresByItem(ratings: RatingColumns, p: Population): RatedByItem {
  const chosen = selectRatings(ratings, p);
  const { names, ofStimulus } = itemsOf(ratings, p.item);
  const counts = new Int32Array(names.length);
  for (let i = 0; i < chosen.length; i++) {
    if (chosen[i] === 1)
      counts[at(ofStimulus, ratings.stimulus, i)] = (counts[at(ofStimulus, ratings.stimulus, i)] as number) + 1;
  }
  const unsorted = Array.from(counts, (n) => new Float64Array(n));
  const raters = Array.from(counts, (n) => new Int32Array(n));
  const filled = new Int32Array(names.length);
  for (let i = 0; i < chosen.length; i++) {
    if (chosen[i] === 0) continue;
    const item = at(ofStimulus, ratings.stimulus, i);
    const slot = filled[item] as number;
    filled[item] = slot + 1;
    (unsorted[item] as Float64Array)[slot] = ratings.score[i] as number;
    (raters[item] as Int32Array)[slot] = ratings.rater[i] as number;
  }
  const present = names.map((_, i) => i).filter((i) => (counts[i] as number) > 0);
  const pick = <T>(values: readonly T[]): T[] => present.map((i) => values[i] as T);
  return {
    items: pick(names),
    unsorted: pick(unsorted),
    raters: pick(raters),
    scores: pick(unsorted).map((s) => s.toSorted()),
  };
}

function at(ofStimulus: Int32Array, stimulus: Int32Array, i: number): number {
  return ofStimulus[stimulus[i] as number] as number;
}

const table = (items: readonly string[], columns: Record<string, number[]>): Table => ({
  items,
  columns: Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, Float64Array.from(values)])),
});

/** Linear interpolation (type 7) in ascending `scores`. */
export function quantile(scores: Float64Array, probability: number): number {
  const position = (scores.length - 1) * probability;
  const low = scores[Math.floor(position)] ?? NaN;
  const high = scores[Math.ceil(position)] ?? NaN;
  return low + (high - low) * (position - Math.floor(position));
}

/** Sum with a running compensation (Neumaier), so that the order of ratings does not show. */
export function exactSum(values: Float64Array | readonly number[]): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

export const meanOf = (values: Float64Array | readonly number[]): number => exactSum(values) / values.length;

function deviation(values: Float64Array, divisor: number): number {
  const mean = meanOf(values);
  return Math.sqrt(exactSum(values.map((v) => (v - mean) ** 2)) / divisor);
}

export function stats({ items, scores }: ScoresByItem, { stats: { sd, interval } }: Conventions): Table {
  const n = scores.map((s) => s.length);
  const mean = scores.map(meanOf);
  const std = scores.map((s) => deviation(s, sd === "n" ? s.length : s.length - 1));
  const sem = std.map((d, i) => d / Math.sqrt(n[i] as number));
  const factor = n.map((count) =>
    interval === "normal" ? normalQuantile(0.975) : count > 1 ? tQuantile(0.975, count - 1) : NaN,
  );
  const half = sem.map((e, i) => e * (factor[i] as number));
  return table(items, {
    n,
    mean,
    std,
    sem,
    ci_low: mean.map((m, i) => m - (half[i] as number)),
    ci_high: mean.map((m, i) => m + (half[i] as number)),
    min: scores.map((s) => s[0] ?? NaN),
    q1: scores.map((s) => quantile(s, 0.25)),
    median: scores.map((s) => quantile(s, 0.5)),
    q3: scores.map((s) => quantile(s, 0.75)),
    max: scores.map((s) => s.at(-1) ?? NaN),
  });
}

export function percentApproved({ items, scores }: ScoresByItem, conventions: Conventions): Table {
  const low = Math.min(...scores.map((s) => s[0] ?? Infinity));
  const high = Math.max(...scores.map((s) => s.at(-1) ?? -Infinity));
  const middle = (low + high) / 2;
  const approves = conventions.approved === "midpoint" ? (s: number) => s >= middle : (s: number) => s > 0;
  const n = scores.map((s) => s.length);
  const approved = scores.map((s) => s.filter(approves).length);
  return table(items, {
    approved,
    n,
    value: approved.map((k, i) => (conventions.percent_scale * k) / (n[i] as number)),
  });
}

export function mean(rated: RatedByItem, conventions: Conventions): Table {
  const { items, scores } = rated;
  const samples = {
    mean: () => scores,
    median: () => scores,
    rater_mean: () => rated.unsorted.map((s, i) => raterMeans(s, rated.raters[i] as Int32Array)),
    rater_z: () => zScores(rated),
  }[conventions.mean]();
  const value = conventions.mean === "median" ? scores.map((s) => quantile(s, 0.5)) : samples.map(meanOf);
  return table(items, { value, n: samples.map((s) => s.length) });
}

function raterMeans(scores: Float64Array, raters: Int32Array): Float64Array {
  return Float64Array.from([...groupByRater([scores], [raters]).values()].map(meanOf));
}

function groupByRater(scores: readonly Float64Array[], raters: readonly Int32Array[]): Map<number, number[]> {
  const byRater = new Map<number, number[]>();
  scores.forEach((s, item) =>
    s.forEach((score, i) => {
      const rater = raters[item]?.[i] as number;
      const own = byRater.get(rater);
      if (own) own.push(score);
      else byRater.set(rater, [score]);
    }),
  );
  return byRater;
}

/** (score - rater's mean) / rater's sd (n - 1); the scores of a rater who never varies are left out. */
function zScores({ unsorted, raters }: RatedByItem): Float64Array[] {
  const scale = new Map(
    [...groupByRater(unsorted, raters)].map(([rater, scores]) => {
      const own = Float64Array.from(scores);
      return [rater, { mean: meanOf(own), sd: deviation(own, own.length - 1) }] as const;
    }),
  );
  return unsorted.map((scores, item) =>
    scores
      .map((score, i) => {
        const own = scale.get(raters[item]?.[i] as number);
        return own && own.sd > 0 ? (score - own.mean) / own.sd : NaN;
      })
      .filter((z) => !Number.isNaN(z)),
  );
}
