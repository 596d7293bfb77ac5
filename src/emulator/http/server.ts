import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { bodyEncodings, operation, operationNamesIn, type OperationName } from "../../contract/index.js";
import { addUploadRoute } from "../datasets/upload.js";
import type { Emulator } from "../emulator.js";
import { readBody } from "./body.js";
import { dispatch } from "./dispatch.js";
import { HttpError, invalid } from "./http-error.js";
import { checkHost, localServer } from "./local.js";
import { send } from "./send.js";

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
