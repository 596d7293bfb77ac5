import { defaultConvention } from "../scoring/convention.js";
import { elo } from "../scoring/elo.js";
import { percentChosen } from "../scoring/percentage.js";
import type { ScoreRow } from "../scoring/study.js";
import { tally } from "../scoring/win-loss.js";
import { optionsOf } from "../publish/options.js";
import type { Result } from "../publish/results.js";
import { syntheticComparisons } from "./synthetic.js";

/** Published results of the synthetic experiment: those kinds that one pass over its comparisons gives. */
export function syntheticResults(ratings: number): Result[] {
  const tallies = tally(syntheticComparisons(ratings));
  const rated = elo(syntheticComparisons(ratings), defaultConvention.elo);
  const rows = (row: (item: string) => Record<string, number | null>): ScoreRow[] =>
    [...tallies.keys()].sort().map((stimulus) => ({ stimulus, ...row(stimulus) }));
  const counts = (item: string) => tallies.get(item) ?? { wins: 0, losses: 0, ties: 0, n: 0 };
  const published = {
    win_loss: rows((item) => ({ ...counts(item) })),
    percent_chosen: rows((item) => percentChosen(counts(item), defaultConvention)),
    elo: rows((item) => ({ value: rated.get(item) ?? null })),
  };
  return (["win_loss", "percent_chosen", "elo"] as const).map((kind) => ({
    ...{ kind, dimension: "", source: "" },
    scores: published[kind],
    options: optionsOf(kind, defaultConvention),
  }));
}
