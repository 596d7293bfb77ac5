import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { codeOf, messageOf, UsageError } from "../platform/index.js";
import type { ScheduleState } from "./keep-schedule.js";

export interface Health {
  readonly url: string;
  close(): void;
}

/**
 * Answers `/healthz` (200: the process is alive) and `/readyz` (the state as JSON; 503 at the start, while the schedule
 * cannot be read, and at the end).
 * @throws UsageError if the address cannot be used
 */
export async function serveHealth(host: string, port: number, state: () => ScheduleState): Promise<Health> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
      response.end(request.method === "HEAD" ? undefined : `${JSON.stringify(body)}\n`);
    };
    const now = state();
    const isReady = now.problem === null && (now.state === "waiting" || now.state === "running");
    const [path] = (request.url ?? "").split("?");
    if (request.method !== "GET" && request.method !== "HEAD") answer(405, { error: "only GET and HEAD" });
    else if (path === "/healthz") answer(200, { status: "alive" });
    else if (path === "/readyz") answer(isReady ? 200 : 503, now);
    else answer(404, { error: "only /healthz and /readyz" });
  });
  server.listen(port, host);
  await once(server, "listening").catch((error: unknown) => {
    const reason = codeOf(error) === "EADDRINUSE" ? "the port is in use" : messageOf(error);
    throw new UsageError(`The health server cannot listen on ${host}:${port}: ${reason}. Check --health-port.`, {
      cause: error,
    });
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
