import { Ajv, type ValidateFunction } from "ajv";
import { bodies, queryParameters, type ApiVersion, type BodyName, type QueryName } from "../../contract/index.js";
import { fieldOf } from "../rule-reader.js";
import { invalid } from "./http-error.js";

const options = { strict: false, allErrors: true, formats: { uri: (text: string) => URL.canParse(text) } } as const;
/** JSON bodies as they are, texts of forms converted, both with the contract's defaults; queries without. */
const readers = {
  json: new Ajv({ ...options, useDefaults: true }),
  form: new Ajv({ ...options, useDefaults: true, coerceTypes: "array" }),
  query: new Ajv({ ...options, coerceTypes: "array" }),
};
const compiled = new Map<string, ValidateFunction>();

function validator(name: string, schema: object, reader: keyof typeof readers): ValidateFunction {
  const key = `${reader} ${name}`;
  const found = compiled.get(key) ?? readers[reader].compile(JSON.parse(JSON.stringify(schema)) as object);
  compiled.set(key, found);
  return found;
}

function check(validate: ValidateFunction, value: unknown, what: string): void {
  if (validate(value)) return;
  const errors = (validate.errors ?? []).slice(0, 20).map((error) => ({
    field: fieldOf(error, error.params.missingProperty),
    message: error.message ?? "is not valid",
  }));
  const [first] = errors;
  throw invalid(`${what}: ${first?.field ? `${first.field} ` : ""}${first?.message ?? "is not valid"}.`, errors);
}

/** A query with its texts converted to the types of the contract. @throws HttpError 400. */
export function queryFor(name: QueryName, query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  for (const [field, value] of Object.entries(query))
    if (Array.isArray(value) && Object.hasOwn(queryParameters[name].properties, field))
      throw invalid(`Query: ${field} is given twice.`);
  const copy = { ...query };
  check(validator(name, queryParameters[name], "query"), copy, "Query");
  return copy;
}

/** A body that is valid in either version, with the defaults of that version. @throws HttpError 400. */
export function bodyFor(name: BodyName, version: ApiVersion, body: unknown, isForm: boolean): Record<string, unknown> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw invalid("Body: must be an object.");
  const other: ApiVersion = version === "0.8.3" ? "0.7.5" : "0.8.3";
  const reader = isForm ? "form" : "json";
  const validated = (by: ApiVersion) => {
    const copy: Record<string, unknown> = { ...body };
    const validate = validator(`${name} ${by}`, bodies[name][by], reader);
    return { copy, validate, isValid: validate(copy) };
  };
  const own = validated(version);
  const either = own.isValid ? own : validated(other);
  if (!either.isValid) check(own.validate, own.copy, "Body");
  return either.copy;
}
