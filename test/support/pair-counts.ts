import { raterPairCountsOf, type RaterPairCounts } from "../../src/metrics/pair-counts.js";
import { seededRandom } from "../../src/platform/random.js";

type Pair = readonly [a: number, b: number, winsA: number, winsB: number, ties?: number];

export function pairs(items: number, list: readonly Pair[]): RaterPairCounts {
  return {
    items,
    raters: 1,
    rater: new Int32Array(list.length),
    a: Int32Array.from(list, ([a]) => a),
    b: Int32Array.from(list, ([, b]) => b),
    winsA: Float64Array.from(list, ([, , wins]) => wins),
    winsB: Float64Array.from(list, ([, , , wins]) => wins),
    ties: Float64Array.from(list, ([, , , , ties]) => ties ?? 0),
  };
}

export interface Game {
  readonly a: number;
  readonly b: number;
  /** 1 if a won, 0 if they tied, otherwise -1. */
  readonly outcome: number;
  readonly rater?: number;
  readonly session?: number;
}

export const columnsOf = (games: readonly Game[]) => ({
  a: Int32Array.from(games, ({ a }) => a),
  b: Int32Array.from(games, ({ b }) => b),
  outcome: Int8Array.from(games, ({ outcome }) => outcome),
  rater: Int32Array.from(games, ({ rater = 0 }) => rater),
  session: Int32Array.from(games, ({ session = 0 }) => session),
});

export const raterCounts = (
  items: number,
  raters: number,
  games: readonly Game[],
): RaterPairCounts => raterPairCountsOf(items, raters, columnsOf(games));

interface Raters {
  readonly items: number;
  readonly raters: number;
  /** Comparisons of each, or how to draw their number. */
  readonly each?: number | ((random: () => number) => number);
  /** Between the log worths of neighbours. */
  readonly step?: number;
  /** How much the worths of each rater differ from those of all. */
  readonly taste?: number;
  readonly ties?: number;
}

/** Games of raters with tastes of their own, so that the answers of one are correlated. */
export function gamesOf(
  seed: number,
  { items, raters, each = 20, step = 0.5, taste = 0.5, ties = 0.15 }: Raters,
): Game[] {
  const random = seededRandom(seed);
  return Array.from({ length: raters }, (_, rater) => {
    const own = Array.from(
      { length: items },
      (_item, i) => -i * step + taste * (random() + random() + random() - 1.5) * 2,
    );
    const length = typeof each === "number" ? each : each(random);
    return Array.from({ length }, () => {
      const a = Math.floor(random() * items);
      const b = (a + 1 + Math.floor(random() * (items - 1))) % items;
      const wins = random() < 1 / (1 + Math.exp(own[b]! - own[a]!));
      return { a, b, outcome: random() < ties ? 0 : wins ? 1 : -1, rater };
    });
  }).flat();
}
