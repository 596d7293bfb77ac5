import type { Kind } from "../../../src/metrics/kinds.js";
import {
  both,
  graded,
  inLargerSlates,
  inScenes,
  inThreeJobs,
  inTwoDimensions,
} from "./altered-case.js";
import type { FixtureOptions, Shared } from "./fixture.js";

export const pairwise = ["win_loss", "percent_chosen", "elo", "bayesian_elo"] satisfies Kind[];

/** Run conventions opposite to the defaults, so that the defaults can be planted. */
export const opposite: Shared = {
  ...{
    training: "include",
    incomplete: "include",
    incorrect: "exclude_sessions",
    item_pattern: "([^/]*)$",
  },
  ...{
    ties: { percent_chosen: "half" },
    percent_scale: 1,
    approved: "midpoint",
    mean: "rater_mean",
  },
  stats: { sd: "n", interval: "normal" },
  elo: { ties: "skip", update: "session_batch" },
  bayesian_elo: { stop_elo: 1, interval_labels: "shifted" },
};
const weighed: Shared = { bayesian_elo: { rater_quality: { alpha: 10, beta: 2 } } };

export const varied = both(inScenes, inThreeJobs, inTwoDimensions, graded);

/** The cases and run conventions that the mutation tests publish from; each makes other conventions visible. */
export const publishingFixtures: [
  name: string,
  file: string,
  dimension: string,
  kinds: Kind[],
  options: FixtureOptions,
][] = [
  ["", "codec-preference", "", pairwise, {}],
  ["", "two-dimensions", "motion", pairwise, {}],
  ["", "acr", "quality", ["mean", "stats"], {}],
  ["", "mushra", "", ["mean", "stats"], {}],
  ["", "approval", "", ["percent_approved", "mean", "stats"], {}],
  ["varied", "codec-preference", "", pairwise, { change: both(inScenes, inThreeJobs) }],
  ["varied", "approval", "quality", ["percent_approved", "mean", "stats"], { change: varied }],
  ["larger slates", "codec-preference", "", pairwise, { change: inLargerSlates }],
  ["the other way round", "two-dimensions", "motion", pairwise, { own: opposite }],
  ["the other way round", "acr", "quality", ["mean", "stats"], { change: varied, own: opposite }],
  [
    "the other way round",
    "approval",
    "quality",
    ["percent_approved"],
    { change: varied, own: opposite },
  ],
  [
    "larger slates, the other way round",
    "codec-preference",
    "",
    pairwise,
    { change: inLargerSlates, own: { pairs: "all" } },
  ],
  ["raters weighed", "codec-preference", "", ["bayesian_elo"], { own: weighed }],
  ["of one job", "codec-preference", "", pairwise, { source: "job2a" }],
  ["of one job", "approval", "", ["percent_approved", "mean", "stats"], { source: "job6a" }],
];
