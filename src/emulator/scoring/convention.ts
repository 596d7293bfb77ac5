// The convention under which the emulator computes and publishes.
import { Type, type Static, type TObject, type TProperties, type TSchema } from "typebox";
import { Create } from "typebox/value";
import { strict } from "../../platform/index.js";

/** The default first. */
const oneOf = <const V extends readonly (string | number)[]>(...values: V) =>
  Type.Unsafe<V[number]>(Type.Enum([...values], { default: values[0] }));
const real = (usual: number, limits: object = {}) => Type.Number({ default: usual, ...limits });
const above = (bound: number, usual: number) => real(usual, { exclusiveMinimum: bound });
const nullOr = <const S extends TSchema>(schema: S) =>
  Type.Union([schema, Type.Null()], { default: null });
const group = <const P extends TProperties>(fields: P) => Type.Object(fields, strict);
const word = Type.String({ minLength: 1 });

/**
 * Defaults are those of docs/explanation/metrics.md. Keys are snake_case because data definitions
 * and `options` use them.
 */
const fields = {
  training: oneOf("exclude", "include", "only"),
  incomplete: oneOf("exclude", "include"),
  incorrect: oneOf(
    "include",
    "exclude_ratings",
    "exclude_slates",
    "exclude_sessions",
    "exclude_raters",
  ),
  /** Of a rater's slates with the same stimuli. */
  repeats: oneOf("all", "first", "last"),
  /** Of slates with two scores, or of every two scores of a slate. */
  pairs: oneOf("two", "all"),
  /** `service` is the order of docs/explanation/metrics.md. */
  order: oneOf("service", "created", "session_id", "slate_updated", "slate_id", "reversed"),
  /** `*`: all jobs; null: the requested source decides. */
  job: nullOr(word),
  without_job: nullOr(word),
  /** `*`: all together; null: the dimension that is named. */
  dimension: nullOr(Type.String()),
  item_key: oneOf("stimulus", "stimulus_id"),
  /** One capture: the item inside the name of a stimulus. */
  item_pattern: nullOr(Type.String({ minLength: 1, format: "regex" })),
  ties: group({ percent_chosen: oneOf("count", "half", "exclude") }),
  percent_scale: oneOf(100, 1),
  approved: oneOf("positive", "midpoint"),
  denominator: oneOf("n", "n-1"),
  chosen: oneOf("wins", "losses"),
  mean: oneOf("mean", "median", "rater_mean", "rater_z", "rater_z_n", "rater_minmax"),
  stats: group({
    sd: oneOf("n-1", "n"),
    interval: oneOf("t", "normal", "bootstrap"),
    level: oneOf(95, 90, 99),
    quartiles: oneOf("linear", "exclusive", "type_5", "type_8", "hinges", "halves"),
    bootstrap_samples: Type.Integer({ default: 1000, minimum: 1, maximum: 1_000_000 }),
    seed: Type.Integer({ default: 1, minimum: 0, maximum: 0xffffffff }),
  }),
  elo: group({
    k: above(0, 32),
    start: real(2000),
    scale: above(0, 400),
    base: above(1, 10),
    tie_value: real(0.5, { minimum: 0, maximum: 1 }),
    ties: oneOf("count", "skip"),
    update: oneOf("comparison", "session_batch"),
  }),
  bayesian_elo: group({
    shape: above(1, 5),
    rate: above(0, 0.1),
    scale: above(0, 400),
    anchor: real(2000),
    ties: oneOf("half", "exclude", "davidson"),
    stop_elo: nullOr(Type.Number({ exclusiveMinimum: 0 })),
    start: oneOf("cold", "warm"),
    interval_labels: oneOf("own", "shifted"),
    rater_quality: nullOr(
      group({ alpha: Type.Number({ minimum: 1 }), beta: Type.Number({ minimum: 1 }) }),
    ),
  }),
};

export type Convention = Static<TObject<typeof fields>>;

export type ConventionInput = {
  [K in keyof Convention]?: Convention[K] extends string | number | null
    ? Convention[K]
    : Partial<Convention[K]>;
};

export const conventionInputSchema = Type.Unsafe<ConventionInput>(
  Type.Partial(
    group(
      Object.fromEntries(
        Object.entries<TSchema>(fields).map(([key, schema]) => [
          key,
          Type.IsObject(schema) ? group(Type.Partial(schema).properties) : schema,
        ]),
      ),
    ),
  ),
);

export const defaultConvention: Convention = Create(group(fields));

/** Merged one level deep. */
export function conventionWith(
  input: ConventionInput,
  base: Convention = defaultConvention,
): Convention {
  const merged = Object.entries(base).map(([key, own]) => {
    const given = input[key as keyof Convention];
    if (given === undefined) return [key, own] as const;
    return [
      key,
      typeof own === "object" && own !== null ? { ...own, ...(given as object) } : given,
    ] as const;
  });
  return Object.fromEntries(merged) as unknown as Convention;
}
