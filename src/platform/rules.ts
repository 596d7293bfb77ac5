/** Says what is wrong with a value that calls itself `at`; null if nothing is. */
export type Rule = (value: unknown, at: string) => string | null;

/** A rule for every field of `T`. */
export type RulesFor<T> = { readonly [K in keyof T]-?: Rule };

const is =
  (what: string, holds: (value: unknown) => boolean): Rule =>
  (value, at) =>
    holds(value) ? null : `${at} is not ${what}`;

/** Rules for values from outside, to be checked once at the border. */
export const rules = {
  text: is("text", (value) => typeof value === "string"),
  number: is("a number", Number.isFinite),
  /** From 0 to 2^53 - 1. */
  count: is("a whole number", (value) => Number.isSafeInteger(value) && (value as number) >= 0),
  digest: is("a SHA-256", (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value)),
  matching: (what: string, pattern: RegExp): Rule =>
    is(what, (value) => typeof value === "string" && pattern.test(value)),
  oneOf: (...values: readonly unknown[]): Rule =>
    is(values.map(String).join(" or "), (value) => values.includes(value)),
  nullOr:
    (rule: Rule): Rule =>
    (value, at) =>
      value === null ? null : rule(value, at),
  optional:
    (rule: Rule): Rule =>
    (value, at) =>
      value === undefined ? null : rule(value, at),
  listOf:
    (rule: Rule): Rule =>
    (value, at) =>
      Array.isArray(value) ? first(value, (one, i) => rule(one, `${at}[${i}]`)) : `${at} is not a list`,
  mapOf:
    (rule: Rule): Rule =>
    (value, at) =>
      isObject(value)
        ? first(Object.entries(value), ([name, one]) => rule(one, `${at}.${name}`))
        : `${at} is not an object`,
  /** A rule for each field; other fields may be there too. */
  record:
    (fields: Readonly<Record<string, Rule>>): Rule =>
    (value, at) =>
      isObject(value)
        ? first(Object.entries(fields), ([name, rule]) => rule(own(value, name), at === "" ? name : `${at}.${name}`))
        : `${at || "it"} is not an object`,
} as const;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const own = (value: Record<string, unknown>, name: string) => (Object.hasOwn(value, name) ? value[name] : undefined);

function first<T>(all: readonly T[], problem: (one: T, i: number) => string | null): string | null {
  for (const [i, one] of all.entries()) {
    const found = problem(one, i);
    if (found !== null) return found;
  }
  return null;
}
