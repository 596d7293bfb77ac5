import type { EloConvention } from "../conventions.js";

/**
 * Comparisons in the order in which they are played. `outcome`: 1 a was preferred, -1 b was
 * preferred, 0 a tie. `session` needs only to change where the session changes.
 */
export interface OrderedComparisons {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly outcome: Int8Array;
  readonly session: Int32Array;
}

export interface EloResult {
  /** Rating of each item, in Elo. Their sum is `start` times the number of items. */
  readonly rating: Float64Array;
  /** Comparisons played by each item, skipped ties left out. */
  readonly played: Int32Array;
}

/**
 * Online Elo (metrics.md, "Online Elo") over comparisons `from` up to but not including `to`.
 * E = 1 / (1 + base^((R_b - R_a) / scale)); with `session_batch` every E of a session is taken
 * from the ratings at its start. `initial`: ratings before the first of them, where they are not all `start`.
 */
export function onlineElo(
  items: number,
  { a, b, outcome, session }: OrderedComparisons,
  convention: EloConvention,
  from = 0,
  to = a.length,
  initial?: Float64Array,
): EloResult {
  const { k, start, tie_value: tieValue, ties, update } = convention;
  const rate = Math.log(convention.base) / convention.scale;
  const rating = initial?.slice() ?? new Float64Array(items).fill(start);
  const played = new Int32Array(items);
  const points = Float64Array.of(0, tieValue, 1); // by outcome: a table costs less than a guess of what comes
  const batch = update === "session_batch";
  const before = batch ? rating.slice() : rating;
  let batchStart = from;
  for (let i = from; i < to; i++) {
    if (batch && i > batchStart && session[i] !== session[i - 1]) {
      for (let j = batchStart; j < i; j++) settle(before, rating, a[j] as number, b[j] as number);
      batchStart = i;
    }
    const result = outcome[i] as number;
    if (result === 0 && ties === "skip") continue;
    const left = a[i] as number;
    const right = b[i] as number;
    const expected = 1 / (1 + Math.exp(rate * ((before[right] as number) - (before[left] as number))));
    const change = k * ((points[result + 1] as number) - expected);
    rating[left] = (rating[left] as number) + change;
    rating[right] = (rating[right] as number) - change;
    played[left] = (played[left] as number) + 1;
    played[right] = (played[right] as number) + 1;
  }
  return { rating, played };
}

/** The session is over: what its items gained is theirs from here on. */
function settle(before: Float64Array, rating: Float64Array, left: number, right: number): void {
  before[left] = rating[left] as number;
  before[right] = rating[right] as number;
}
