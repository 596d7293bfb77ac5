import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that passes GET requests below a base path on to the service at an address. */
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
    response.writeHead(answer.status, { "content-type": "application/json", ...own }).end(await answer.text());
  };
  const server = createServer((request, response) => void forward(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    services,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
