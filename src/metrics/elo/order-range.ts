import { seededRandom } from "../../platform/index.js";
import { runsOf, type Run } from "../numeric/arrays.js";
import { quantile } from "../numeric/statistics.js";
import type { EloConvention } from "./convention.js";
import { eloRatings, type OrderedComparisons } from "./online-elo.js";

/** The range of an item's rating over orders of the sessions. */
interface OrderRange {
  /** Orders tried; fewer than requested if they would exceed the work limit. */
  readonly permutations: number;
  readonly min: Float64Array;
  readonly low: Float64Array;
  readonly median: Float64Array;
  readonly high: Float64Array;
  readonly max: Float64Array;
}

/** Maximum updates per group, about half a second; if one order takes more than a third of them, three are tried. */
const workBound = 5_000_000;
const fewest = 3;

/**
 * The range of each online Elo over random orders of the sessions, the order within a session kept:
 * how much of a published rating depends on which sessions came first. NaN if no order was tried.
 */
export function eloOrderRange(items: number, games: OrderedComparisons, convention: EloConvention): OrderRange {
  const affordable = Math.max(fewest, Math.floor(workBound / Math.max(1, games.a.length)));
  const permutations = Math.min(convention.permutations, affordable);
  const random = seededRandom(convention.seed);
  const sessions = runsOf(games.session);
  const ratings: Float64Array[] = [];
  for (let n = 0; n < permutations; n++) {
    shuffle(sessions, random);
    const order = eloRatings(items, games, convention);
    // Played where they are: copying the comparisons in each order took as long as playing them.
    for (const { from, to } of sessions) order.play(from, to);
    ratings.push(order.rating);
  }
  const sorted = Array.from({ length: items }, (_, i) => Float64Array.from(ratings, (r) => r[i] as number).sort());
  const at = (p: number): Float64Array => Float64Array.from(sorted, (own) => quantile(own, p));
  return { permutations, min: at(0), low: at(0.025), median: at(0.5), high: at(0.975), max: at(1) };
}

/** Fisher and Yates, in place. */
function shuffle(spans: Run[], random: () => number): void {
  for (let i = spans.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [spans[i], spans[j]] = [spans[j] as Run, spans[i] as Run];
  }
}
