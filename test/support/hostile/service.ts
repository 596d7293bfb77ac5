import type { Socket } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type TransferLimits } from "../../../src/client/index.js";
import type { TableName } from "../../../src/contract/index.js";
import { startEmulator } from "../../../src/emulator/index.js";
import { exportSnapshot, type ExportReport } from "../../../src/extract/index.js";
import { verifyProject } from "../../../src/lake/index.js";
import { openWarehouse } from "../../../src/warehouse/index.js";
import { goldenDir } from "../golden-case.js";
import { plain, withKey } from "../http-client.js";
import { socketServer } from "../raw-server.js";
import { virtualClock } from "../virtual-clock.js";

/** What a scenario does with a request: the bytes that it sends, or its own way with the socket. */
export type Reply = string | Buffer | ((exchange: Exchange) => void);

export interface Exchange {
  readonly socket: Socket;
  /** The number of this request among those for the scenario's path, from 1. */
  readonly nth: number;
}

const bytes = (text: string | Buffer) => (typeof text === "string" ? Buffer.from(text) : text);

/** A rating whose fields are JSON text; a field may be replaced, and text added before the final brace. */
export function rating(
  id: number,
  fields: Record<string, string | Buffer> = {},
  more: string | Buffer = "",
): Buffer {
  const all = {
    ...{
      score: "1",
      rater_id: "1",
      slate_id: String(id),
      session_id: '"s"',
      job_id: '"j"',
      stimulus_id: "1",
    },
    ...{ stimulus: '"A/x"', dimension: '""', is_training: "false", meta: "{}", is_correct: "null" },
    ...fields,
  };
  const pairs = Object.entries(all).map(([name, value]) =>
    Buffer.concat([bytes(`"${name}":`), bytes(value)]),
  );
  return Buffer.concat([bytes("{"), joined(pairs, ","), bytes(more), bytes("}")]);
}

function joined(parts: readonly (string | Buffer)[], between: string): Buffer {
  return Buffer.concat(
    parts.flatMap((part, i) => (i === 0 ? [bytes(part)] : [bytes(between), bytes(part)])),
  );
}

export const list = (...elements: (string | Buffer)[]): Buffer =>
  Buffer.concat([bytes("["), joined(elements, ","), bytes("]")]);

export const three = list(rating(1), rating(2), rating(3));
export const threeText = three.toString();
export const row = (id: number): string => rating(id).toString();

export const head = (status: number | string, ...headers: string[]): string =>
  [`HTTP/1.1 ${status}`, "content-type: application/json", ...headers, "", ""].join("\r\n");

export function answer(body: string | Buffer = three, ...headers: string[]): Buffer {
  return status(200, body, ...headers);
}

export function status(
  code: number | string,
  body: string | Buffer = three,
  ...headers: string[]
): Buffer {
  const sent = bytes(body);
  return Buffer.concat([bytes(head(code, `content-length: ${sent.length}`, ...headers)), sent]);
}

export const odd = (element: string | Buffer): Buffer =>
  answer(list(rating(1), element, rating(3)));
export const field = (name: string, value: string | Buffer): Buffer =>
  odd(rating(2, { [name]: value }));

export const chunk = (data: string | Buffer, size = bytes(data).length.toString(16)): Buffer =>
  Buffer.concat([bytes(`${size}\r\n`), bytes(data), bytes("\r\n")]);

export const chunked = (...parts: (string | Buffer)[]): Buffer =>
  Buffer.concat([bytes(head(200, "transfer-encoding: chunked")), ...parts.map(bytes)]);

export const untilClose =
  (body: string | Buffer, version = "HTTP/1.1"): Reply =>
  ({ socket }) => {
    socket.write(head(200, "connection: close").replace("HTTP/1.1", version));
    socket.end(body);
  };

export const ended =
  (sent: string | Buffer): Reply =>
  ({ socket }) =>
    socket.end(sent);

export const reset =
  (sent: string | Buffer): Reply =>
  ({ socket }) =>
    void socket.write(sent, () => socket.resetAndDestroy());

export const inTurn =
  (...replies: Reply[]): Reply =>
  (exchange) =>
    send(replies[Math.min(exchange.nth, replies.length) - 1] ?? "", exchange);

export function send(reply: Reply, exchange: Exchange): void {
  if (typeof reply === "function") reply(exchange);
  else exchange.socket.write(reply);
}

