import { readFileSync } from "node:fs";
import { createServer as createHttp, request as forward } from "node:http";
import { createServer as createHttps, type ServerOptions } from "node:https";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { opened } from "./raw-server.js";

export const pemFile = (name: string) => join(import.meta.dirname, "tls", `${name}.pem`);
export const pem = (name: string) => readFileSync(pemFile(name), "utf8");

export interface TlsServer {
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** An https service that answers every request with an empty list, or forwards it to `upstream`. */
export async function tlsServer(
  certificate: string,
  options: ServerOptions & { upstream?: string } = {},
) {
  const { upstream, ...tls } = options;
  const server = createHttps(
    { cert: pem(certificate), key: pem("service.key"), ...tls },
    (request, response) => {
      if (upstream === undefined) return void response.end("[]");
      const { method, headers } = request;
      request.pipe(
        forward(`${upstream}${request.url ?? ""}`, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        }),
      );
    },
  );
  const { port, close } = await opened(server);
  return { url: `https://127.0.0.1:${port}`, port, close } satisfies TlsServer;
}

export interface Proxy {
  readonly port: number;
  /** The first line of each request that it saw, and its credentials if it came with any. */
  readonly log: readonly string[];
  readonly close: () => Promise<void>;
}

/** A proxy for http (whole addresses) and https (CONNECT). `refuse` answers a status instead. */
export async function loggingProxy(
  refuse?: (authorization: string | undefined) => number | undefined,
): Promise<Proxy> {
  const log: string[] = [];
  const server = createHttp((request, response) => {
    const { method = "", url = "", headers } = request;
    const { "proxy-authorization": authorization, ...others } = headers;
    log.push(`${method} ${url}${authorization === undefined ? "" : ` as ${authorization}`}`);
    const status = refuse?.(authorization);
    if (status !== undefined) return void response.writeHead(status).end();
    request.pipe(
      forward(url, { method, headers: others }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  server.on("connect", ({ url = "", headers }, client: Socket, head: Buffer) => {
    const { "proxy-authorization": authorization } = headers;
    log.push(`CONNECT ${url}${authorization === undefined ? "" : ` as ${authorization}`}`);
    const status = refuse?.(authorization);
    if (status !== undefined) return void client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const [host = "", port] = url.split(":");
    const service = connect(Number(port), host, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      service.write(head);
      service.pipe(client);
      client.pipe(service);
    });
    service.on("error", () => client.destroy());
    client.on("error", () => service.destroy());
  });
  const { port, close } = await opened(server);
  return { port, log, close };
}
