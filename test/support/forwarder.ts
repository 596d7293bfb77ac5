import type { IncomingMessage, ServerResponse } from "node:http";
import { httpServer } from "./raw-server.js";

export interface Forwarder {
  readonly origin: string;
  /** Base path, for example `/a`, to the address of a service. */
  readonly services: Map<string, string>;
  close(): Promise<void>;
}

/** @param validator an ETag that it claims for every response of every service, and confirms with 304 */
export async function forwarder(validator?: string): Promise<Forwarder> {
  const services = new Map<string, string>();
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const [, base = "", path = ""] = /^(\/[ab])?(\/.*)$/.exec(request.url ?? "") ?? [];
    if (validator !== undefined && request.headers["if-none-match"] === validator) {
      response.writeHead(304, { etag: validator }).end();
      return;
    }
    const answer = await fetch(`${services.get(base) ?? ""}${path}`, {
      headers: { authorization: request.headers.authorization ?? "" },
    });
    const own = validator === undefined ? {} : { etag: validator };
    response
      .writeHead(answer.status, { "content-type": "application/json", ...own })
      .end(await answer.text());
  };
  const { url, close } = await httpServer(
    (response, _, request) => void forward(request, response),
  );
  return { origin: url, services, close };
}
