/** Bradley-Terry with covariates of a comparison: style control, as arena boards publish it. */
import { factorInPlace, substitute } from "../numeric/solvers.js";
import { zeroShare } from "../limits.js";
import { pairIndex } from "../pair-counts.js";
import type { OrderedComparisons } from "../sample.js";

/** Log worths that sum to zero; log odds by standardised covariate. */
interface StyleFit {
  readonly logWorth: Float64Array;
  readonly effects: Float64Array;
  readonly iterations: number;
}

/** A pair with more comparisons counts as this many. */
const fullPair = 50;
const convergedStep = 1e-12;
const maxStyleSteps = 100;

/**
 * Largest mean(w · log likelihood) − ½ Σ β², log odds x_left − x_right + Σ β z, z standardised (n),
 * ties half: arena-rank 0.1.1 (ContextualBradleyTerry, reg = 1). Reweighted, w is 1 over the pair's
 * comparisons (≥ 50), mean 1. Null without covariates, or if an item won or lost everything.
 */
export function fitStyle(
  items: number,
  { a, b, outcome, weight, covariates }: OrderedComparisons,
  isReweighted: boolean,
): StyleFit | null {
  if (covariates === undefined || a.length === 0) return null;
  const n = a.length;
  const own = Float64Array.from(a, (_, i) => (weight === undefined ? 1 : weight[i]!));
  if (isReweighted) {
    const { ofEntry, a: pairs } = pairIndex({ items, a, b });
    const ofPair = new Float64Array(pairs.length);
    ofEntry.forEach((pair) => (ofPair[pair]! += 1));
    const shares = own.map((w, i) => w / Math.max(ofPair[ofEntry[i]!]!, fullPair));
    const mean = shares.reduce((sum, w) => sum + w, 0) / n;
    shares.forEach((w, i) => (own[i] = w / mean));
  }
  const { isReversed } = covariates;
  const z = covariates.values.map(standardisedCovariates);
  const size = items + z.length;
  const at = new Float64Array(size);
  for (let iterations = 1; iterations <= maxStyleSteps; iterations++) {
    const step = new Float64Array(size);
    const information = new Float64Array(size * size);
    for (let i = 0; i < items; i++) information.fill(1 / items, i * size, i * size + items);
    for (let k = items; k < size; k++) {
      information[k * size + k] = 1;
      step[k] = -at[k]!;
    }
    const slopes = new Float64Array(size);
    for (let i = 0; i < n; i++) {
      const left = isReversed[i] === 1 ? b[i]! : a[i]!;
      const right = isReversed[i] === 1 ? a[i]! : b[i]!;
      const won = (1 + (isReversed[i] === 1 ? -outcome[i]! : outcome[i]!)) / 2;
      let odds = at[left]! - at[right]!;
      z.forEach((column, k) => (odds += at[items + k]! * column[i]!));
      const chance = 1 / (1 + Math.exp(-odds));
      const share = own[i]! / n;
      const places = [left, right, ...z.map((_, k) => items + k)];
      slopes[left] = 1;
      slopes[right] = -1;
      z.forEach((column, k) => (slopes[items + k] = column[i]!));
      for (const p of places) {
        step[p]! += share * (won - chance) * slopes[p]!;
        for (const q of places)
          information[p * size + q]! += share * chance * (1 - chance) * slopes[p]! * slopes[q]!;
      }
    }
    if (!factorInPlace(information, size)) return null;
    substitute(information, step, size);
    let longest = 0;
    for (const move of step) longest = Math.max(longest, Math.abs(move));
    const damping = Math.min(1, 2 / longest);
    step.forEach((move, p) => (at[p]! += damping * move));
    if (longest < convergedStep)
      return { logWorth: at.slice(0, items), effects: at.slice(items), iterations };
  }
  return null;
}

/** Mean 0, standard deviation 1; zeros if all are equal. */
function standardisedCovariates(values: Float64Array): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const sd = Math.sqrt(squares / values.length);
  return values.map((value) => (sd > zeroShare * Math.abs(mean) ? (value - mean) / sd : 0));
}
