import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
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
import { virtualClock } from "../virtual-clock.js";
import { send, status, type Reply } from "./bytes.js";

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

/** What happened. */
export interface Outcome {
  readonly report: ExportReport | null;
  readonly error: unknown;
  /** Rows of ratings in the Parquet files, by the engine. */
  readonly rows: number;
  /** Problems that a verification finds. */
  readonly problems: readonly unknown[];
}

export interface HostileService {
  /** Exports from the service under a scenario, into a lake of its own. */
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
    const asked = plain(emulator.url + path, { headers: withKey(key) }).then((one) => status(one.status, one.body));
    answers.set(path, asked);
    return asked;
  };
  /** The scenarios that run, by the first segment of their paths. */
  const running = new Map<string, { readonly scenario: Scenario; requests: number }>();
  let runs = 0;
  const server = createServer((socket) => {
    let text = "";
    socket.on("error", () => undefined);
    socket.on("data", (data: Buffer) => {
      text += data.toString("latin1");
      if (!text.includes("\r\n\r\n")) return;
      const [, run = "", path = ""] = /^GET \/(\d+)(\S+)/.exec(text) ?? [];
      text = "";
      const last = path.replace(/\/?(\?.*)?$/, "").replace(/.*\//, "");
      const current = running.get(run);
      if (last === (current?.scenario.at ?? "ratings")) {
        if (current) send(current.scenario.reply, { socket, nth: ++current.requests });
      } else void proper(path).then((bytes) => socket.write(bytes));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const warehouse = await openWarehouse({ sources: {}, threads: 1 });

  async function rowsOf({ dir, manifest }: ExportReport): Promise<number> {
    const parts = manifest.units.flatMap((unit) => unit.parts).filter(({ table }) => table === "ratings");
    let rows = 0;
    for (const { path } of parts) {
      const [counted] = await warehouse.all(`select count(*) as n from read_parquet('${join(dir, path)}')`);
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
        { baseUrl: `${baseUrl}/${run}`, credentials: { scheme: "api-key", key }, ...(limits ? { limits } : {}) },
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
      await new Promise((closed) => server.close(closed));
    },
  };
}
