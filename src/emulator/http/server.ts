// The HTTP server: routes, checks, faults and ETags around each operation.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import {
  bodyEncodings,
  isIdentifier,
  operation,
  type OperationName,
  operationNamesIn,
} from "../../contract/index.js";
import type { Emulator } from "../emulator.js";
import { receiveUpload } from "../operations/datasets.js";
import { handlers, listOrganizationBillingEvents } from "../operations/handlers.js";
import {
  checkOrganization,
  principalOf,
  projectFor,
  bodyFor,
  isForm,
  validQuery,
  readBody,
} from "./request.js";
import {
  HttpError,
  invalid,
  json,
  notFound,
  type OutgoingResponse,
  httpErrorOf,
} from "./response.js";

const hosts = new Set(["127.0.0.1", "localhost", "[::1]"]);

const methods = ["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS"] as const;

/** Routes for every spelling and method of the contract's operations, and for uploads. */
export function createServer(emulator: Emulator): FastifyInstance {
  const refuse = (
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
    name: string | null = null,
  ) =>
    respond(emulator, request, reply, name, () => {
      throw error;
    });
  const app = Fastify({
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // An identifier may have any length; Node limits the whole head of a request.
    routerOptions: { maxParamLength: 1_000_000 },
  });
  // A page in a browser may resolve its own name to 127.0.0.1.
  app.addHook("onRequest", (request, _reply, done) => {
    const name = (request.headers.host ?? "").replace(/:\d*$/, "").toLowerCase();
    if (hosts.has(name)) done();
    else
      done(
        new HttpError(
          421,
          "misdirected_request",
          "The Host of a request must be 127.0.0.1 or localhost.",
        ),
      );
  });
  app.setErrorHandler((error, request, reply) =>
    refuse(request, reply, error, operationOf(request)),
  );
  app.setNotFoundHandler((request, reply) => refuse(request, reply, unknownPath(request)));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    [...bodyEncodings],
    { parseAs: "buffer" },
    (request: FastifyRequest, bytes: Buffer) =>
      readBody(request.headers["content-type"] ?? "", bytes),
  );
  const byPath = new Map<string, OperationName[]>();
  for (const name of operationNamesIn(emulator.settings.apiVersion)) {
    const { path, alias } = operation(name);
    for (const one of alias === undefined ? [path] : [path, alias])
      byPath.set(one, [...(byPath.get(one) ?? []), name]);
  }
  for (const [path, names] of byPath) {
    const url = path.replace(/\{(\w+)\}/g, ":$1");
    const allowed: string[] = names.map((name) => operation(name).method);
    for (const name of names)
      app.route({
        method: operation(name).method,
        url,
        config: { operation: name },
        handler: (request, reply) =>
          respond(emulator, request, reply, name, () => dispatch(emulator, name, request)),
      });
    app.route({
      method: methods.filter((method) => !allowed.includes(method)),
      url,
      handler: (request, reply) =>
        refuse(request, reply, notAllowed(request.method, allowed.join(", "))),
    });
  }
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, parsed) => {
      parsed(null);
    });
    scope.put("/uploads/:project_id/:dataset_id/file", (request, reply) =>
      respond(emulator, request, reply, "upload", () => receiveUpload(emulator, request)),
    );
    done();
  });
  return app;
}

const operationOf = ({ routeOptions }: FastifyRequest): string | null =>
  (routeOptions.config as { operation?: string }).operation ?? null;

const notAllowed = (method: string, allow: string): HttpError =>
  new HttpError(405, "method_not_allowed", `${method} is not allowed here.`, [], { allow });

function unknownPath({ url }: FastifyRequest): HttpError {
  const [path = ""] = url.split("?");
  const hint = path.endsWith("/") ? "" : " Every path ends with a slash.";
  return new HttpError(404, "not_found", `There is nothing at this path.${hint}`);
}

/** The reply is hijacked from Fastify because faults decide how the bytes are sent. */
async function respond(
  emulator: Emulator,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: string | null,
  respond: () => Promise<OutgoingResponse> | OutgoingResponse,
): Promise<void> {
  reply.hijack();
  const { experiment_id: experiment = null } = (request.params ?? {}) as { experiment_id?: string };
  // The signature of an upload address does not belong in the journal.
  const [path = ""] = request.url.split(/\?(?=.*signature=)/);
  const injection = emulator.faults.match({ method: request.method, path, operation, experiment });
  await injection.beforeHandling();
  const outgoing =
    injection.response() ?? (await answered(async () => injection.withRows(await respond())));
  try {
    await injection.send(reply.raw, outgoing);
  } catch {
    // A fault may state a header that HTTP does not allow.
    reply.raw.destroy();
  }
}

async function answered(respond: () => Promise<OutgoingResponse>): Promise<OutgoingResponse> {
  try {
    return await respond();
  } catch (error) {
    const { status, body, headers } = httpErrorOf(error);
    const refusal = json(status, body);
    return { ...refusal, headers: { ...refusal.headers, ...headers } };
  }
}

/** Checks credentials, identifiers, role, query and body, then runs the operation. */
function dispatch(
  emulator: Emulator,
  name: OperationName,
  request: FastifyRequest,
): OutgoingResponse {
  const entry = operation(name);
  const params = request.params as Record<string, string>;
  const { state, settings } = emulator;
  const principal = principalOf(state, request.headers);
  for (const [field, value] of Object.entries(params))
    if (!isIdentifier(value))
      throw invalid(`Path: ${field} ${JSON.stringify(value)} is not an identifier.`, [
        { field, message: "letters and digits only" },
      ]);
  if (name === "listOrganizationBillingEvents") {
    const { organization_id = "", billing_id = "" } = params;
    checkOrganization(state, principal, organization_id, entry);
    return listOrganizationBillingEvents(state, organization_id, billing_id);
  }
  const project = projectFor(state, principal, params.project_id ?? "", entry);
  const query =
    entry.query === undefined
      ? {}
      : validQuery(entry.query, request.query as Record<string, unknown>);
  const handler = handlers[name];
  if (handler === undefined) throw notFound("operation");
  const sent = request.body ?? undefined;
  const body =
    entry.body === undefined || (entry.bodyOptional === true && sent === undefined)
      ? {}
      : bodyFor(entry.body, settings.apiVersion, sent, isForm(request.headers["content-type"]));
  const outgoing = handler({ emulator, project, params, query, body });
  if (entry.method !== "GET") state.revision += 1;
  return settings.etag && entry.list === true
    ? withEtag(emulator, name, request, outgoing)
    : outgoing;
}

/** The ETag depends on the request and on what has changed. */
function withEtag(
  { settings, state }: Emulator,
  name: OperationName,
  request: FastifyRequest,
  outgoing: OutgoingResponse,
): OutgoingResponse {
  const text = JSON.stringify([
    name,
    request.url,
    state.revision,
    settings.apiVersion,
    settings.publishing,
  ]);
  const etag = `"${createHash("sha256").update(text).digest("hex").slice(0, 32)}"`;
  const known = (request.headers["if-none-match"] ?? "")
    .split(",")
    .map((one) => one.trim().replace(/^W\//, ""));
  return known.includes(etag)
    ? { status: 304, headers: { etag }, body: null }
    : { ...outgoing, headers: { ...outgoing.headers, etag } };
}
