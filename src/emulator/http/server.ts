import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { bodyEncodings, isIdentifier, operation, type OperationName, operationNamesIn } from "../../contract/index.js";
import { addUploadRoute } from "../datasets/uploads.js";
import type { Emulator } from "../emulator.js";
import { handlers, listOrganizationBillingEvents } from "../operations/handlers.js";
import { organizationFor, principalOf, projectFor } from "./access.js";
import { HttpError, invalid, notFound, type OutgoingResponse } from "./response.js";
import { send } from "./send.js";
import { bodyFor, isForm, queryFor, readBody } from "./validation.js";

const names = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Options of a server that answers everything, even what Node cannot parse, in the documented shape. */
export const localServer = {
  exposeHeadRoutes: false,
  forceCloseConnections: true,
  // An identifier may have any length; Node limits the whole head of a request.
  routerOptions: { maxParamLength: 1_000_000 },
  http: { requireHostHeader: false },
  clientErrorHandler: refuseUnparsed,
} as const;

/** Refuses requests for another host: a page in a browser may resolve its own name to 127.0.0.1. */
export function checkHost(app: FastifyInstance): void {
  app.addHook("onRequest", (request: FastifyRequest, _reply, done) => {
    const name = (request.headers.host ?? "").replace(/:\d*$/, "").toLowerCase();
    if (names.has(name)) done();
    else done(new HttpError(421, "misdirected_request", "The Host of a request must be 127.0.0.1 or localhost."));
  });
}

const reasons: Record<string, HttpError> = {
  HPE_HEADER_OVERFLOW: new HttpError(431, "headers_too_large", "The path and headers are larger than 16 KiB."),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError(408, "timeout", "The request did not arrive in time."),
};

function refuseUnparsed(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { status, body } =
    reasons[error.code ?? ""] ?? new HttpError(400, "invalid", "The request is not valid HTTP/1.1.");
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}

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

const methods = ["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS"] as const;
const maxBodyBytes = 1024 * 1024;

/** The routes of the contract's operations, in every spelling and method. */
export function createServer(emulator: Emulator): FastifyInstance {
  const app: FastifyInstance = Fastify({
    ...localServer,
    bodyLimit: maxBodyBytes,
    frameworkErrors: (_error, request, reply) =>
      void send(emulator, request, reply, null, () => {
        throw invalid("Path: cannot be decoded.");
      }),
  });
  checkHost(app);
  app.setErrorHandler((error, request, reply) =>
    send(emulator, request, reply, operationOf(request), () => {
      throw error;
    }),
  );
  app.setNotFoundHandler((request, reply) =>
    send(emulator, request, reply, null, () => {
      throw unknownPath(request);
    }),
  );
  app.removeAllContentTypeParsers();
  app.addContentTypeParser([...bodyEncodings], { parseAs: "buffer" }, (request: FastifyRequest, bytes: Buffer) =>
    readBody(request.headers["content-type"] ?? "", bytes),
  );
  const byPath = new Map<string, OperationName[]>();
  for (const name of operationNamesIn(emulator.settings.apiVersion)) {
    const { path, alias } = operation(name);
    for (const one of alias === undefined ? [path] : [path, alias]) byPath.set(one, [...(byPath.get(one) ?? []), name]);
  }
  for (const [path, names] of byPath) addRoutes(app, emulator, path, names);
  addUploadRoute(app, emulator);
  return app;
}

function addRoutes(app: FastifyInstance, emulator: Emulator, path: string, names: readonly OperationName[]): void {
  const url = path.replace(/\{(\w+)\}/g, ":$1");
  const allowed = names.map((name) => operation(name).method);
  for (const name of names)
    app.route({
      method: operation(name).method,
      url,
      config: { operation: name },
      handler: (request, reply) => send(emulator, request, reply, name, () => dispatch(emulator, name, request)),
    });
  app.route({
    method: methods.filter((method) => !allowed.some((one) => one === method)),
    url,
    handler: (request, reply) =>
      send(emulator, request, reply, null, () => {
        const allow = allowed.join(", ");
        throw new HttpError(405, "method_not_allowed", `${request.method} is not allowed here.`, [], { allow });
      }),
  });
}

const operationOf = ({ routeOptions }: FastifyRequest): string | null =>
  (routeOptions.config as { operation?: string }).operation ?? null;

function unknownPath({ url }: FastifyRequest): HttpError {
  const [path = ""] = url.split("?");
  const hint = path.endsWith("/") ? "" : " Every path ends with a slash.";
  return new HttpError(404, "not_found", `There is nothing at this path.${hint}`);
}
