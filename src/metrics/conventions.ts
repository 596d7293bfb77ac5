import Type from "typebox";

const either = Type.Enum;
const positive = Type.Number({ exclusiveMinimum: 0 });
const strict = { additionalProperties: false } as const;

/**
 * Under which convention every metric is computed. Keys are snake_case because people write them
 * in a pipeline file. Defaults: `defaultConventions`. Source of the definitions: docs/metrics.md.
 */
export const conventionsSchema = Type.Object(
  {
    training: either(["exclude", "include"]),
    incomplete: either(["exclude", "include"]),
    incorrect: either(["include", "exclude_ratings", "exclude_slates", "exclude_sessions", "exclude_raters"]),
    item_pattern: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
    ties: Type.Object({ percent_chosen: either(["count", "half", "exclude"]) }, strict),
    percent_scale: Type.Union([Type.Literal(100), Type.Literal(1)]),
    approved: either(["positive", "midpoint"]),
    mean: either(["mean", "median", "rater_mean", "rater_z"]),
    stats: Type.Object(
      {
        sd: either(["n-1", "n"]),
        interval: either(["t", "normal", "bootstrap"]),
        bootstrap_samples: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
        seed: Type.Integer({ minimum: 0, maximum: 0xffffffff }),
      },
      strict,
    ),
    elo: Type.Object(
      {
        k: positive,
        start: Type.Number(),
        scale: positive,
        base: Type.Number({ exclusiveMinimum: 1 }),
        tie_value: Type.Number({ minimum: 0, maximum: 1 }),
        ties: either(["count", "skip"]),
        update: either(["comparison", "session_batch"]),
        permutations: Type.Integer({ minimum: 0, maximum: 100_000 }),
        seed: Type.Integer({ minimum: 0, maximum: 0xffffffff }),
      },
      strict,
    ),
    bayesian_elo: Type.Object(
      {
        shape: Type.Number({ exclusiveMinimum: 1 }),
        rate: positive,
        scale: positive,
        anchor: Type.Number(),
        stop_elo: Type.Union([positive, Type.Null()]),
        start: either(["cold", "warm"]),
        interval_labels: either(["own", "shifted"]),
        rater_quality: Type.Union([
          Type.Object({ alpha: Type.Number({ minimum: 1 }), beta: Type.Number({ minimum: 1 }) }, strict),
          Type.Null(),
        ]),
      },
      strict,
    ),
    bradley_terry: Type.Object(
      {
        ties: either(["half", "davidson", "generalised_davidson"]),
        rater_samples: Type.Integer({ minimum: 0, maximum: 100_000 }),
        seed: Type.Integer({ minimum: 0, maximum: 0xffffffff }),
      },
      strict,
    ),
  },
  strict,
);

export type Conventions = Type.Static<typeof conventionsSchema>;
export type EloConvention = Conventions["elo"];
export type BayesianEloConvention = Conventions["bayesian_elo"];
export type StatsConvention = Conventions["stats"];
export type BradleyTerryConvention = Conventions["bradley_terry"];

/** Some of the conventions; what is missing keeps its default. */
export type ConventionsInput = {
  [K in keyof Conventions]?: Conventions[K] extends readonly unknown[] | null | string | number
    ? Conventions[K]
    : Partial<Conventions[K]>;
};

export const defaultConventions: Conventions = {
  training: "exclude",
  incomplete: "exclude",
  incorrect: "include",
  item_pattern: null,
  ties: { percent_chosen: "count" },
  percent_scale: 100,
  approved: "positive",
  mean: "mean",
  stats: { sd: "n-1", interval: "t", bootstrap_samples: 1000, seed: 1 },
  elo: {
    k: 32,
    start: 2000,
    scale: 400,
    base: 10,
    tie_value: 0.5,
    ties: "count",
    update: "comparison",
    permutations: 100,
    seed: 1,
  },
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
  bradley_terry: { ties: "half", rater_samples: 200, seed: 1 },
};

/** The schema of `ConventionsInput`: the same fields, none required. For the pipeline file. */
export const conventionsInputSchema: Type.TSchema = Type.Object(
  Object.fromEntries(
    Object.entries(conventionsSchema.properties).map(([key, schema]) => [
      key,
      Type.Optional(Type.IsObject(schema) ? Type.Object(Type.Partial(schema).properties, strict) : schema),
    ]),
  ),
  strict,
);

/** Completes `input` with the defaults, group by group. Input is taken as already validated. */
export function conventionsWith(input: ConventionsInput): Conventions {
  const whole: Record<string, unknown> = { ...defaultConventions };
  for (const [key, value] of Object.entries(input)) {
    const base = whole[key];
    whole[key] = isGroup(base) && isGroup(value) ? { ...base, ...value } : value;
  }
  return whole as Conventions;
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
