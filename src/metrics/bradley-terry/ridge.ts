/** Penalised Bradley-Terry: logistic regression as boards of arenas used it in 2023 and 2024. */
import { mostItemsWithErrors } from "../limits.js";
import type { GradientLeft } from "../kind.js";
import { factorInPlace, substitute } from "../numeric/solvers.js";
import { comparisonsOf, type PairCounts } from "../pair-counts.js";
import { derivatives } from "./derivatives.js";

/** Rows for each comparison: a tie is one win each way, a win counts two. */
const rowsEach = 2;

/** Variance of the prior of a log worth: w = x / ln 10 has a variance of 1 (C = 1). */
const variance = Math.LN10 ** 2;

/**
 * The largest part of the gradient, divided by the number of rows, at which the solver stops:
 * scikit-learn's tolerance of 1e-4.
 */
export const stop = 1e-4;

const ridgeConverged = 1e-12;
const maxRidgeSteps = 100;

interface RidgeFit {
  /** Natural logarithms that sum to zero. */
  readonly logWorth: Float64Array;
  /** What is left of the gradient at other log worths, each known to `half`. */
  readonly gradientAt: (logs: Float64Array, half: Float64Array) => GradientLeft;
  /** How far each log worth of a stopped fit may be from this one, whose sum is zero too. */
  readonly reach: Float64Array;
  readonly iterations: number;
}

const mostOf = (values: Float64Array): number => values.reduce((a, b) => Math.max(a, b), 0);

/**
 * Log worths x of the lowest ½ Σ w² + Σ log(1 + exp(−y ln 10 (w_a − w_b))) over the rows, with
 * x = w ln 10, by Newton's method. They exist whoever won.
 */
export function ridgeFit(counts: PairCounts): RidgeFit {
  const { items } = counts;
  const at = new Float64Array(items);
  let iterations = 0;
  for (
    let change = Infinity;
    change >= ridgeConverged && iterations < maxRidgeSteps;
    iterations++
  ) {
    const { gradient, information } = penalised(counts, at);
    if (!factorInPlace(information, items)) break;
    substitute(information, gradient, items);
    change = mostOf(gradient.map(Math.abs));
    for (let i = 0; i < items; i++) at[i]! += gradient[i]!;
  }
  const rows = rowsEach * comparisonsOf(counts).reduce((sum, n) => sum + n, 0);
  const reach = reachOf(counts, at, stop * rows);
  return {
    logWorth: at,
    iterations,
    reach,
    gradientAt(logs, half) {
      // An item that is held moves the level by as much as it is stopped early.
      const level = logs.reduce((sum, log) => sum + log, 0) / items;
      if (!(Math.abs(level) <= mostOf(reach) + mostOf(half)))
        return { shown: Infinity, least: Infinity, open: () => 0 };
      const { gradient, information } = penalised(
        counts,
        logs.map((log) => log - level),
      );
      const rounding = (i: number): number =>
        half.reduce((sum, h, j) => sum + h * Math.abs(entry(information, items, i, j)), 0);
      const left = gradient.map(Math.abs);
      const least = mostOf(left.map((own, i) => own - rounding(i))) / rows;
      const open = () => openBits(information, items, mostOf(left) / mostOf(half));
      return { shown: mostOf(left) / rows, least, open };
    },
  };
}

const entry = (lower: Float64Array, size: number, i: number, j: number): number =>
  lower[Math.max(i, j) * size + Math.min(i, j)]!;

/**
 * log2 of how many numbers leave a gradient of at most `steps` units of their last digit: in the
 * direction of an eigenvalue λ of the information, 1 + steps / λ. Their level is known.
 */
function openBits(information: Float64Array, size: number, steps: number): number {
  const isDiagonal = (cell: number): boolean => cell % (size + 1) === 0;
  /** log2 of the determinant with `by` added to the diagonal. */
  const logDeterminant = (by: number): number => {
    const matrix = information.map((own, cell) => own + (isDiagonal(cell) ? by : 0));
    if (!factorInPlace(matrix, size)) return NaN;
    return matrix.reduce((sum, own, cell) => sum + (isDiagonal(cell) ? 2 * Math.log2(own) : 0), 0);
  };
  return logDeterminant(steps) - logDeterminant(0) - Math.log2(1 + steps * variance);
}

/** So stiff that the level of all log worths does not move. */
const heldLevel = 1e9;

function penalised(counts: PairCounts, at: Float64Array, level = 0) {
  const { gradient, information } = derivatives(counts, at, level);
  const size = at.length;
  return {
    gradient: gradient.map((own, i) => rowsEach * own - at[i]! / variance),
    information: information.map(
      (own, cell) => rowsEach * own + (cell % (size + 1) === 0 ? 1 / variance : 0),
    ),
  };
}

/** How far each log worth may move while no part of the gradient exceeds `most`. */
function reachOf(counts: PairCounts, at: Float64Array, most: number): Float64Array {
  const size = at.length;
  const { information } = penalised(counts, at, heldLevel);
  if (size > mostItemsWithErrors || !factorInPlace(information, size))
    return new Float64Array(size).fill(NaN);
  return at.map((_, i) => {
    const row = new Float64Array(size);
    row[i] = 1;
    substitute(information, row, size);
    return most * row.reduce((sum, own) => sum + Math.abs(own), 0);
  });
}
