import type { FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import { isIdentifier, operation, type OperationName } from "../../contract/index.js";
import type { Emulator } from "../emulator.js";
import { handlers, listOrganizationBillingEvents } from "../operations/handlers.js";
import { organizationFor, principalOf, projectFor } from "./access.js";
import { isForm } from "./body.js";
import { invalid, notFound } from "./http-error.js";
import type { OutgoingResponse } from "./outgoing.js";
import { bodyFor, queryFor } from "./validate.js";

/** Answers a request: checks its identifiers, credentials, role, query and body, then runs the operation. */
export async function dispatch(
  emulator: Emulator,
  name: OperationName,
  request: FastifyRequest,
): Promise<OutgoingResponse> {
  const outgoing = await answer(emulator, name, request);
  const { body, status } = outgoing;
  const isList = status === 200 && body !== null && !("whole" in body);
  return emulator.settings.etag && isList ? withEtag(emulator, name, request, outgoing) : outgoing;
}

async function answer(emulator: Emulator, name: OperationName, request: FastifyRequest): Promise<OutgoingResponse> {
  const entry = operation(name);
  const params = request.params as Record<string, string>;
  const { state } = emulator.store;
  const principal = principalOf(state, request.headers, emulator.settings.schemes);
  emulator.rates.count(principal.caller);
  for (const [field, value] of Object.entries(params))
    if (!isIdentifier(value))
      throw invalid(`Path: ${field} ${JSON.stringify(value)} is not an identifier.`, [
        { field, message: "letters and digits only" },
      ]);
  if (name === "listOrganizationBillingEvents") {
    const { organization_id = "", billing_id = "" } = params;
    organizationFor(state, principal, organization_id, entry);
    return listOrganizationBillingEvents(state, organization_id, billing_id);
  }
  const project = projectFor(state, principal, params.project_id ?? "", entry);
  const query = entry.query === undefined ? {} : queryFor(entry.query, request.query as Record<string, unknown>);
  const handler = handlers[name];
  if (handler === undefined) throw notFound("operation");
  const context = { emulator, project, params, query, body: bodyOf(emulator, name, request) };
  return entry.method === "GET" ? handler(context) : emulator.store.inTurn(() => handler(context));
}

function bodyOf(emulator: Emulator, name: OperationName, request: FastifyRequest): Record<string, unknown> {
  const { body, bodyOptional } = operation(name);
  if (body === undefined) return {};
  if (bodyOptional === true && (request.body === undefined || request.body === null)) return {};
  return bodyFor(body, emulator.settings.apiVersion, request.body, isForm(request.headers["content-type"]));
}

/**
 * Adds the ETag of a list, or answers 304 to a client that has it. It depends on the request and on the revision of
 * the state, which is the same after a restart from the same state file.
 */
function withEtag(
  emulator: Emulator,
  name: OperationName,
  request: FastifyRequest,
  outgoing: OutgoingResponse,
): OutgoingResponse {
  const { apiVersion, publishing, defaultTraining } = emulator.settings;
  const text = JSON.stringify([name, request.url, emulator.store.revision, apiVersion, publishing, defaultTraining]);
  const etag = `"${createHash("sha256").update(text).digest("hex").slice(0, 32)}"`;
  const known = (request.headers["if-none-match"] ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
  return known.includes(etag)
    ? { status: 304, headers: { etag }, body: null }
    : { ...outgoing, headers: { ...outgoing.headers, etag } };
}
