import type { Comparison } from "./comparison.js";

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
