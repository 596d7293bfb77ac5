import type { ErrorObject, ValidateFunction } from "ajv";
import type { Type as typebox } from "typebox";

type Builders = Pick<
  typeof typebox,
  | ("Array" | "Boolean" | "Enum" | "Integer" | "Literal" | "Null" | "Number" | "Object" | "Optional" | "Partial")
  | ("Record" | "String" | "Union" | "Unknown" | "Unsafe" | "IsObject")
>;

type Schema = Record<string, unknown>;

/** The property by which an optional schema is known; not part of its JSON. */
const optional = "~optional";
const isOptional = (schema: object) => optional in schema;

function makeOptional<S extends object>(schema: S): S {
  const copy = Object.create(Object.getPrototypeOf(schema) as object, Object.getOwnPropertyDescriptors(schema)) as S;
  return Object.defineProperty(copy, optional, { value: true });
}

function object(properties: Record<string, object>, options: Schema = {}): Schema {
  const required = Object.keys(properties).filter((name) => !isOptional(properties[name] ?? {}));
  return { type: "object", ...(required.length > 0 ? { required } : {}), properties, ...options };
}

function partial({ properties }: { properties: Record<string, object> }, options: Schema = {}): Schema {
  const each = Object.entries(properties).map(([name, one]) => [name, makeOptional(one)]);
  return object(Object.fromEntries(each) as typeof properties, options);
}

const ofType =
  (type: string) =>
  (options: Schema = {}): Schema => ({ type, ...options });

const builders = {
  Boolean: ofType("boolean"),
  Integer: ofType("integer"),
  Null: ofType("null"),
  Number: ofType("number"),
  String: ofType("string"),
  Array: (items: Schema, options: Schema = {}): Schema => ({ type: "array", items, ...options }),
  Enum: (values: readonly unknown[], options: Schema = {}): Schema => ({ enum: values, ...options }),
  Literal: (value: unknown, options: Schema = {}): Schema => ({ type: typeof value, const: value, ...options }),
  Object: object,
  Optional: makeOptional,
  Partial: partial,
  Record: (_: Schema, value: Schema, options: Schema = {}): Schema => ({
    type: "object",
    patternProperties: { "^.*$": value },
    ...options,
  }),
  Union: (anyOf: readonly Schema[], options: Schema = {}): Schema => ({ anyOf, ...options }),
  Unknown: (options: Schema = {}): Schema => ({ ...options }),
  Unsafe: (schema: Schema): Schema => schema,
  IsObject: (schema: Schema) => schema.type === "object" && "properties" in schema,
};

/**
 * Builds JSON Schemas, with the types of typebox. typebox itself makes the same objects, but loads 373 modules for it:
 * 0.13 s at the start of each command. A test holds both equal.
 */
export const Type = builders as unknown as Builders;

function problem({ instancePath, params, message = "is not valid" }: ErrorObject): string {
  const field = instancePath.slice(1).replaceAll("/", ".");
  const { allowedValues, allowedValue } = params as { allowedValues?: readonly unknown[]; allowedValue?: unknown };
  if (allowedValues !== undefined) return `${field} must be one of ${allowedValues.join(", ")}`;
  if (allowedValue !== undefined) return `${field} must be ${JSON.stringify(allowedValue)}`;
  return `${field || "it"} ${message}`;
}

/**
 * Says what is wrong with a value from outside, by its schema: one line with the field and what is allowed, null if it fits.
 * The validator is loaded and the schema compiled at the first use.
 */
export function schemaCheck(schema: object): (value: unknown) => Promise<string | null> {
  let compiled: Promise<ValidateFunction> | undefined;
  const compile = async () => {
    const { Ajv } = await import("ajv");
    // Checking the schema itself and shortening the generated code would take most of the time.
    return new Ajv({ strict: false, validateSchema: false, code: { optimize: false } }).compile(schema);
  };
  return async (value) => {
    const validate = await (compiled ??= compile());
    if (validate(value)) return null;
    const [first] = validate.errors ?? [];
    return first === undefined ? "it is not valid" : problem(first);
  };
}
