import type { ErrorObject, ValidateFunction } from "ajv";

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
