/** The conventions of all kinds. */
import { Type, type Static, type TSchema } from "typebox";
import { registry, type KindConventions, type KindSchemas } from "./kinds.js";
import { either } from "./options.js";
import { strict } from "../platform/index.js";

/** The model `screening` has their clauses. */
const screeningRules = ["bs1534", "bt500", "p808", "training"] as const;

/** As in a pipeline file; definitions: docs/explanation/metrics.md. */
export const conventionsSchema = Type.Object(
  {
    training: either(["exclude", "include"]),
    incomplete: either(["exclude", "include"]),
    incorrect: either([
      "include",
      "exclude_ratings",
      "exclude_slates",
      "exclude_sessions",
      "exclude_raters",
    ]),
    pairs: either(["two", "all"]),
    screen: Type.Union([either(screeningRules), Type.Null()]),
    item_pattern: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
    direction: Type.Union([either(["higher", "lower"]), Type.Null()]),
    ...(Object.assign({}, ...registry.map(({ conventions }) => conventions)) as KindSchemas),
  },
  strict,
);

export type Conventions = Static<typeof conventionsSchema>;

export type ConventionsInput = {
  [K in keyof Conventions]?: Conventions[K] extends readonly unknown[] | null | string | number
    ? Conventions[K]
    : Partial<Conventions[K]>;
};

export const defaultConventions: Conventions = {
  training: "exclude",
  incomplete: "exclude",
  incorrect: "include",
  pairs: "two",
  screen: null,
  item_pattern: null,
  direction: null,
  ...(Object.assign({}, ...registry.map(({ defaults }) => defaults)) as KindConventions),
};

export const conventionsInputSchema: TSchema = Type.Object(
  Object.fromEntries(
    Object.entries(conventionsSchema.properties).map(([key, schema]) => [
      key,
      Type.Optional(
        Type.IsObject(schema) ? Type.Object(Type.Partial(schema).properties, strict) : schema,
      ),
    ]),
  ),
  strict,
);

/** @param input valid already */
export function conventionsWith(
  input: ConventionsInput,
  base: Conventions = defaultConventions,
): Conventions {
  const whole: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(input)) {
    const own = whole[key];
    whole[key] = isGroup(own) && isGroup(value) ? { ...own, ...value } : value;
  }
  return whole as Conventions;
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
