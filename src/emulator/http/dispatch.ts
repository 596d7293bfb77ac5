import type { FastifyRequest } from "fastify";
import { isIdentifier, operation, type OperationName } from "../../contract/index.js";
import type { Handler } from "../operations/asked.js";
import { handlers } from "../operations/handlers.js";
import { organizationBillingEvents } from "../operations/organization.js";
import type { Service } from "../service.js";
import { organizationFor, principalOf, projectFor } from "./access.js";
import { invalid } from "./failure.js";
import type { Outgoing } from "./outgoing.js";
import { bodyFor, queryFor } from "./validate.js";
import { withValidator } from "./validator.js";

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
