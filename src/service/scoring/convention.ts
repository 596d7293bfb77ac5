/**
 * Under which convention the local service computes and publishes. The defaults are those of
 * docs/metrics.md. Keys are snake_case because they stand in data definitions and in `options`.
 */
export interface Convention {
  training: "exclude" | "include";
  incomplete: "exclude" | "include";
  incorrect: "include" | "exclude_ratings" | "exclude_slates" | "exclude_sessions" | "exclude_raters";
  /** Order of comparisons for online Elo; `service` is the order of docs/metrics.md. */
  order: "service" | "created" | "identifier" | "reverse";
  /** Publish the whole experiment from the ratings of this one job. */
  job: string | null;
  /** A regular expression with one capture: the item inside a stimulus. */
  item_pattern: string | null;
  ties: { percent_chosen: "count" | "half" | "exclude" };
  percent_scale: 100 | 1;
  approved: "positive" | "midpoint";
  mean: "mean" | "median" | "rater_mean" | "rater_z";
  stats: { sd: "n-1" | "n"; interval: "t" | "normal" };
  elo: {
    k: number;
    start: number;
    scale: number;
    base: number;
    tie_value: number;
    ties: "count" | "skip";
    update: "comparison" | "session_batch";
  };
  bayesian_elo: {
    shape: number;
    rate: number;
    scale: number;
    anchor: number;
    stop_elo: number | null;
    start: "cold" | "warm";
    interval_labels: "own" | "shifted";
    rater_quality: { alpha: number; beta: number } | null;
  };
}

export type ConventionInput = {
  [K in keyof Convention]?: Convention[K] extends string | number | null ? Convention[K] : Partial<Convention[K]>;
};

export const defaultConvention: Convention = {
  training: "exclude",
  incomplete: "exclude",
  incorrect: "include",
  order: "service",
  job: null,
  item_pattern: null,
  ties: { percent_chosen: "count" },
  percent_scale: 100,
  approved: "positive",
  mean: "mean",
  stats: { sd: "n-1", interval: "t" },
  elo: { k: 32, start: 2000, scale: 400, base: 10, tie_value: 0.5, ties: "count", update: "comparison" },
  bayesian_elo: {
    shape: 5,
    rate: 0.1,
    scale: 400,
    anchor: 2000,
    stop_elo: null,
    start: "cold",
    interval_labels: "own",
    rater_quality: null,
  },
};

/** `base` with the fields of `input` laid over it, one level deep. */
export function conventionWith(input: ConventionInput, base: Convention = defaultConvention): Convention {
  return {
    ...base,
    ...input,
    ties: { ...base.ties, ...input.ties },
    stats: { ...base.stats, ...input.stats },
    elo: { ...base.elo, ...input.elo },
    bayesian_elo: { ...base.bayesian_elo, ...input.bayesian_elo },
  };
}
