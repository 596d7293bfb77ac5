/** Says what is wrong with a value that does not fit a JSON Schema. */
import { counted, didYouMean, textOrJson } from "./text.js";

export const strict = { additionalProperties: false } as const;

export type ValuePath = readonly (string | number)[];

export const valuePathOf = (pointer: string): ValuePath =>
  pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((token) => (/^\d+$/.test(token) ? Number(token) : token));

/** `accept, entry 1, kind`. */
const inWords = (path: ValuePath): string =>
  path.reduce<string>((before, step) => {
    if (typeof step === "number")
      return before === "" ? `entry ${step + 1}` : `${before}, entry ${step + 1}`;
    return before === "" ? step : `${before}${/entry \d+$/.test(before) ? ", " : "."}${step}`;
  }, "");

/** Stated here because the library's types name no validator. */
interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: object;
  readonly data?: unknown;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly default?: unknown;
  readonly description?: string;
  readonly not?: Schema;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minItems?: number;
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const branchesOf = ({ anyOf, oneOf }: Schema) => anyOf ?? oneOf;
const valueTexts = (values: readonly unknown[]) => values.map(textOrJson);

const alphanumeric = "^[a-zA-Z0-9]+$";
const patterns: Readonly<Record<string, string>> = {
  [alphanumeric]: "of letters and digits",
  "^[A-Za-z0-9-]+$": "of letters, digits and hyphens",
  "^[0-9a-f]{64}$": "of 64 hexadecimal digits",
};

const formatTexts: Readonly<Record<string, string>> = {
  "date-time": "an instant such as 2026-03-05T04:38:00Z",
  regex: "a regular expression",
  uri: "an address such as https://example.org",
};

