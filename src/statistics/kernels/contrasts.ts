import {
  newTable,
  normalQuantile,
  rankedBy,
  solveInPlace,
  tQuantile,
  tTail,
  zeroShare,
} from "../../metrics/index.js";
import { remembered, seededRandom } from "../../platform/index.js";
import { chiSquaredDraws, normalDraws, semiFactor } from "./simulation.js";

/** Estimates of several items, comparable with each other. Matrices are in row-major order. */
export interface Estimates {
  readonly value: Float64Array;
  /** Clustered by rater. */
  readonly covariance: Float64Array;
  /** Raters behind the difference of two items; fewer than two if it has no error. */
  readonly raters: (i: number, j: number) => number;
}

/** Why a number is missing, as `sql/statistics/` spells it out. */
export const reasons = {
  none: 0,
  fewRaters: 1,
  noVariation: 2,
  separated: 3,
  manyItems: 4,
  fewItems: 5,
} as const;

/**
 * All pairs of items, `item_1` < `item_2`: their difference and its tests, null where there is a
 * reason.
 */
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
  raters_needed: "double",
  reason: "integer",
} as const;

/** One array per column. */
export type Differences = Readonly<Record<keyof typeof differenceTypes, ArrayLike<number>>>;

const level = 0.05;

/**
 * Differences of all pairs, with standard errors from the covariance, the two-sided p-value of
 * Student's t with one degree of freedom fewer than raters, and that after Holm's and after
 * Benjamini and Hochberg's correction.
 */
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
          raters_needed: ratersNeeded(df + 1, variance, pair.difference),
          reason: reasons.none,
        });
      }
    }
  const p = Float64Array.from(columns.p);
  return { ...columns, p_holm: holm(p), p_bh: benjaminiHochberg(p) };
}

/** The variance of fewer raters says too little about that of others. */
const fewestRaters = 5;
/** With more times as many raters an observed difference is as good as none. */
const mostTimes = 100;

/** A difference in standard errors that Student's t finds at 5 % with power 0.8. */
const detectable = remembered((df: number) => tQuantile(0.975, df) + tQuantile(0.8, df));

/**
 * The fewest raters who would find a difference at 5 % with power 0.8, given its variance with
 * those so far. The sum of the two quantiles of Student's t stands for the noncentral t: with five
 * raters or more the power is 0.79 or 0.80. NaN for fewer raters so far, and for more than 100
 * times as many.
 */
export function ratersNeeded(raters: number, variance: number, difference: number): number {
  if (raters < fewestRaters) return NaN;
  const ofOne = (raters * variance) / difference ** 2;
  const ofMany = normalQuantile(0.975) + normalQuantile(0.8);
  let needed = Math.max(fewestRaters, Math.floor(ofMany ** 2 * ofOne));
  while (needed <= mostTimes * raters && needed < detectable(needed - 1) ** 2 * ofOne) needed++;
  return needed <= mostTimes * raters ? needed : NaN;
}

const varianceOf = (covariance: Float64Array, items: number, i: number, j: number): number =>
  covariance[i * items + i]! + covariance[j * items + j]! - 2 * covariance[i * items + j]!;

/** The places of the p-values that exist, smallest first. */
const orderedByP = (p: Float64Array): number[] =>
  Array.from(p.keys())
    .filter((at) => !Number.isNaN(p[at]))
    .sort((a, b) => p[a]! - p[b]! || a - b);

/**
 * Holm's (1979) correction: below 0.05 only with a chance of 5 % that any true null hypothesis is.
 */
export function holm(p: Float64Array): Float64Array {
  const order = orderedByP(p);
  const corrected = new Float64Array(p.length).fill(NaN);
  let last = 0;
  order.forEach(
    (at, k) => (corrected[at] = last = Math.max(last, Math.min(1, (order.length - k) * p[at]!))),
  );
  return corrected;
}

/**
 * Benjamini and Hochberg's (1995) correction: of those below 0.05, 5 % or fewer are expected to be
 * false.
 */
export function benjaminiHochberg(p: Float64Array): Float64Array {
  const order = orderedByP(p);
  const corrected = new Float64Array(p.length).fill(NaN);
  let last = 1;
  for (let k = order.length - 1; k >= 0; k--) {
    const at = order[k]!;
    corrected[at] = last = Math.min(last, (order.length / (k + 1)) * p[at]!);
  }
  return corrected;
}

/** Whether a pair is separated at 5 % after Holm's correction. */
export const isSeparated = ({ p_holm: corrected }: Differences, pair: number): boolean =>
  corrected[pair]! < level;

/**
 * Compact letters: two items share one unless they are separated. A cover of the pairs that are not
 * by sets within which none is (Gramm et al. 2007, without their search for the fewest). Returns
 * the items of each letter, that of the best item first.
 */
