import type { Convention } from "./convention.js";
import type { Tally } from "./win-loss.js";

/** Share of comparisons an item won. Null when nothing is left to divide by. */
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
