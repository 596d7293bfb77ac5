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
