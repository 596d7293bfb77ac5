import type { EloConvention } from "./convention.js";

/**
 * Comparisons in the order of play. `outcome`: 1 a was preferred, -1 b was
 * preferred, 0 a tie. `session` needs only to change where the session changes.
 */
export interface OrderedComparisons {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly outcome: Int8Array;
  readonly session: Int32Array;
}

interface EloResult {
  /** Rating of each item, in Elo. Their sum is `start` times the number of items. */
  readonly rating: Float64Array;
  /** Comparisons played by each item, skipped ties left out. Rough ratings do not count them. */
  readonly played: Int32Array;
}

interface EloOptions {
  /** Ratings before the first comparison; by default all are `start`. */
  readonly initial?: Float64Array | undefined;
  /** Reads expected scores from a table, to 1e-7: an exponential is most of what a comparison costs. */
  readonly isRough?: boolean;
}

/** Points of the table of expected scores, over differences of up to `span` times the scale either way. */
const points = 16_384;
const span = 8;

let made: Float64Array | undefined;

/** E at each difference, base 10: made on first use; another base is another scale. */
const expectedScores = (): Float64Array =>
  (made ??= Float64Array.from(
    { length: points + 2 },
    (_, i) => 1 / (1 + 10 ** ((points / 2 - i) * ((2 * span) / points))),
  ));

/**
 * Online Elo (metrics.md, "Online Elo"): E = 1 / (1 + base^((R_b - R_a) / scale)); with `session_batch` every E of a
 * session is taken from the ratings at its start.
 */
export function onlineElo(
  items: number,
  games: OrderedComparisons,
  convention: EloConvention,
  options: EloOptions = {},
): EloResult {
  const ratings = eloRatings(items, games, convention, options);
  ratings.play(0, games.a.length);
  return ratings;
}

/** Ratings that change as comparisons are played. */
interface EloRatings extends EloResult {
  /** Plays the comparisons `from` up to but not including `to`: whole sessions, in any order. */
  readonly play: (from: number, to: number) => void;
}

/** Online Elo before the first comparison of `games`. */
export function eloRatings(
  items: number,
  { a, b, outcome, session }: OrderedComparisons,
  convention: EloConvention,
  { initial, isRough = false }: EloOptions = {},
): EloRatings {
  const { k, start, tie_value: tieValue, ties, update } = convention;
  const rate = Math.log(convention.base) / convention.scale;
  const perPoint = (points / (2 * span) / convention.scale) * Math.log10(convention.base);
  const rating = initial?.slice() ?? new Float64Array(items).fill(start);
  const played = new Int32Array(items);
  const won = Float64Array.of(0, tieValue, 1); // by outcome: a lookup costs less than a mispredicted branch
  const table = isRough ? expectedScores() : null;
  const isBatch = update === "session_batch";
  const before = isBatch ? rating.slice() : rating;
  return { rating, played, play };

  function play(from: number, to: number): void {
    if (table !== null && !isBatch) {
      playRough(table, from, to);
      return;
    }
    let batchStart = from;
    for (let i = from; i < to; i++) {
      if (isBatch && i > batchStart && session[i] !== session[i - 1]) {
        settle(batchStart, i);
        batchStart = i;
      }
      const result = outcome[i] as number;
      if (result === 0 && ties === "skip") continue;
      const left = a[i] as number;
      const right = b[i] as number;
      const lead = (before[left] as number) - (before[right] as number);
      const expected = table === null ? 1 / (1 + Math.exp(-rate * lead)) : tabled(table, lead * perPoint);
      const change = k * ((won[result + 1] as number) - expected);
      rating[left] = (rating[left] as number) + change;
      rating[right] = (rating[right] as number) - change;
      played[left] = (played[left] as number) + 1;
      played[right] = (played[right] as number) + 1;
    }
    if (isBatch) settle(batchStart, to);
  }

  /** The same for rough ratings alone, in three quarters of the time: they are most of a search for K. */
  function playRough(scores: Float64Array, from: number, to: number): void {
    const skipsTies = ties === "skip";
    // Held here, since what the closure holds is loaded again for each comparison.
    const own = rating;
    const [as, bs, outcomes] = [a, b, outcome] as const;
    const [wins, gain, scale] = [won, k, perPoint] as const;
    for (let i = from; i < to; i++) {
      const result = outcomes[i] as number;
      if (result === 0 && skipsTies) continue;
      const left = as[i] as number;
      const right = bs[i] as number;
      const ofLeft = own[left] as number;
      const ofRight = own[right] as number;
      const change = gain * ((wins[result + 1] as number) - tabled(scores, (ofLeft - ofRight) * scale));
      own[left] = ofLeft + change;
      own[right] = ofRight - change;
    }
  }

  /** At the end of a session its items take their new ratings. */
  function settle(from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const [left, right] = [a[i] as number, b[i] as number];
      before[left] = rating[left] as number;
      before[right] = rating[right] as number;
    }
  }
}

/** E at a lead in points of the table, interpolated between two of them. */
function tabled(table: Float64Array, lead: number): number {
  const at = lead + points / 2;
  if (!(at > 0)) return table[0] as number;
  if (at >= points) return table[points] as number;
  const low = at | 0;
  return (table[low] as number) + (at - low) * ((table[low + 1] as number) - (table[low] as number));
}
