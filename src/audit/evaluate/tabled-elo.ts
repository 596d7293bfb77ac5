import type { EloConvention, OrderedComparisons } from "../../metrics/index.js";

/** Points of the table of expected scores, over differences of up to `span` times the scale either way. */
const points = 16_384;
const span = 8;

/** E at each difference, base 10: made once; another base is another scale. */
const table = Float64Array.from(
  { length: points + 2 },
  (_, i) => 1 / (1 + 10 ** ((points / 2 - i) * ((2 * span) / points))),
);

/**
 * Online Elo with expected scores read from a table, between two of whose points they are interpolated (1e-7): an
 * exponential is most of what a comparison costs. For ratings that need only be rough.
 */
export function tabledElo(
  items: number,
  { a, b, outcome, session }: OrderedComparisons,
  convention: EloConvention,
): Float64Array {
  const { k, start, tie_value: tieValue, ties, update } = convention;
  const perPoint = (points / (2 * span) / convention.scale) * Math.log10(convention.base);
  const won = Float64Array.of(0, tieValue, 1);
  const rating = new Float64Array(items).fill(start);
  const isBatch = update === "session_batch";
  const before = isBatch ? rating.slice() : rating;
  for (let i = 0; i < a.length; i++) {
    if (isBatch && i > 0 && session[i] !== session[i - 1]) before.set(rating);
    const result = outcome[i] as number;
    if (result === 0 && ties === "skip") continue;
    const left = a[i] as number;
    const right = b[i] as number;
    const at = Math.min(
      points,
      Math.max(0, ((before[left] as number) - (before[right] as number)) * perPoint + points / 2),
    );
    const low = at | 0;
    const expected = (table[low] as number) + (at - low) * ((table[low + 1] as number) - (table[low] as number));
    const change = k * ((won[result + 1] as number) - expected);
    rating[left] = (rating[left] as number) + change;
    rating[right] = (rating[right] as number) - change;
  }
  return rating;
}
