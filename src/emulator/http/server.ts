import formbody from "@fastify/formbody";
import multipart from "@fastify/multipart";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { operation, operationNames, type OperationName } from "../../contract/index.js";
import { addUploadRoute } from "../datasets/upload.js";
import type { Emulator } from "../emulator.js";
import { dispatch } from "./dispatch.js";
import { HttpError, invalid } from "./http-error.js";
import { json, type OutgoingResponse } from "./outgoing.js";
import { refusal, send } from "./send.js";

const methods = ["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS"] as const;
const maxBodyBytes = 1024 * 1024;

/** The routes of the contract's operations, in every spelling and method. */
export async function createServer(emulator: Emulator): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: maxBodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 1000 },
  });
  app.setErrorHandler((error, request, reply) =>
    send(emulator, request, reply, operationOf(request), () => refusal(unreadable(error))),
  );
  app.setNotFoundHandler((request, reply) => send(emulator, request, reply, null, () => unknownPath(request)));
  await app.register(formbody);
  await app.register(multipart, {
    attachFieldsToBody: "keyValues",
    limits: { fileSize: maxBodyBytes, files: 0, fields: 100 },
  });
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
    if (text === "") done(null, undefined);
    else void app.getDefaultJsonParser("error", "error")(_request, text as string, done);
  });
  const byPath = new Map<string, OperationName[]>();
  for (const name of operationNames) {
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
  for (const name of names) {
    app.route({
      method: operation(name).method,
      url,
      config: { operation: name },
      handler: (request, reply) =>
        send(emulator, request, reply, name, () => dispatch(emulator, name, request).catch(refusal)),
    });
  }
  app.route({
    method: methods.filter((method) => !allowed.some((one) => one === method)),
    url,
    handler: (request, reply) =>
      send(emulator, request, reply, null, () =>
        refusal(
          new HttpError(405, "method_not_allowed", `${request.method} is not allowed here.`, [], {
            allow: allowed.join(", "),
          }),
        ),
      ),
  });
}

const operationOf = ({ routeOptions }: FastifyRequest): string | null =>
  (routeOptions.config as { operation?: string }).operation ?? null;

/** An error thrown before a handler runs: the request cannot be read. A parser's error without a status means 400. */
function unreadable(error: unknown): unknown {
  const status = (error as { statusCode?: number }).statusCode;
  return status === undefined || status >= 500 ? invalid("Body: cannot be read.") : error;
}

function unknownPath({ url }: FastifyRequest): OutgoingResponse {
  const [path = ""] = url.split("?");
  const hint = path.endsWith("/") ? "" : " Every path ends with a slash.";
  return json(404, { detail: `There is nothing at this path.${hint}`, code: "not_found" });
}
