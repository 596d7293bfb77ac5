import { kinds, type Kind } from "../../../metrics/index.js";
import type { Hypothesis } from "./hypothesis.js";
import type { ScenarioPatch } from "../../evaluate/scenario.js";

const one = (
  kind: Kind | readonly Kind[],
  axis: string,
  value: string,
  bits: number,
  says: string,
  set: ScenarioPatch,
): Hypothesis => ({
  name: `${axis}=${value}`,
  axis,
  kinds: typeof kind === "string" ? [kind] : kind,
  says,
  set,
  bits,
});

/** How numbers that are shorter than they were computed came to be so. */
export const truncation: Hypothesis = one(
  kinds.filter((kind) => kind !== "win_loss"),
  "rounding",
  "truncate",
  4,
  "decimals that are not published are cut off, not rounded",
  { rounding: "truncate" },
);

/** How the counted ratings were scored. */
export const scorings: readonly Hypothesis[] = [
  truncation,
  one("percent_chosen", "ties", "half", 3, "a tie is half a win for each", {
    conventions: { ties: { percent_chosen: "half" } },
  }),
  one("percent_chosen", "ties", "exclude", 3, "ties are left out of n", {
    conventions: { ties: { percent_chosen: "exclude" } },
  }),
  one("percent_chosen", "ties", "count", 3, "ties count in n and as no win", {
    conventions: { ties: { percent_chosen: "count" } },
  }),
  one(["percent_chosen", "percent_approved"], "scale", "fraction", 2, "shares are fractions of 1", {
    conventions: { percent_scale: 1 },
  }),
  one(["percent_chosen", "percent_approved"], "scale", "percent", 2, "shares are percentages", {
    conventions: { percent_scale: 100 },
  }),
  one("percent_approved", "approved", "midpoint", 3, "a score of the middle of the observed scale or above approves", {
    conventions: { approved: "midpoint" },
  }),
  one("percent_approved", "approved", "positive", 3, "a score above zero approves", {
    conventions: { approved: "positive" },
  }),
  one("mean", "mean", "mean", 3, "the arithmetic mean of all ratings is taken", { conventions: { mean: "mean" } }),
  one("mean", "mean", "median", 3, "the median is taken", { conventions: { mean: "median" } }),
  one("mean", "mean", "rater_mean", 3, "each rater's mean counts once", { conventions: { mean: "rater_mean" } }),
  one("mean", "mean", "rater_z", 3, "scores are standardised by rater", { conventions: { mean: "rater_z" } }),
  one("stats", "sd", "n", 3, "the standard deviation divides by n", { conventions: { stats: { sd: "n" } } }),
  one("stats", "sd", "n-1", 3, "the standard deviation divides by n - 1", { conventions: { stats: { sd: "n-1" } } }),
  one("stats", "interval", "normal", 3, "the interval uses the normal distribution", {
    conventions: { stats: { interval: "normal" } },
  }),
  one("stats", "interval", "t", 3, "the interval uses Student's t", { conventions: { stats: { interval: "t" } } }),
  one("elo", "ties", "skip", 3, "ties change no rating", { conventions: { elo: { ties: "skip" } } }),
  one("elo", "ties", "count", 3, "ties are played", { conventions: { elo: { ties: "count" } } }),
  one("elo", "update", "session_batch", 3, "ratings are updated once a session, at its end", {
    conventions: { elo: { update: "session_batch" } },
  }),
  one("elo", "update", "comparison", 3, "ratings are updated after every comparison", {
    conventions: { elo: { update: "comparison" } },
  }),
  one("elo", "tie_value", "0", 5, "a tie counts as a loss of the item that sorts first", {
    conventions: { elo: { tie_value: 0 } },
  }),
  one("elo", "tie_value", "1", 5, "a tie counts as a win of the item that sorts first", {
    conventions: { elo: { tie_value: 1 } },
  }),
  one("elo", "order", "created", 4, "sessions are taken in the order in which they were created", {
    population: { order: "created" },
  }),
  one("elo", "order", "session_id", 4, "sessions are taken in the order of their identifiers", {
    population: { order: "session_id" },
  }),
  one(
    "elo",
    "order",
    "slate_updated",
    4,
    "slates are taken in the order of their last change, whatever their session",
    { population: { order: "slate_updated" } },
  ),
  one("elo", "order", "slate_id", 4, "slates are taken in the order of their identifiers", {
    population: { order: "slate_id" },
  }),
  one("elo", "order", "reversed", 5, "comparisons are taken from the newest to the oldest", {
    population: { order: "reversed" },
  }),
  one(
    "bayesian_elo",
    "labels",
    "shifted",
    3,
    "interval labels are shifted by one (p005 and p025 are the same quantile)",
    { conventions: { bayesian_elo: { interval_labels: "shifted" } } },
  ),
  one("bayesian_elo", "labels", "own", 3, "interval labels name their own quantiles", {
    conventions: { bayesian_elo: { interval_labels: "own" } },
  }),
  one("bayesian_elo", "stop_elo", "1", 3, "the iteration stops when no item moves by 1 Elo", {
    conventions: { bayesian_elo: { stop_elo: 1 } },
  }),
  one(
    "bayesian_elo",
    "stop_elo",
    "1 start=warm",
    5,
    "the iteration is carried on from session to session and stops when no item moves by 1 Elo",
    { conventions: { bayesian_elo: { stop_elo: 1, start: "warm" } } },
  ),
  one("bayesian_elo", "stop_elo", "none", 3, "the iteration is carried to its fixed point", {
    conventions: { bayesian_elo: { stop_elo: null, start: "cold" } },
  }),
  one("bayesian_elo", "rater_quality", "none", 3, "all raters weigh the same", {
    conventions: { bayesian_elo: { rater_quality: null } },
  }),
  one("bayesian_elo", "rater_quality", "(alpha=10 beta=2)", 4, "each rater has a quality with prior Beta(10, 2)", {
    conventions: { bayesian_elo: { rater_quality: { alpha: 10, beta: 2 } } },
  }),
];
