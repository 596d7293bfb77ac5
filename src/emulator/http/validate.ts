import { Ajv, type ValidateFunction } from "ajv";
import { bodies, queryParameters, type ApiVersion, type BodyName, type QueryName } from "../../contract/index.js";
import { fieldOf } from "../rule-reader.js";
import { invalid } from "./http-error.js";

const options = { strict: false, allErrors: true, useDefaults: false } as const;
const exact = new Ajv(options);
const lenient = new Ajv({ ...options, coerceTypes: "array" });
const compiled = new Map<string, ValidateFunction>();

function validator(name: string, schema: object, coerce: boolean): ValidateFunction {
  const key = `${name} ${coerce}`;
  const found = compiled.get(key) ?? (coerce ? lenient : exact).compile(JSON.parse(JSON.stringify(schema)) as object);
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
  check(validator(`query ${name}`, queryParameters[name], true), copy, "Query");
  return copy;
}

/** A body that is valid in either version; texts of forms are converted. @throws HttpError 400. */
export function bodyFor(name: BodyName, version: ApiVersion, body: unknown, isForm: boolean): Record<string, unknown> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw invalid("Body: must be an object.");
  const other: ApiVersion = version === "0.8.3" ? "0.7.5" : "0.8.3";
  const copy: Record<string, unknown> = { ...body };
  const olderToo = validator(`${name} ${other}`, bodies[name][other], isForm);
  const fits = validator(`${name} ${version}`, bodies[name][version], isForm);
  if (!fits(copy) && olderToo(copy)) return copy;
  check(fits, copy, "Body");
  return copy;
}
