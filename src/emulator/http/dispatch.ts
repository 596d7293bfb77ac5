import { createHash } from "node:crypto";
import { type OperationName, isIdentifier, operation } from "../../contract/index.js";
import type { Service } from "../service.js";
import type { Outgoing } from "./outgoing.js";
import type { FastifyRequest } from "fastify";
import type { Handler } from "../operations/context.js";
import { handlers } from "../operations/handlers.js";
import { organizationBillingEvents } from "../operations/organization.js";
import { organizationFor, principalOf, projectFor } from "./access.js";
import { invalid } from "./http-error.js";
import { bodyFor, queryFor } from "./validate.js";

/**
 * A list's ETag: the revision of what it is read from and how it was asked for. The revision counts the
 * changes of the state since its beginning, so it is the same after a restart from the same state file.
 */
export function withValidator(
  service: Service,
  name: OperationName,
  url: string,
  ifNoneMatch: string | undefined,
  outgoing: Outgoing,
): Outgoing {
  if (!service.settings.etag || outgoing.status !== 200 || outgoing.body === null || "whole" in outgoing.body)
    return outgoing;
  const { apiVersion, publishing, defaultTraining } = service.settings;
  const text = JSON.stringify([name, url, service.store.revision, apiVersion, publishing, defaultTraining]);
  const etag = `"${createHash("sha256").update(text).digest("hex").slice(0, 32)}"`;
  const isKnown = (ifNoneMatch ?? "").split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
  return isKnown
    ? { status: 304, headers: { etag }, body: null }
    : { ...outgoing, headers: { ...outgoing.headers, etag } };
}

/** From a request to its response: identifiers, credentials, role, query, body, then the operation. */
export async function dispatch(service: Service, name: OperationName, request: FastifyRequest): Promise<Outgoing> {
  const outgoing = await answer(service, name, request);
  return withValidator(service, name, request.url, request.headers["if-none-match"], outgoing);
}

function answer(service: Service, name: OperationName, request: FastifyRequest): Outgoing | Promise<Outgoing> {
  const entry = operation(name);
  const params = request.params as Record<string, string>;
  const principal = principalOf(service.store.state, request.headers, service.settings.schemes);
  service.rates.count(principal.caller);
  for (const [field, value] of Object.entries(params))
    if (!isIdentifier(value))
      throw invalid(`Path: ${field} ${JSON.stringify(value)} is not an identifier.`, [
        { field, message: "letters and digits only" },
      ]);
  const query = request.query as Record<string, unknown>;
  const { state } = service.store;
  if (name === "listOrganizationBillingEvents") {
    organizationFor(state, principal, params["organization_id"] ?? "", entry);
    return organizationBillingEvents(state, params["organization_id"] ?? "", params["billing_id"] ?? "");
  }
  const project = projectFor(state, principal, params["project_id"] ?? "", entry);
  const handler: Handler = handlers[name];
  return handler({
    service,
    project,
    params,
    query: entry.query === undefined ? {} : queryFor(entry.query, query),
    body: bodyOf(service, name, request),
  });
}

function bodyOf(service: Service, name: OperationName, request: FastifyRequest): Record<string, unknown> {
  const { body, bodyOptional } = operation(name);
  if (body === undefined) return {};
  if (bodyOptional === true && (request.body === undefined || request.body === null)) return {};
  const isForm = !(request.headers["content-type"] ?? "").startsWith("application/json");
  return bodyFor(body, service.settings.apiVersion, request.body, isForm);
}
