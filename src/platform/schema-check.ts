/** Says what is wrong with a value that does not fit a JSON Schema. */
import { Compile } from "typebox/schema";
import { Settings } from "typebox/system";
import { cached } from "./cached.js";
import { counted, didYouMean, textOrJson } from "./text.js";

export const strict = { additionalProperties: false } as const;

export type ValuePath = readonly (string | number)[];

/** `accept, entry 1, kind`. */
const inWords = (path: ValuePath): string =>
  path.reduce<string>((before, step) => {
    if (typeof step === "number")
      return before === "" ? `entry ${step + 1}` : `${before}, entry ${step + 1}`;
    return before === "" ? step : `${before}${/entry \d+$/.test(before) ? ", " : "."}${step}`;
  }, "");

export interface SchemaError {
  readonly keyword: string;
  readonly path: ValuePath;
  readonly schema: Schema;
  readonly value: unknown;
  /** That is missing, or not known. */
  readonly key?: string | undefined;
}

interface LocatedError extends SchemaError {
  readonly schemaPath: string;
  readonly instancePath: string;
}

export interface Schema {
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
  readonly discriminator?: { readonly propertyName: string };
}

const branchesOf = ({ anyOf, oneOf }: Schema) => anyOf ?? oneOf;
const valueTexts = (values: readonly unknown[]) => values.map(textOrJson);

const patterns: Readonly<Record<string, string>> = {
  "^[a-zA-Z0-9]+$": "of letters and digits",
  "^[A-Za-z0-9-]+$": "of letters, digits and hyphens",
  "^[A-Za-z0-9][A-Za-z0-9._-]*$": "of letters, digits, `.`, `_` and `-`",
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
  const rank = ({ keyword, path }: SchemaError) => (ranks[keyword] ?? 0) + 10 * path.length;
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
  const isWord = typeof given === "string" && /^[\w-]{1,40}$/.test(given);
  return isWord && schema.items?.type === "string" ? `[${given}]` : null;
}

interface SchemaProblem {
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
  const { keyword, path, schema, key = "" } = error;
  const name = inWords(path) || whole;
  const value = (of: unknown) => (isSecret(path) ? "" : shownValue(of));
  if (keyword === "additionalProperties") {
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
    const example = `${key}: ${anyOf(schema.properties?.[key] ?? {})}`;
    return { path, says: `${name} needs ${key}${exampleText(example)}` };
  }
  if (keyword === "uniqueItems")
    return { path, says: `${name} must not have the same entry twice${value(error.value)}` };
  if (keyword === "discriminator") {
    const allowed = (branchesOf(schema) ?? []).flatMap((one) =>
      valueTexts([one.properties?.[key]?.const]),
    );
    const given = error.value === undefined ? "" : value(error.value);
    return {
      path,
      says: `${inWords([...path, key])} must be one of ${allowed.join(", ")}${given}`,
    };
  }
  const fitting = isSecret(path) ? null : mended(schema, error.value);
  const example = saidExample(schema) ?? fitting ?? exampleOf(schema);
  return {
    path,
    says: `${name} must be ${allowedBy(schema)}${exampleText(example)}${value(error.value)}`,
  };
}

const checkerOf = cached((schema: object) => {
  // 8 by default: the most useful may come later.
  Settings.Set({ maxErrors: 1000 });
  return Compile(schema);
});

const partAt = (whole: unknown, path: ValuePath): unknown =>
  path.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], whole);

const stepsOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));

/** A path in a schema goes through references. */
function schemaAt(root: object, pointer: string): Schema {
  const own = stepsOf(pointer).reduce<unknown>(
    (part, step) => (referred(root, part) as Record<string, unknown>)[step],
    root,
  );
  return referred(root, own);
}

const referred = (root: object, schema: unknown): Schema => {
  const { $ref } = schema as Schema;
  return $ref === undefined ? (schema as Schema) : schemaAt(root, $ref);
};

function pathIn(whole: unknown, pointer: string): ValuePath {
  const path: (string | number)[] = [];
  for (const step of stepsOf(pointer))
    path.push(Array.isArray(partAt(whole, path)) ? Number(step) : step);
  return path;
}

/** Of a union with a tag only what the branch of that tag says, or that none has it. */
function ofTagged(error: LocatedError, all: readonly LocatedError[]): SchemaError[] {
  const isIn = (outer: string, inner: string) => `${inner}/`.startsWith(`${outer}/`);
  for (const union of all) {
    const { schemaPath, instancePath, schema, value } = union;
    const key = schema.discriminator?.propertyName;
    const branches = branchesOf(schema);
    if (key === undefined || branches === undefined) continue;
    if (!isIn(schemaPath, error.schemaPath) || !isIn(instancePath, error.instancePath)) continue;
    const tag = (value as Record<string, unknown>)[key];
    const own = branches.findIndex(({ properties = {} }) => properties[key]?.const === tag);
    if (own === -1)
      return error === union ? [{ ...error, keyword: "discriminator", key, value: tag }] : [];
    const [, , branch = String(own)] = error.schemaPath.slice(schemaPath.length).split("/");
    if (branch !== String(own)) return [];
  }
  return [error];
}

/** Of a union what each branch says, too. */
export function schemaErrors(root: object, whole: unknown): SchemaError[] {
  const validator = checkerOf(root);
  if (validator.Check(whole)) return [];
  const errors = validator.Errors(whole)[1].flatMap(({ keyword, ...error }): LocatedError[] => {
    const { schemaPath, instancePath, params } = error;
    const { additionalProperties, requiredProperties } = params as Record<string, string[]>;
    const path = pathIn(whole, instancePath);
    const located = { schemaPath, instancePath, path, value: partAt(whole, path) };
    const schema = schemaAt(root, schemaPath);
    return keyword === "boolean"
      ? []
      : (additionalProperties ?? requiredProperties ?? [undefined]).map((key) => ({
          ...{ keyword, ...located, schema, key },
        }));
  });
  return errors.flatMap((error) => ofTagged(error, errors));
}

/** Null if it fits. */
export function schemaCheck(schema: object, whole = "it"): (value: unknown) => string | null {
  return (value) => {
    const errors = schemaErrors(schema, value);
    return errors.length === 0 ? null : schemaProblem(errors, whole).says;
  };
}