export function lettersOf(value: Float64Array, differences: Differences): number[][] {
  const items = value.length;
  const order = rankedBy(value);
  const isApart = new Uint8Array(items * items);
  for (let pair = 0; pair < differences.item_1.length; pair++) {
    const i = differences.item_1[pair]!;
    const j = differences.item_2[pair]!;
    isApart[i * items + j] = isApart[j * items + i] = Number(isSeparated(differences, pair));
  }
  const isShown = new Uint8Array(items * items);
  const letters: number[][] = [];
  order.forEach((i, at) => {
    // The farthest first: what lies between is likely to join them.
    for (const j of order.slice(at).reverse()) {
      if (isApart[i * items + j] === 1 || isShown[i * items + j] === 1) continue;
      const own = new Set([i, j]);
      for (const other of order)
        if (![...own].some((one) => isApart[one * items + other] === 1)) own.add(other);
      for (const one of own) for (const other of own) isShown[one * items + other] = 1;
      letters.push(order.filter((item) => own.has(item)));
    }
  });
  const rank = new Map(order.map((item, at) => [item, at]));
  return letters.sort(
    (a, b) => rank.get(a[0]!)! - rank.get(b[0]!)! || rank.get(a.at(-1)!)! - rank.get(b.at(-1)!)!,
  );
}

/**
 * Simultaneous 95 % intervals of the ranks (Mohamad, Goeman and van Zwet 2018): an item ranks below
 * all that are separated from it upwards, and above all that are downwards.
 */
export function rankIntervals(
  items: number,
  differences: Differences,
): { best: Int32Array; worst: Int32Array } {
  const best = new Int32Array(items).fill(1);
  const worst = new Int32Array(items).fill(items);
  for (let pair = 0; pair < differences.item_1.length; pair++) {
    if (!isSeparated(differences, pair)) continue;
    const isFirstAbove = differences.difference[pair]! > 0;
    best[isFirstAbove ? differences.item_2[pair]! : differences.item_1[pair]!]! += 1;
    worst[isFirstAbove ? differences.item_1[pair]! : differences.item_2[pair]!]! -= 1;
  }
  return { best, worst };
}

const contrastDraws = 10_000;

/** Degrees of freedom of the difference that has the fewest. */
export const fewestDegrees = ({ df }: Differences): number =>
  Array.from(df).reduce((a, b) => Math.min(a, b), Infinity);

/**
 * Share of 10,000 draws (seed 1) from the multivariate t distribution of the estimates in which
 * each item is the best: with few raters the covariance is itself uncertain, and normal draws would
 * call one of two equal items the best.
 */
export function probabilityBest(
  { value, covariance }: Pick<Estimates, "value" | "covariance">,
  df: number,
): Float64Array {
  const items = value.length;
  const factor = semiFactor(covariance, items);
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
      let drawn = value[i]!;
      for (let k = 0; k <= i; k++) drawn += factor[i * items + k]! * z[k]!;
      if (drawn > highest) {
        highest = drawn;
        best = i;
      }
    }
    wins[best]! += 1;
  }
  return wins.map((won) => won / contrastDraws);
}

/**
 * Quasi standard errors (Firth and de Menezes 2004, `qvcalc`): q such that the variance of every
 * difference is close to q_i + q_j, by least squares of logarithms. NaN for fewer than three items,
 * and for a negative quasi variance.
 */
export function quasiErrors({
  value,
  covariance,
}: Pick<Estimates, "value" | "covariance">): Float64Array {
  const items = value.length;
  const quasi = new Float64Array(items).fill(NaN);
  if (items < 3) return quasi;
  for (let i = 0; i < items; i++) {
    // Start: the mean variance of its differences, less half the mean of all.
    let sum = 0;
    for (let j = 0; j < items; j++) if (j !== i) sum += varianceOf(covariance, items, i, j);
    quasi[i] = sum / (items - 1) / 2;
  }
  for (let step = 0; step < 100; step++) {
    const normal = new Float64Array(items * items);
    const right = new Float64Array(items);
    for (let i = 0; i < items; i++)
      for (let j = i + 1; j < items; j++) {
        const fitted = quasi[i]! + quasi[j]!;
        const residual = Math.log(varianceOf(covariance, items, i, j) / fitted);
        for (const cell of [i * items + i, j * items + j, j * items + i])
          normal[cell]! += fitted ** -2;
        right[i]! += residual / fitted;
        right[j]! += residual / fitted;
      }
    if (!solveInPlace(normal, right, items)) return quasi.fill(NaN);
    const shortest = right.reduce(
      (least, change, i) => Math.min(least, change < 0 ? quasi[i]! / -change : 1),
      1,
    );
    const damping = shortest < 1 ? 0.5 * shortest : 1;
    let largest = 0;
    for (let i = 0; i < items; i++) {
      quasi[i]! += damping * right[i]!;
      largest = Math.max(largest, Math.abs(right[i]! / quasi[i]!));
    }
    if (largest < 1e-12) break;
  }
  return quasi.map(Math.sqrt);
}
