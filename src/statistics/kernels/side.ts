/** Bradley-Terry with a term for the side on which an item is shown. */
import {
  byGroup,
  comparisonsOf,
  factorInPlace,
  likelihoodClasses,
  type PairCounts,
  pairCountsIn,
  ranksOf,
  substitute,
} from "../../metrics/index.js";

const mostSideSteps = 100;
const smallestStep = 1e-12;

/** Log worths, then the log odds of the left, a, of two equal items; ties half. Null: infinite. */
export function sideFit(counts: PairCounts): Float64Array | null {
  if (likelihoodClasses(counts).classes > 1) return null;
  const { items, a, b, winsA, ties } = counts;
  const n = comparisonsOf(counts);
  const size = items + 1;
  const at = new Float64Array(size);
  for (let steps = 0; steps < mostSideSteps; steps++) {
    const step = new Float64Array(size);
    const information = new Float64Array(size * size);
    for (let i = 0; i < items; i++) information.fill(1, i * size, i * size + items);
    for (let p = 0; p < a.length; p++) {
      const chance = 1 / (1 + Math.exp(at[b[p]!]! - at[a[p]!]! - at[items]!));
      const slopes = [
        [a[p]!, 1],
        [b[p]!, -1],
        [items, 1],
      ] as const;
      for (const [i, x] of slopes) {
        step[i]! += x * (winsA[p]! + ties[p]! / 2 - n[p]! * chance);
        for (const [j, y] of slopes)
          information[i * size + j]! += x * y * n[p]! * chance * (1 - chance);
      }
    }
    if (!factorInPlace(information, size)) return null;
    substitute(information, step, size);
    const longest = step.reduce((most, own) => Math.max(most, Math.abs(own)), 0);
    step.forEach((own, i) => (at[i]! += own * Math.min(1, 2 / longest)));
    if (longest < smallestStep) return at;
  }
  return null;
}

export const sideBiasKernel = byGroup(
  "dimension_id",
  { "": { side: "double", first_id: "integer" } },
  ({ rows }) => {
    const { ids, counts } = pairCountsIn(rows);
    const fit = sideFit(counts);
    const ranks = ranksOf(fit?.subarray(0, ids.length) ?? new Float64Array(0));
    const firsts = ids.filter((_, i) => ranks[i] === 1);
    return { "": { side: fit?.at(-1), first_id: firsts.length === 1 ? firsts[0] : NaN } };
  },
);
