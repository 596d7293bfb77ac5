/** Penalised Bradley-Terry: logistic regression as boards of arenas used it in 2023 and 2024. */
import { mostItemsWithErrors } from "../limits.js";
import type { Stopped } from "../kind.js";
import { factorInPlace, substitute } from "../numeric/solvers.js";
import { comparisonsOf, type PairCounts } from "../pair-counts.js";
import { derivatives } from "./derivatives.js";

/** A tie is one win each way, a win counts two. */
const rowsEach = 2;

/** Of a log worth's prior: w = x / ln 10 has variance 1 (C = 1). */
const variance = Math.LN10 ** 2;

/** Largest part of the gradient, divided by the number of rows: scikit-learn's tolerance. */
const stop = 1e-4;

const ridgeConverged = 1e-12;
const maxRidgeSteps = 100;

interface RidgeFit {
  /** Natural logarithms that sum to zero. */
  readonly logWorth: Float64Array;
  readonly stopped: Stopped;
  readonly iterations: number;
}

const mostOf = (values: Float64Array): number => values.reduce((a, b) => Math.max(a, b), 0);

/** Log worths x of lowest ½ Σ w² + Σ log(1 + exp(−y ln 10 (w_a − w_b))) over rows, x = w ln 10. */
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
  return {
    logWorth: at,
    iterations,
    stopped: stoppedAt(counts, at, stop * rows),
  };
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

/** Log worths at which no part of the gradient exceeds `most`. */
function stoppedAt(counts: PairCounts, at: Float64Array, most: number): Stopped {
  const size = at.length;
  const own = penalised(counts, at).information;
  const gradients = own.map((_, cell) => {
    const [i, j] = [Math.floor(cell / size), cell % size];
    return own[Math.max(i, j) * size + Math.min(i, j)]! / most;
  });
  const { information } = penalised(counts, at, heldLevel);
  if (size > mostItemsWithErrors || !factorInPlace(information, size))
    return { gradients, reach: new Float64Array(size).fill(NaN) };
  const reach = at.map((_, i) => {
    const row = new Float64Array(size);
    row[i] = 1;
    substitute(information, row, size);
    return most * row.reduce((sum, part) => sum + Math.abs(part), 0);
  });
  return { gradients, reach };
}
