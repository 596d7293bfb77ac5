import type { Comparison } from "./items.js";
import type { Convention } from "./convention.js";

export interface Tally {
  wins: number;
  losses: number;
  ties: number;
  n: number;
}

/** Wins, losses and ties of every item. */
export function tally(comparisons: Iterable<Comparison>): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  const of = (item: string): Tally => {
    const own = tallies.get(item) ?? { wins: 0, losses: 0, ties: 0, n: 0 };
    tallies.set(item, own);
    return own;
  };
  for (const { a, b, result } of comparisons) {
    for (const [item, share] of [
      [a, result],
      [b, 1 - result],
    ] as const) {
      const own = of(item);
      own.n += 1;
      if (share === 1) own.wins += 1;
      else if (share === 0) own.losses += 1;
      else own.ties += 1;
    }
  }
  return tallies;
}

/** A share of `n` or n - 1. Null if there is nothing to divide by. */
function shareOf(part: number, n: number, { percent_scale: scale, denominator }: Convention): number | null {
  const divisor = denominator === "n" ? n : n - 1;
  return divisor > 0 ? (scale * part) / divisor : null;
}

/** Share of comparisons that an item won, or lost. */
export function percentChosen(own: Tally, convention: Convention): { value: number | null; n: number } {
  const { percent_chosen: rule } = convention.ties;
  const n = rule === "exclude" ? own.n - own.ties : own.n;
  const ownSide = convention.chosen === "losses" ? own.losses : own.wins;
  return { value: shareOf(rule === "half" ? ownSide + own.ties / 2 : ownSide, n, convention), n };
}

/** Share of approving scores: above zero, or at least the middle of the scores seen in the dimension. */
export function percentApproved(
  scores: readonly number[],
  middle: number,
  convention: Convention,
): { value: number | null; n: number; approved: number } {
  let approved = 0;
  for (const score of scores) if (convention.approved === "midpoint" ? score >= middle : score > 0) approved += 1;
  return { value: shareOf(approved, scores.length, convention), n: scores.length, approved };
}
