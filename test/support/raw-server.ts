import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createClient, type Client, type ClientOptions } from "../../src/client/index.js";
import { virtualClock, type VirtualClock } from "./virtual-clock.js";

export interface RawServer {
  readonly url: string;
  readonly port: number;
  readonly requests: number;
  readonly close: () => Promise<void>;
}

/** Starts a server; closing it also ends its connections. `count`: the requests that it has seen. */
export const opened = (server: Server, count = () => 0, at = 0): Promise<RawServer> =>
  new Promise((resolve) => {
    const sockets = new Set<Socket>();
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      socket.on("error", () => undefined);
    });
    server.listen(at, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        url: `http://127.0.0.1:${port}`,
        port,
        get requests() {
          return count();
        },
        close: () =>
          new Promise((closed) => {
            for (const socket of sockets) socket.destroy();
            server.close(() => closed());
          }),
      });
    });
  });

/** An HTTP server that calls `answer` for each request, numbered from 1. */
export function httpServer(
  answer: (response: ServerResponse, nth: number, request: IncomingMessage) => void,
  port?: number,
): Promise<RawServer> {
  let count = 0;
  return opened(
    createHttp((request, response) => answer(response, ++count, request)),
    () => count,
    port,
  );
}

/** A raw socket server: once a request's head has arrived, `answer` writes any bytes. */
export function socketServer(
  answer: (socket: Socket, nth: number, head: string) => void,
): Promise<RawServer> {
  let count = 0;
  const server = createServer((socket) => {
    let head = "";
    socket.on("data", (chunk: Buffer) => {
      head += chunk.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      const asked = head;
      head = "";
      answer(socket, ++count, asked);
    });
  });
  return opened(server, () => count);
}

export interface ClientFixture {
  readonly client: Client;
  readonly clock: VirtualClock;
  readonly file: string;
}

/** A client of a server, with virtual time and a folder to download into: all of them end with the test. */
export function clientFixture(
  server: RawServer,
  options: Partial<ClientOptions> = {},
): ClientFixture {
  const clock = virtualClock();
  const folder = mkdtempSync(join(tmpdir(), "recount-client-"));
  const client = createClient(
    { baseUrl: server.url, credentials: { scheme: "api-key", key: "planted+key/1" }, ...options },
    { clock, random: () => 0.5 },
  );
  onTestFinished(async () => {
    await client.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { client, clock, file: join(folder, "body.json") };
}
