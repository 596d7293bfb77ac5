/** Says what is wrong with a value that does not fit a JSON Schema. */
import { remembered } from "./cached.js";
import { counted, didYouMean, isMap, textOrJson } from "./text.js";

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
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
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

const isRegex = (text: string) => {
  try {
    return Boolean(new RegExp(text, "u"));
  } catch {
    return false;
  }
};

const formats: Readonly<Record<string, { says: string; fits: (text: string) => boolean }>> = {
  "date-time": {
    says: "an instant such as 2026-03-05T04:38:00Z",
    fits: (text) =>
      /^\d{4}(-\d\d){2}T.*(Z|[+-]\d\d:\d\d)$/i.test(text) && Date.parse(text) > -Infinity,
  },
  regex: { says: "a regular expression", fits: isRegex },
  uri: { says: "an address such as https://example.org", fits: (text) => URL.canParse(text) },
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
    if (formats[format] !== undefined) return formats[format].says;
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

const isOfType = (value: unknown, type: string): boolean => {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isMap(value);
  if (type === "null") return value === null;
  if (type === "integer") return Number.isInteger(value);
  return type === "number" ? Number.isFinite(value) : typeof value === type;
};

const isBelow = (value: unknown, end: unknown) => sizeIn(value) < (end as number);
const isBeyond = (value: unknown, end: unknown) => sizeIn(value) > (end as number);
function sizeIn(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return isMap(value) ? Object.keys(value).length : NaN;
}

const patternOf = remembered((pattern: string) => new RegExp(pattern, "u"));

/** Whether a value breaks a keyword. */
const rules: Readonly<Record<string, (value: unknown, own: unknown) => boolean>> = {
  minimum: isBelow,
  maximum: isBeyond,
  exclusiveMinimum: (value, end) => sizeIn(value) <= (end as number),
  exclusiveMaximum: (value, end) => sizeIn(value) >= (end as number),
  minLength: isBelow,
  maxLength: isBeyond,
  minItems: isBelow,
  minProperties: isBelow,
  pattern: (value, form) => typeof value === "string" && !patternOf(form as string).test(value),
  format: (value, name) =>
    typeof value === "string" && formats[name as string]?.fits(value) === false,
  const: (value, one) => value !== one,
  enum: (value, all) => !(all as readonly unknown[]).includes(value),
  not: (value, schema) => schemaErrors(schema as Schema, value).length === 0,
  uniqueItems: (value) => {
    const entries = value as readonly unknown[];
    return new Set(entries.map((one) => JSON.stringify(one))).size < entries.length;
  },
};

/** Of a union what each branch says, too. */
export function schemaErrors(root: object, whole: unknown): SchemaError[] {
  const errors: SchemaError[] = [];
  judge(root, whole, []);
  return errors;

  function judge(own: Schema, value: unknown, path: ValuePath): void {
    const schema = own.$ref === undefined ? own : named(own.$ref);
    const { type, items, properties = {}, patternProperties = {}, required = [] } = schema;
    const fitsType =
      typeof type === "string" ? isOfType(value, type) : type?.some((one) => isOfType(value, one));
    if (fitsType === false) {
      errors.push({ keyword: "type", schema, path, value });
      return;
    }
    for (const keyword in schema)
      if (rules[keyword]?.(value, schema[keyword as keyof Schema]) === true)
        errors.push({ keyword, schema, path, value });
    if (branchesOf(schema) !== undefined) judgeBranches(schema, value, path);
    if (Array.isArray(value) && items !== undefined)
      for (const [i, one] of value.entries()) judge(items, one, [...path, i]);
    if (!isMap(value)) return;
    for (const key of required)
      if (value[key] === undefined) errors.push({ keyword: "required", schema, path, value, key });
    const forms = Object.keys(patternProperties);
    for (const [key, one] of Object.entries(value)) {
      const fitting = forms.filter((form) => patternOf(form).test(key));
      const parts = fitting.map((form) => patternProperties[form]);
      if (Object.hasOwn(properties, key)) parts.push(properties[key]);
      for (const part of parts) judge(part as Schema, one, [...path, key]);
      if (parts.length === 0 && schema.additionalProperties === false)
        errors.push({ keyword: "additionalProperties", schema, path, value, key });
    }
  }

  function judgeBranches(schema: Schema, value: unknown, path: ValuePath): void {
    const key = schema.discriminator?.propertyName;
    const tag = key === undefined ? undefined : (value as Record<string, unknown>)[key];
    const fits = ({ properties = {} }: Schema) =>
      key === undefined || properties[key]?.const === tag;
    const own = branchesOf(schema)?.filter(fits) ?? [];
    if (own.length === 0) {
      errors.push({ keyword: "discriminator", schema, path, value: tag, key });
      return;
    }
    const before = errors.length;
    for (const branch of own) {
      const had = errors.length;
      judge(branch, value, path);
      if (errors.length > had) continue;
      errors.length = before;
      return;
    }
    errors.push({ keyword: "anyOf", schema, path, value });
  }

  /** `#/properties/lake` */
  function named(pointer: string): Schema {
    const [, group = "", name = ""] = pointer.split("/");
    return (root as Readonly<Record<string, Record<string, Schema>>>)[group]?.[name] ?? {};
  }
}

/** Null if it fits. */
export function schemaCheck(schema: object, whole = "it"): (value: unknown) => string | null {
  return (value) => {
    const errors = schemaErrors(schema, value);
    return errors.length === 0 ? null : schemaProblem(errors, whole).says;
  };
}
