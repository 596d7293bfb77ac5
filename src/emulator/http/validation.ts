import { Ajv, type ValidateFunction } from "ajv";
import { type FormData, Response } from "undici";
import { type ApiVersion, bodies, type BodyName, type QueryName, queryParameters } from "../../contract/index.js";
import { fieldOf } from "../rule-reader.js";
import { HttpError, invalid } from "./response.js";

/** How deep objects and lists in a body may be nested: an assumption, docs/emulator.md. */
const maxDepth = 100;

/** Whether a body is a form; media types have no case (RFC 9110, 8.3.1). */
export const isForm = (contentType = ""): boolean =>
  (contentType.split(";")[0] ?? "").trim().toLowerCase() !== "application/json";

/** The value of a body in any of the three encodings; undefined when it is empty. @throws HttpError 400. */
export async function readBody(contentType: string, bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  try {
    const value: unknown = isForm(contentType)
      ? fieldsOf(await formOf(contentType, bytes))
      : JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isTooDeep(value)) throw invalid(`Body: nested deeper than ${maxDepth} levels.`);
    return value;
  } catch (error) {
    throw error instanceof HttpError ? error : invalid("Body: cannot be read.");
  }
}

function formOf(contentType: string, bytes: Buffer): Promise<FormData> {
  // Deprecated for servers because it keeps the form in memory; a body here has at most 1 MiB.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  return new Response(bytes, { headers: { "content-type": contentType } }).formData();
}

/** The fields of a form: text, or a list of texts when a field is repeated. `config` may be JSON text. */
function fieldsOf(form: FormData): Record<string, unknown> {
  const fields = new Map<string, unknown[]>();
  for (const [name, value] of form) {
    if (typeof value !== "string") throw invalid(`Body: ${name} is a file; only text is read.`);
    const known = fields.get(name);
    if (known === undefined) fields.set(name, [name === "config" ? parsed(value) : value]);
    else known.push(value);
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Level by level: a recursive function would overflow its stack on what it is meant to find. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? (Object.values(one) as unknown[]) : []));
  }
  return false;
}

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
