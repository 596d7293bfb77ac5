import type { Static, TObject, TSchema } from "typebox";
import { Type } from "../../platform/index.js";

const closed = { additionalProperties: false } as const;
const above = (bound: number) => Type.Number({ exclusiveMinimum: bound });
const orNull = <const S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const word = Type.String({ minLength: 1 });

/**
 * The convention under which the emulator computes and publishes. The defaults are those of docs/metrics.md. Keys are
 * snake_case because data definitions and `options` use them.
 */
const fields = {
  training: Type.Enum(["exclude", "include", "only"]),
  incomplete: Type.Enum(["exclude", "include"]),
  incorrect: Type.Enum(["include", "exclude_ratings", "exclude_slates", "exclude_sessions", "exclude_raters"]),
  /** Of a rater's slates with the same stimuli: all, or only the first or last in the order of docs/metrics.md. */
  repeats: Type.Enum(["all", "first", "last"]),
  /** Comparisons: of slates with two scores, or of every two scores of a slate. */
  pairs: Type.Enum(["two", "all"]),
  /** Order of comparisons for online Elo; `service` is the order of docs/metrics.md. */
  order: Type.Enum(["service", "created", "session_id", "slate_updated", "slate_id", "reversed"]),
  /** Publish from the ratings of this job, or `*` for all jobs; null: the requested source decides. */
  job: orNull(word),
  /** Leave out the ratings of this job. */
  without_job: orNull(word),
  /** Publish the numbers of this dimension, or `*` for all together; null: of the dimension that is named. */
  dimension: orNull(Type.String()),
  item_key: Type.Enum(["stimulus", "stimulus_id"]),
  /** A regular expression with one capture: the item inside the name of a stimulus. */
  item_pattern: orNull(word),
  ties: Type.Object({ percent_chosen: Type.Enum(["count", "half", "exclude"]) }, closed),
  percent_scale: Type.Union([Type.Literal(100), Type.Literal(1)]),
  approved: Type.Enum(["positive", "midpoint"]),
  /** The divisor of means and shares. */
  denominator: Type.Enum(["n", "n-1"]),
  /** The share of comparisons that is published: won or lost. */
  chosen: Type.Enum(["wins", "losses"]),
  mean: Type.Enum(["mean", "median", "rater_mean", "rater_z", "rater_z_n", "rater_minmax"]),
  stats: Type.Object(
    {
      sd: Type.Enum(["n-1", "n"]),
      interval: Type.Enum(["t", "normal", "bootstrap"]),
      level: Type.Union([Type.Literal(90), Type.Literal(95), Type.Literal(99)]),
      quartiles: Type.Enum(["linear", "exclusive", "type_5", "type_8", "hinges", "halves"]),
      /** Resamples of the percentile bootstrap, and the seed they are drawn from. */
      bootstrap_samples: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      seed: Type.Integer({ minimum: 0, maximum: 0xffffffff }),
    },
    closed,
  ),
  elo: Type.Object(
    {
      k: above(0),
      start: Type.Number(),
      scale: above(0),
      base: above(1),
      tie_value: Type.Number({ minimum: 0, maximum: 1 }),
      ties: Type.Enum(["count", "skip"]),
      update: Type.Enum(["comparison", "session_batch"]),
    },
    closed,
  ),
  bayesian_elo: Type.Object(
    {
      shape: above(1),
      rate: above(0),
      scale: above(0),
      anchor: Type.Number(),
      ties: Type.Enum(["half", "exclude", "davidson"]),
      stop_elo: orNull(above(0)),
      start: Type.Enum(["cold", "warm"]),
      interval_labels: Type.Enum(["own", "shifted"]),
      rater_quality: orNull(
        Type.Object({ alpha: Type.Number({ minimum: 1 }), beta: Type.Number({ minimum: 1 }) }, closed),
      ),
    },
    closed,
  ),
};

export type Convention = Static<TObject<typeof fields>>;

export type ConventionInput = {
  [K in keyof Convention]?: Convention[K] extends string | number | null ? Convention[K] : Partial<Convention[K]>;
};

/** The schema of `ConventionInput`: the same fields, none required. */
export const conventionInputSchema = Type.Unsafe<ConventionInput>(
  Type.Object(
    Object.fromEntries(
      Object.entries<TSchema>(fields).map(([key, schema]) => [
        key,
        Type.Optional(Type.IsObject(schema) ? Type.Object(Type.Partial(schema).properties, closed) : schema),
      ]),
    ),
    closed,
  ),
);

export const defaultConvention: Convention = {
  training: "exclude",
  incomplete: "exclude",
  incorrect: "include",
  repeats: "all",
  pairs: "two",
  order: "service",
  job: null,
  without_job: null,
  dimension: null,
  item_key: "stimulus",
  item_pattern: null,
  ties: { percent_chosen: "count" },
  percent_scale: 100,
  approved: "positive",
  denominator: "n",
  chosen: "wins",
  mean: "mean",
  stats: { sd: "n-1", interval: "t", level: 95, quartiles: "linear", bootstrap_samples: 1000, seed: 1 },
  elo: { k: 32, start: 2000, scale: 400, base: 10, tie_value: 0.5, ties: "count", update: "comparison" },
  bayesian_elo: {
    shape: 5,
    rate: 0.1,
    scale: 400,
    anchor: 2000,
    ties: "half",
    stop_elo: null,
    start: "cold",
    interval_labels: "own",
    rater_quality: null,
  },
};

/** `base` with the fields of `input` merged into it, one level deep. */
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
