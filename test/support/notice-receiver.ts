import { writeFileSync } from "node:fs";
import { afterEach } from "vitest";
import type { TestProject } from "./project.js";
import { httpServer, type RawServer } from "./raw-server.js";

type Body = Readonly<Record<string, unknown>>;

export interface NoticeReceiver extends RawServer {
  /** The bodies of all attempts, parsed, and their keys. */
  readonly received: readonly Body[];
  readonly keys: readonly (string | undefined)[];
  /** What was answered with 200. */
  readonly accepted: readonly { readonly path: string; readonly body: Body }[];
}

/** A server that receives notices. `statusOf`: the status of the nth answer, from 1; 0 never answers. */
export async function noticeReceiver(statusOf: (nth: number) => number): Promise<NoticeReceiver> {
  const received: Body[] = [];
  const keys: (string | undefined)[] = [];
  const accepted: { path: string; body: Body }[] = [];
  const server = await httpServer((response, nth, request) => {
    let text = "";
    request.on("data", (piece: Buffer) => (text += piece.toString()));
    request.on("end", () => {
      const body = JSON.parse(text) as Body;
      const status = statusOf(nth);
      received.push(body);
      keys.push(request.headers["idempotency-key"] as string | undefined);
      if (status === 200) accepted.push({ path: request.url ?? "", body });
      if (status > 0) response.writeHead(status).end();
    });
  });
  return Object.assign(server, { received, keys, accepted });
}

export const wrongKey = "planted-wrong-key";

/** An address to which notices go, in a pipeline file, with a secret in its path. */
export const hook = ({ url }: Pick<RawServer, "url">, more = ""): string =>
  `{ url: "${url}/services/T0planted/B0planted/hookSecret0123456789"${more} }`;

/** Runs of a project with notices, and what must be closed after each test. */
export function noticesOf({ path, recount, service }: TestProject) {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close();
  });
  let lakes = 0;
  return {
    open,
    /** The lake of the newest run, and of the next if it is not new. */
    lake: () => path(`lake${lakes}`),
    /** The path of a lake that is not there yet. */
    newLake: () => path(`lake${++lakes}`),
    /** A receiver that answers with these in turn, then with 200. */
    receiver: async (answers: readonly number[] = []) => {
      const server = await noticeReceiver((nth) => answers[nth - 1] ?? 200);
      open.push(server);
      return server;
    },
    run: (
      yaml: string,
      { key = service.apiKey, args = [] as string[], isNew = true, more = {} } = {},
    ) => {
      if (isNew) lakes++;
      writeFileSync(path("p.yaml"), `lake: lake${lakes}\n${yaml}\n`);
      return recount(["run", path("p.yaml"), ...args], { RECOUNT_API_KEY: key, ...more });
    },
  };
}
