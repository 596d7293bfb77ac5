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

/** Share of comparisons that an item won. Null if no comparison counts. */
export function percentChosen(own: Tally, convention: Convention): { value: number | null; n: number } {
  const { percent_chosen: rule } = convention.ties;
  const n = rule === "exclude" ? own.n - own.ties : own.n;
  const chosen = rule === "half" ? own.wins + own.ties / 2 : own.wins;
  return { value: n === 0 ? null : (convention.percent_scale * chosen) / n, n };
}

/** Share of approving scores: above zero, or at least the middle of the scores seen in the dimension. */
export function percentApproved(
  scores: readonly number[],
  middle: number,
  convention: Convention,
): { value: number; n: number; approved: number } {
  let approved = 0;
  for (const score of scores) if (convention.approved === "midpoint" ? score >= middle : score > 0) approved += 1;
  return { value: (convention.percent_scale * approved) / scores.length, n: scores.length, approved };
}
