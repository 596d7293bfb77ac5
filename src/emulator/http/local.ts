import type { FastifyInstance, FastifyRequest } from "fastify";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { HttpError } from "./http-error.js";

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
