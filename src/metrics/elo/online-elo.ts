/** Online Elo, and its range over orders of the sessions. */
import { Type, type Static } from "typebox";
import { seededRandom, strict } from "../../platform/index.js";
import { type Run, runsOf } from "../numeric/arrays.js";
import { quantile } from "../numeric/statistics.js";
import { either, positive, seed } from "../options.js";
import type { OrderedComparisons } from "../sample.js";
import { fewestReplays, mostUpdates, replayWork } from "../limits.js";

export const eloSchema = Type.Object(
  {
    k: positive,
    start: Type.Number(),
    scale: positive,
    base: Type.Number({ exclusiveMinimum: 1 }),
    tie_value: Type.Number({ minimum: 0, maximum: 1 }),
    ties: either(["count", "skip"]),
    update: either(["comparison", "session_batch"]),
    weights: either(["updates", "k"]),
    permutations: Type.Integer({ minimum: 0, maximum: 100_000 }),
    seed,
  },
  strict,
);

export type EloConvention = Static<typeof eloSchema>;

interface EloResult {
  readonly rating: Float64Array;
  /** Comparisons by item, each by its weight, without skipped ties. */
  readonly played: Float64Array;
}

/**
 * E = 1 / (1 + base^((R_b - R_a) / scale)) (metrics.md); under `session_batch` of the ratings at
 * the session's start. Weight w: w equal updates, or one with K · w (`weights`).
 */
export function onlineElo(
  items: number,
  games: OrderedComparisons,
  convention: EloConvention,
  initial?: Float64Array,
): EloResult {
  const ratings = eloRatings(items, games, convention, initial);
  ratings.play(0, games.a.length);
  return ratings;
}

interface EloRatings extends EloResult {
  readonly play: (from: number, to: number) => void;
}

/** @param initial default: all `start` */
function eloRatings(
  items: number,
  { a, b, outcome, session, weight }: OrderedComparisons,
  convention: EloConvention,
  initial?: Float64Array,
): EloRatings {
  const { k, start, tie_value: tieValue, ties, update, weights } = convention;
  const rate = Math.log(convention.base) / convention.scale;
  const rating = initial?.slice() ?? new Float64Array(items).fill(start);
  const played = new Float64Array(items);
  const won = Float64Array.of(0, tieValue, 1);
  const isBatch = update === "session_batch";
  const before = isBatch ? rating.slice() : rating;
  return { rating, played, play };

  function play(from: number, to: number): void {
    let batchStart = from;
    for (let i = from; i < to; i++) {
      if (isBatch && i > batchStart && session[i] !== session[i - 1]) {
        settle(batchStart, i);
        batchStart = i;
      }
      const result = outcome[i]!;
      if (result === 0 && ties === "skip") continue;
      const left = a[i]!;
      const right = b[i]!;
      const own = weight === undefined ? 1 : weight[i]!;
      const updates = updatesOf(own, weights);
      for (let n = 0; n < updates; n++) {
        const lead = before[left]! - before[right]!;
        const expected = 1 / (1 + Math.exp(-rate * lead));
        const change = ((k * own) / updates) * (won[result + 1]! - expected);
        rating[left]! += change;
        rating[right]! -= change;
      }
      played[left]! += own;
      played[right]! += own;
    }
    if (isBatch) settle(batchStart, to);
  }

  function settle(from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const left = a[i]!;
      const right = b[i]!;
      before[left] = rating[left]!;
      before[right] = rating[right]!;
    }
  }
}

/** Updates of a comparison, which share its weight. */
const updatesOf = (weight: number, weights: EloConvention["weights"]): number =>
  weight === 1 || weights === "k" ? 1 : Math.min(mostUpdates, Math.ceil(weight));

/** By item, over orders of the sessions. */
interface OrderRange {
  /** Orders tried, at most as many as the work limit allows. */
  readonly permutations: number;
  readonly min: Float64Array;
  readonly low: Float64Array;
  readonly median: Float64Array;
  readonly high: Float64Array;
  readonly max: Float64Array;
}

/** The order within a session is kept. NaN without orders. */
export function eloOrderRange(
  items: number,
  games: OrderedComparisons,
  convention: EloConvention,
): OrderRange {
  const { weight, a } = games;
  const updates = weight?.reduce((sum, own) => sum + updatesOf(own, convention.weights), 0);
  const work = Math.max(1, updates ?? a.length);
  const affordable = Math.max(fewestReplays, Math.floor(replayWork / work));
  const permutations = Math.min(convention.permutations, affordable);
  const ratings = eloOrders(items, games, convention, permutations);
  const sorted = Array.from({ length: items }, (_, i) =>
    Float64Array.from(ratings, (r) => r[i]!).sort(),
  );
  const at = (p: number): Float64Array => Float64Array.from(sorted, (own) => quantile(own, p));
  return { permutations, min: at(0), low: at(0.025), median: at(0.5), high: at(0.975), max: at(1) };
}

function eloOrders(
  items: number,
  games: OrderedComparisons,
  convention: EloConvention,
  permutations: number,
): Float64Array[] {
  const random = seededRandom(convention.seed);
  const sessions = runsOf(games.session);
  const ratings: Float64Array[] = [];
  for (let n = 0; n < permutations; n++) {
    shuffle(sessions, random);
    const order = eloRatings(items, games, convention);
    for (const { from, to } of sessions) order.play(from, to);
    ratings.push(order.rating);
  }
  return ratings;
}

/** Fisher-Yates, in place. */
function shuffle(spans: Run[], random: () => number): void {
  for (let i = spans.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const moved = spans[i]!;
    spans[i] = spans[j]!;
    spans[j] = moved;
  }
}

/** An entry per session and item compared in it. */
interface HistoryRows {
  readonly item: Int32Array;
  readonly session: Int32Array;
  readonly value: Float64Array;
  /** Until then, each by its weight. */
  readonly comparisons: Float64Array;
}

export function eloHistory(
  items: number,
  games: OrderedComparisons,
  elo: EloConvention,
): HistoryRows {
  const { a, b, session } = games;
  const most = 2 * a.length;
  const out = {
    item: new Int32Array(most),
    session: new Int32Array(most),
    value: new Float64Array(most),
    comparisons: new Float64Array(most),
  };
  let rows = 0;
  const { rating, played, play } = eloRatings(items, games, elo);
  const lastRun = new Int32Array(items).fill(-1);
  for (const { from, to } of runsOf(session)) {
    play(from, to);
    const first = rows;
    for (const side of [a, b])
      for (let i = from; i < to; i++) {
        const item = side[i]!;
        if (lastRun[item] === from) continue;
        lastRun[item] = from;
        out.item[rows++] = item;
      }
    out.item.subarray(first, rows).sort();
    for (let row = first; row < rows; row++) {
      const item = out.item[row]!;
      out.session[row] = session[from]!;
      out.value[row] = rating[item]!;
      out.comparisons[row] = played[item]!;
    }
  }
  return {
    item: out.item.subarray(0, rows),
    session: out.session.subarray(0, rows),
    value: out.value.subarray(0, rows),
    comparisons: out.comparisons.subarray(0, rows),
  };
}