function limitsText({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  if (minimum !== undefined && maximum === Number.MAX_SAFE_INTEGER)
    return ` of at least ${minimum}`;
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  const bounds = [
    minimum === undefined ? "" : `of at least ${minimum}`,
    exclusiveMinimum === undefined ? "" : `above ${exclusiveMinimum}`,
    maximum === undefined ? "" : `of at most ${maximum}`,
    exclusiveMaximum === undefined ? "" : `below ${exclusiveMaximum}`,
  ].filter(Boolean);
  return bounds.length === 0 ? "" : ` ${bounds.join(" and ")}`;
}

const atLeast = (count = 0, noun: string) =>
  count === 0 ? "" : ` of at least ${counted(count, noun)}`;

const typeTexts: Readonly<Record<string, (schema: Schema) => string>> = {
  integer: (schema) => `a whole number${limitsText(schema)}`,
  number: (schema) =>
    "a " +
    `number${limitsText(schema)}${
      schema.not === undefined ? "" : ` other than ${allowedBy(schema.not)}`
    }`,
  string: ({ format = "", pattern, minLength = 0, description = "" }) => {
    if (formatTexts[format] !== undefined) return formatTexts[format];
    if (pattern === undefined) return minLength > 0 ? "text that is not empty" : "text";
    const [meaning = ""] = description.split(/\.|, for example/);
    return (
      "text " + (patterns[pattern] ?? (meaning === "" ? `that matches ${pattern}` : `(${meaning})`))
    );
  },
  boolean: () => "true or false",
  array: ({ minItems }) => `a list${atLeast(minItems, "entry")}`,
  object: ({ minProperties }) => `a map${atLeast(minProperties, "key")}`,
  null: () => "null",
};

/** `one of all, whole`, `a whole number from 1 to 64`. */
function allowedBy(schema: Schema): string {
  const branches = branchesOf(schema);
  if (branches !== undefined) return [...new Set(branches.map(allowedBy))].join(" or ");
  if (schema.const !== undefined) return valueTexts([schema.const]).join("");
  if (schema.enum !== undefined)
    return `${schema.enum.length > 1 ? "one of " : ""}${valueTexts(schema.enum).join(", ")}`;
  const own = [schema.type ?? "object"].flat().map((type) => typeTexts[type]?.(schema) ?? type);
  return own.join(" or ");
}

const saidExample = ({ description = "" }: Schema): string | null =>
  /, for example (.+?)\.?(?:$|\. )/.exec(description)?.[1] ?? null;

/** On one line; null if the description gives no example and the type says enough. */
function exampleOf(schema: Schema): string | null {
  const said = saidExample(schema);
  if (said !== null) return said;
  const branches = branchesOf(schema);
  if (branches !== undefined) return branches.map(exampleOf).find((one) => one !== null) ?? null;
  if (schema.items !== undefined) return `[${anyOf(schema.items)}]`;
  const { properties = {}, required = [], patternProperties = {} } = schema;
  const shown = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  const members = shown.flatMap((key) =>
    properties[key]?.$ref ? [] : `${key}: ${anyOf(properties[key] ?? {})}`,
  );
  members.push(...Object.values(patternProperties).map((one) => `key: ${anyOf(one)}`));
  return members.length === 0 ? null : `{ ${members.join(", ")} }`;
}

function anyOf(schema: Schema): string {
  const example = exampleOf(schema);
  if (example !== null) return example;
  const [first = schema] = branchesOf(schema) ?? [];
  const value = first.default ?? first.const ?? first.enum?.[0];
  if (value !== undefined) return valueTexts([value]).join("");
  const { minimum, exclusiveMinimum, type } = first;
  if (type === "integer" || type === "number")
    return String(minimum ?? (exclusiveMinimum ?? 0) + 1);
  return type === "boolean" ? "true" : type === "array" ? "[]" : type === "object" ? "{}" : "text";
}

/** An unknown key first, then the deepest error, then the one that names all that is allowed. */
function mostUseful(errors: readonly SchemaError[]): SchemaError | undefined {
  const ranks: Readonly<Record<string, number>> = {
    additionalProperties: 1000,
    required: 2,
    uniqueItems: 2,
    anyOf: 1,
  };
  const rank = ({ keyword, instancePath }: SchemaError) =>
    (ranks[keyword] ?? 0) + 10 * instancePath.split("/").length;
  return errors.toSorted((a, b) => rank(b) - rank(a))[0];
}

const longestShown = 80;
const longestExample = 160;

function shownValue(value: unknown): string {
  try {
    const text = typeof value === "number" ? String(value) : JSON.stringify(value);
    return `, not ${text.length > longestShown ? `${text.slice(0, longestShown)}…` : text}`;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return ", not a value that is nested thousands of levels deep";
  }
}

const exampleText = (example: string | null) =>
  example === null || example.length > longestExample ? "" : `, for example ${example}`;

function mended(schema: Schema, given: unknown): string | null {
  if (typeof given !== "string" || !/^[\w-]{1,40}$/.test(given)) return null;
  if (schema.items?.type === "string") return `[${given}]`;
  return schema.pattern === alphanumeric ? given.replace(/[_-]/g, "") || null : null;
}

export interface SchemaProblem {
  readonly path: ValuePath;
  readonly key?: string;
  readonly says: string;
}

/**
 * @param whole what the value itself is called
 * @param isSecret whether the value at a path must not be shown
 */
export function schemaProblem(
  errors: readonly SchemaError[],
  whole: string,
  isSecret: (path: ValuePath) => boolean = () => false,
): SchemaProblem {
  const error = mostUseful(errors);
  if (error === undefined) return { path: [], says: `${whole} is not valid` };
  const { keyword, params, data } = error;
  const schema = (error.parentSchema ?? {}) as Schema;
  const path = valuePathOf(error.instancePath);
  const name = inWords(path) || whole;
  const value = (of: unknown) => (isSecret(path) ? "" : shownValue(of));
  if (keyword === "additionalProperties") {
    const key = String(params.additionalProperty);
    const known = Object.keys(schema.properties ?? {});
    return {
      path,
      key,
      says:
        `unknown key ${inWords([...path, key])}.${didYouMean(key, known)} Known here: ` +
        known.join(", "),
    };
  }
  if (keyword === "required") {
    const key = String(params.missingProperty);
    const example = `${key}: ${anyOf(schema.properties?.[key] ?? {})}`;
    return { path, says: `${name} needs ${key}${exampleText(example)}` };
  }
  if (keyword === "uniqueItems")
    return { path, says: `${name} must not have the same entry twice${value(data)}` };
  if (keyword === "discriminator") {
    const { tag, tagValue } = params as { tag: string; tagValue: unknown };
    const allowed = (schema.oneOf ?? []).flatMap((one) =>
      valueTexts([one.properties?.[tag]?.const]),
    );
    const given = tagValue === undefined ? "" : value(tagValue);
    return {
      path,
      says: `${inWords([...path, tag])} must be one of ${allowed.join(", ")}${given}`,
    };
  }
  const fitting = isSecret(path) ? null : mended(schema, data);
  const example = saidExample(schema) ?? fitting ?? exampleOf(schema);
  return {
    path,
    says: `${name} must be ${allowedBy(schema)}${exampleText(example)}${value(data)}`,
  };
}

export interface Validator {
  (value: unknown): boolean;
  errors?: null | readonly SchemaError[];
}

/** Loaded and compiled at the first use. */
export function compiledSchema(schema: object): () => Promise<Validator> {
  let compiled: Promise<Validator> | undefined;
  const compile = async () => {
    const { Ajv } = await import("ajv");
    // Checking the schema itself and shortening the generated code would take most of the time.
    const quick = { validateSchema: false, code: { optimize: false } } as const;
    return new Ajv({ strict: false, verbose: true, ...quick }).compile(schema);
  };
  return () => (compiled ??= compile());
}

/** One line with the field and what is allowed; null if the value fits. */
export function schemaCheck(
  validator: () => Promise<Validator>,
): (value: unknown) => Promise<string | null> {
  return async (value) => {
    const validate = await validator();
    return validate(value) ? null : schemaProblem(validate.errors ?? [], "it").says;
  };
}
