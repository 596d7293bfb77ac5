// Who sent a request, and its validated query and body.
import { groupsOf, jsonIn } from "../../platform/index.js";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Response } from "undici";
import {
  type Operation,
  type ApiVersion,
  bodies,
  type BodyName,
  type QueryName,
  queryParameters,
} from "../../contract/index.js";
import type { ApiKey, Project, State, User } from "../state.js";
import { denied, HttpError, notFound, invalid } from "./response.js";

type Principal = Omit<ApiKey, "key"> & { hasKey: boolean };

const unauthorized = (detail: string): HttpError =>
  new HttpError(401, "not_authenticated", detail, [], {
    "www-authenticate": 'Api-Key realm="recount"',
  });

/** @throws HttpError 401. */
export function principalOf(
  state: State,
  { authorization, cookie }: { authorization?: string | undefined; cookie?: string | undefined },
): Principal {
  if (authorization !== undefined) {
    const [, scheme = "", rest = ""] = /^([\w-]+) +(.+)$/.exec(authorization.trim()) ?? [];
    if (scheme.toLowerCase() === "api-key") return byKey(state, rest);
    if (scheme.toLowerCase() === "basic") return byPassword(state, rest);
    throw unauthorized("The Authorization header names no scheme that is accepted here.");
  }
  const sessionId = /(?:^|;\s*)sessionid=([^;]*)/.exec(cookie ?? "")?.[1];
  if (sessionId === undefined) throw unauthorized("Authentication credentials were not provided.");
  const user = [...state.users.values()].find((one) => one.session_id === sessionId);
  if (user === undefined) throw unauthorized("The session is unknown or has ended.");
  return ofUser(user);
}

function byKey(state: State, text: string): Principal {
  const key = [...state.keys.values()].find((one) => one.key === text.trim());
  if (key === undefined) throw unauthorized("The API key is not valid.");
  return { ...key, hasKey: true };
}

function byPassword(state: State, text: string): Principal {
  const [username = "", ...password] = Buffer.from(text, "base64").toString("utf8").split(":");
  const user = state.users.get(username);
  if (user?.password !== password.join(":")) throw unauthorized("Username or password is wrong.");
  return ofUser(user);
}

const ofUser = ({ role, project_id }: User): Principal => ({
  hasKey: false,
  role,
  project_id,
  organization_id: null,
});

/** @throws HttpError 404 unknown or another's, 403 when the role is not sufficient. */
export function projectFor(
  state: State,
  principal: Principal,
  id: string,
  operation: Operation,
): Project {
  const project = state.projects.get(id);
  if (project === undefined) throw notFound("project");
  if (principal.project_id !== id && principal.organization_id !== project.organization_id)
    throw notFound("project");
  checkRole(principal, operation);
  return project;
}

/** @throws HttpError 404 unknown or another's, 403 when the key or role is not sufficient. */
export function checkOrganization(
  state: State,
  principal: Principal,
  id: string,
  operation: Operation,
): void {
  if (principal.organization_id === null)
    throw denied("This needs an API key of the organization.");
  if (!state.organizations.has(id) || principal.organization_id !== id)
    throw notFound("organization");
  checkRole(principal, operation);
}

function checkRole({ hasKey, role }: Principal, { roles }: Operation): void {
  if (roles === undefined || (hasKey && roles.includes(role))) return;
  const names = roles.map((one) => one.replace("_", " ")).join(" or ");
  throw denied(`This needs an API key created by a ${names}.`);
}

/** Media types have no case (RFC 9110, 8.3.1). */
export const isForm = (contentType = ""): boolean =>
  (contentType.split(";")[0] ?? "").trim().toLowerCase() !== "application/json";

/** Undefined when empty. @throws HttpError 400. */
export async function readBody(contentType: string, bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  try {
    return isForm(contentType)
      ? await formFields(contentType, bytes)
      : (JSON.parse(bytes.toString()) as unknown);
  } catch (error) {
    throw error instanceof HttpError ? error : invalid("Body: cannot be read.");
  }
}

/** Text, or a list of texts when a field is repeated; `config` may be JSON text. */
async function formFields(contentType: string, bytes: Buffer): Promise<Record<string, unknown>> {
  // Deprecated for servers because it keeps the form in memory; a body here has at most 1 MiB.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const form = await new Response(bytes, { headers: { "content-type": contentType } }).formData();
  const fields = [...form].map(([name, value]): [string, unknown] => {
    if (typeof value !== "string") throw invalid(`Body: ${name} is a file; only text is read.`);
    return [name, name === "config" ? jsonOrText(value) : value];
  });
  const grouped = [...groupsOf(fields, ([name]) => name)].map(
    ([name, own]) => [name, own.map(([, value]) => value)] as const,
  );
  return Object.fromEntries(
    grouped.map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

function jsonOrText(text: string): unknown {
  const value = jsonIn(text);
  return value === undefined ? text : value;
}

/** With dots. */
const fieldPath = ({ instancePath }: ErrorObject, ...last: unknown[]): string =>
  [instancePath.slice(1).replaceAll("/", "."), ...last].filter(Boolean).join(".");

const ajvFormats = { uri: (text: string) => URL.canParse(text) };
/** Fields that a schema does not name are left out. */
const ajvOptions = {
  strict: false,
  allErrors: true,
  removeAdditional: "all",
  formats: ajvFormats,
} as const;
const readers = {
  json: new Ajv({ ...ajvOptions, useDefaults: true }),
  form: new Ajv({ ...ajvOptions, useDefaults: true, coerceTypes: "array" }),
  query: new Ajv({ ...ajvOptions, coerceTypes: "array" }),
};
const compiled = new Map<string, ValidateFunction>();

/** A copy with defaults and converted texts, and its refusal by a schema; null if it is valid. */
function validated(value: object, name: string, schema: object, reader: keyof typeof readers) {
  const key = `${reader} ${name}`;
  const validate =
    compiled.get(key) ?? readers[reader].compile(JSON.parse(JSON.stringify(schema)) as object);
  compiled.set(key, validate);
  const copy: Record<string, unknown> = { ...value };
  if (validate(copy)) return { copy, refusal: null };
  const errors = (validate.errors ?? []).slice(0, 20).map((error) => ({
    field: fieldPath(error, error.params.missingProperty),
    message: error.keyword === "required" ? "is required" : (error.message ?? "is not valid"),
  }));
  const [{ field, message } = { field: "", message: "is not valid" }] = errors;
  const what = reader === "query" ? "Query" : "Body";
  return {
    copy,
    refusal: invalid(`${what}: ${field === "" ? "" : `${field} `}${message}.`, errors),
  };
}

/** @throws HttpError 400. */
export function validQuery(
  name: QueryName,
  query: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { copy, refusal } = validated(query, name, queryParameters[name], "query");
  if (refusal !== null) throw refusal;
  return copy;
}

/** Valid in either version, with the defaults of that version. @throws HttpError 400. */
export function bodyFor(
  name: BodyName,
  version: ApiVersion,
  body: unknown,
  isForm: boolean,
): Record<string, unknown> {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw invalid("Body: must be an object.");
  const by = (own: ApiVersion) =>
    validated(body, `${name} ${own}`, bodies[name][own], isForm ? "form" : "json");
  const { copy, refusal } = by(version);
  if (refusal === null) return copy;
  const other = by(version === "0.8.3" ? "0.7.5" : "0.8.3");
  if (other.refusal === null) return other.copy;
  throw refusal;
}