export const byByte =
  (sent: Buffer): Reply =>
  ({ socket }) => {
    socket.setNoDelay(true);
    const next = (at: number): void => {
      if (at < sent.length)
        socket.write(sent.subarray(at, at + 1), () => setImmediate(() => next(at + 1)));
    };
    next(0);
  };

export const forever =
  (first: string | Buffer, piece: string | Buffer): Reply =>
  ({ socket }) => {
    let isOpen = true;
    socket.on("close", () => (isOpen = false));
    socket.write(first);
    const more = () => {
      while (isOpen && socket.write(piece));
      if (isOpen) socket.once("drain", more);
    };
    more();
  };

/** What must happen: the exit code with, for a published snapshot, its ratings, and for a failure, its message. */
export type Must =
  | { readonly exit: 0 | 2; readonly rows: number; readonly quarantined: number }
  | { readonly exit: 3 | 4; readonly says: RegExp };

export interface Scenario {
  readonly reply: Reply;
  readonly must: Must;
  /** The last segment of the path that is answered so; default the ratings. Everything else is answered properly. */
  readonly at?: string | undefined;
  readonly limits?: Partial<TransferLimits> | undefined;
}

export interface Outcome {
  readonly report: ExportReport | null;
  readonly error: unknown;
  readonly rows: number;
  readonly problems: readonly unknown[];
}

export interface HostileService {
  run(scenario: Scenario): Promise<Outcome>;
  readonly key: string;
  close(): Promise<void>;
}

const tables: readonly TableName[] = ["experiments", "ratings", "results"];

/** A service over raw sockets that answers one path as a scenario says, and all others as the emulator does. */
export async function hostileService(): Promise<HostileService> {
  const emulator = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
  const { apiKey: key, projectId } = emulator;
  const answers = new Map<string, Promise<Buffer>>();
  const proper = (path: string) => {
    const known = answers.get(path);
    if (known) return known;
    const asked = plain(emulator.url + path, { headers: withKey(key) }).then((one) =>
      status(one.status, one.body),
    );
    answers.set(path, asked);
    return asked;
  };
  /** The scenarios that run, by the first segment of their paths. */
  const running = new Map<string, { readonly scenario: Scenario; requests: number }>();
  let runs = 0;
  const { url: baseUrl, close } = await socketServer((socket, _, text) => {
    const [, run = "", path = ""] = /^GET \/(\d+)(\S+)/.exec(text) ?? [];
    const last = path.replace(/\/?(\?.*)?$/, "").replace(/.*\//, "");
    const current = running.get(run);
    if (last === (current?.scenario.at ?? "ratings")) {
      if (current) send(current.scenario.reply, { socket, nth: ++current.requests });
    } else void proper(path).then((bytes) => socket.write(bytes));
  });
  const warehouse = await openWarehouse({ sources: {}, threads: 1 });

  async function rowsOf({ dir, manifest }: ExportReport): Promise<number> {
    const parts = manifest.units
      .flatMap((unit) => unit.parts)
      .filter(({ table }) => table === "ratings");
    let rows = 0;
    for (const { path } of parts) {
      const [counted] = await warehouse.all(
        `select count(*) as n from read_parquet('${join(dir, path)}')`,
      );
      rows += Number(counted?.n);
    }
    return rows;
  }

  return {
    key,
    async run(scenario) {
      const run = String(++runs);
      running.set(run, { scenario, requests: 0 });
      const lake = mkdtempSync(join(tmpdir(), "recount-hostile-"));
      const { limits } = scenario;
      const client = createClient(
        {
          baseUrl: `${baseUrl}/${run}`,
          credentials: { scheme: "api-key", key },
          ...(limits ? { limits } : {}),
        },
        { clock: virtualClock(Date.now()) },
      );
      try {
        const { report, error } = await exportSnapshot({ client, projectId, lake, tables }).then(
          (done) => ({ report: done, error: null }),
          (failure: unknown) => ({ report: null, error: failure }),
        );
        if (report === null) return { report, error, rows: 0, problems: [] };
        const { problems } = await verifyProject(lake, projectId);
        return { report, error, rows: await rowsOf(report), problems };
      } finally {
        await client.close();
        running.delete(run);
        rmSync(lake, { recursive: true });
      }
    },
    async close() {
      warehouse.close();
      await emulator.close();
      await close();
    },
  };
}
