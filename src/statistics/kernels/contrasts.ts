/** Tests of differences, intervals of ranks and the probability of being the best. */
import { newTable, tQuantile, tTail, zeroShare } from "../../metrics/index.js";
import { seededRandom } from "../../platform/index.js";
import { chiSquaredDraws, normalDraws, semiFactor } from "./simulation.js";

/** Comparable estimates; matrices are in row-major order. */
export interface Estimates {
  readonly value: Float64Array;
  /** Clustered by rater. */
  readonly covariance: Float64Array;
  /** Raters behind a difference; fewer than two if it has no error. */
  readonly raters: (i: number, j: number) => number;
  /** The items in the order in which they are drawn. */
  readonly order: ArrayLike<number>;
}

/** Spelled out in `sql/statistics/`. */
export const reasons = {
  none: 0,
  fewRaters: 1,
  noVariation: 2,
  manyItems: 4,
  fewItems: 5,
} as const;

/** Pairs with `item_1` < `item_2`; tests are null where there is a reason. */
export const differenceTypes = {
  item_1: "integer",
  item_2: "integer",
  difference: "double",
  std_error: "double",
  df: "double",
  p: "double",
  p_holm: "double",
  p_bh: "double",
  half_width: "double",
  reason: "integer",
} as const;

export type Differences = Readonly<Record<keyof typeof differenceTypes, ArrayLike<number>>>;

const level = 0.05;

/** All pairs: two-sided p-values of Student's t with one degree of freedom fewer than raters. */
export function differencesOf({ value, covariance, raters }: Estimates): Differences {
  const items = value.length;
  const { columns, add } = newTable(differenceTypes);
  for (let i = 0; i < items; i++)
    for (let j = i + 1; j < items; j++) {
      const pair = { item_1: i, item_2: j, difference: value[i]! - value[j]! };
      const df = raters(i, j) - 1;
      const variance = varianceOf(covariance, items, i, j);
      const scale = covariance[i * items + i]! + covariance[j * items + j]!;
      if (df < 1) add({ ...pair, reason: reasons.fewRaters });
      else if (!(variance > zeroShare * scale)) add({ ...pair, reason: reasons.noVariation });
      else {
        const error = Math.sqrt(variance);
        add({
          ...pair,
          std_error: error,
          df,
          p: tTail(pair.difference / error, df),
          half_width: tQuantile(0.975, df) * error,
          reason: reasons.none,
        });
      }
    }
  const p = Float64Array.from(columns.p);
  return { ...columns, p_holm: holm(p), p_bh: benjaminiHochberg(p) };
}

const varianceOf = (covariance: Float64Array, items: number, i: number, j: number): number =>
  covariance[i * items + i]! + covariance[j * items + j]! - 2 * covariance[i * items + j]!;

const orderedByP = (p: Float64Array): number[] =>
  Array.from(p.keys())
    .filter((at) => !Number.isNaN(p[at]))
    .sort((a, b) => p[a]! - p[b]! || a - b);

/** Familywise correction (Holm 1979). */
export function holm(p: Float64Array): Float64Array {
  const order = orderedByP(p);
  const corrected = new Float64Array(p.length).fill(NaN);
  let last = 0;
  order.forEach(
    (at, k) => (corrected[at] = last = Math.max(last, Math.min(1, (order.length - k) * p[at]!))),
  );
  return corrected;
}

/** Correction for the false discovery rate (Benjamini and Hochberg 1995). */
function benjaminiHochberg(p: Float64Array): Float64Array {
  const order = orderedByP(p);
  const corrected = new Float64Array(p.length).fill(NaN);
  let last = 1;
  for (let k = order.length - 1; k >= 0; k--) {
    const at = order[k]!;
    corrected[at] = last = Math.min(last, (order.length / (k + 1)) * p[at]!);
  }
  return corrected;
}

/**
 * The 95 % interval of each item's rank, and the corrected p-values of the differences from
 * `first`. The family of an item is its n − 1 comparisons (Mogstad, Romano, Shaikh and Wilhelm
 * 2024), so that the interval of the first is 1 alone where the test separates it from all others.
 */
export function rankIntervals(
  items: number,
  first: number,
  { item_1, item_2, difference, p }: Pick<Differences, "item_1" | "item_2" | "difference" | "p">,
): { best: Int32Array; worst: Int32Array; pFirst: Float64Array } {
  const best = new Int32Array(items).fill(1);
  const worst = new Int32Array(items).fill(items);
  const pFirst = new Float64Array(items).fill(NaN);
  const pairsOf = Array.from({ length: items }, (): number[] => []);
  for (let pair = 0; pair < item_1.length; pair++)
    for (const item of [item_1[pair]!, item_2[pair]!]) pairsOf[item]!.push(pair);
  pairsOf.forEach((pairs, item) => {
    const corrected = holm(Float64Array.from(pairs, (pair) => p[pair]!));
    pairs.forEach((pair, k) => {
      const isOne = item_1[pair] === item;
      if (item === first) pFirst[isOne ? item_2[pair]! : item_1[pair]!] = corrected[k]!;
      if (!(corrected[k]! < level)) return;
      if (difference[pair]! > 0 === isOne) worst[item]! -= 1;
      else best[item]! += 1;
    });
  });
  return { best, worst, pFirst };
}

const contrastDraws = 10_000;

export const fewestDegrees = ({ df }: Differences): number =>
  Array.from(df).reduce((a, b) => Math.min(a, b), Infinity);

/**
 * Share of 10,000 draws (seed 1) from the multivariate t distribution in which each item is best:
 * with few raters, normal draws would call one of two equal items the best.
 */
export function probabilityBest(
  { value, covariance, order }: Pick<Estimates, "value" | "covariance" | "order">,
  df: number,
): Float64Array {
  const items = value.length;
  const ordered = Float64Array.from(
    covariance.keys(),
    (cell) => covariance[order[Math.floor(cell / items)]! * items + order[cell % items]!]!,
  );
  const factor = semiFactor(ordered, items);
  const normal = normalDraws(seededRandom(1));
  const chiSquared = chiSquaredDraws(df, normal);
  const wins = new Float64Array(items);
  const z = new Float64Array(items);
  for (let draw = 0; draw < contrastDraws; draw++) {
    const scale = Math.sqrt(df / chiSquared());
    for (let k = 0; k < items; k++) z[k] = scale * normal();
    let best = 0;
    let highest = -Infinity;
    for (let i = 0; i < items; i++) {
      let drawn = value[order[i]!]!;
      for (let k = 0; k <= i; k++) drawn += factor[i * items + k]! * z[k]!;
      if (drawn > highest) {
        highest = drawn;
        best = i;
      }
    }
    wins[order[best]!]! += 1;
  }
  return wins.map((won) => won / contrastDraws);
}
