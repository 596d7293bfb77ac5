import { spawn, type ChildProcess } from "node:child_process";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import type { StateChange } from "../../src/emulator/state/store.js";
import { changesIn, createFileJournal } from "../../src/emulator/state/journal.js";
import { createStore } from "../../src/emulator/state/store.js";
import { study } from "../support/zip-archive.js";
import { ask, parsed, plain, withKey } from "../support/http-client.js";
import { until } from "../support/until.js";

const cli = join(import.meta.dirname, "..", "..", "bin", "recount.js");
let folder: string;
let data: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recount-state-"));
  data = join(folder, "state.ndjson");
});
afterEach(() => rm(folder, { recursive: true }));

async function serve(): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [cli, "serve", "--no-sample", "--data", data], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const piece of child.stdout as AsyncIterable<Buffer>) {
    text += piece.toString();
    const url = /RECOUNT_BASE_URL=(\S+)/.exec(text)?.[1];
    if (url !== undefined) return { process: child, url };
  }
  throw new Error(`the service did not start: ${text}`);
}

const gone = (child: ChildProcess) => new Promise((resolve) => child.once("exit", resolve));

test("kill -9 during writes loses nothing that was acknowledged", async () => {
  const acknowledged = new Set<string>();
  for (let round = 0; round < 2; round += 1) {
    const { process: child, url } = await serve();
    const base = `${url}/projects/Listen42`;
    const headers = { ...withKey("sampleBilling"), "content-type": "application/json" };
    const before = acknowledged.size;
    const enough = before + 15 + 17 * round;
    const end = { isNear: false };
    const writer = async (lane: number): Promise<void> => {
      for (let turn = 0; !end.isNear; turn += 1) {
        const name = `${round}.${lane}.${turn}`;
        const answer = await plain(`${base}/experiments/`, {
          method: "POST",
          headers,
          body: JSON.stringify({ name, type: "acr_audio" }),
        });
        if (answer.status !== 201 || answer.broken !== null) return;
        acknowledged.add(parsed<{ id: string }>(answer).id);
        if (acknowledged.size >= enough) {
          end.isNear = true;
          child.kill("SIGKILL");
        }
      }
    };
    const exit = gone(child);
    await Promise.all([0, 1, 2, 3].map(writer));
    await exit;
    expect(acknowledged.size).toBeGreaterThan(before);
  }
  const { process: child, url } = await serve();
  const listed = parsed<{ id: string }[]>(
    await plain(`${url}/projects/Listen42/experiments/`, { headers: withKey("sampleBilling") }),
  );
  const end = gone(child);
  child.kill("SIGTERM");
  await end;
  const there = new Set(listed.map(({ id }) => id));
  expect([...acknowledged].filter((id) => !there.has(id))).toEqual([]);
  expect(there.size).toBe(listed.length);
});

test("an incomplete last line is dropped, one in the middle is an error", async () => {
  const first = await startEmulator({ sample: false, data });
  const created = parsed<{ id: string }>(
    await ask(first, "webhooks/", { method: "POST", body: { url: "http://127.0.0.1:9/" } }),
  );
  await first.close();
  await appendFile(data, '[{"set":"webhook","project":"Listen42","val');
  const second = await startEmulator({ sample: false, data });
  expect(parsed<{ id: string }[]>(await ask(second, "webhooks/")).map(({ id }) => id)).toEqual([created.id]);
  await second.close();
  await writeFile(data, `${await readFile(data, "utf8")}nonsense\n[]\n`);
  await expect(startEmulator({ data })).rejects.toMatchObject({ name: "UsageError" });
});

test("a file that is not a state file is rejected and left unchanged", async () => {
  for (const text of ["name,score\n", '{"a":1}\n', '[{"a":1}]\n', "half a line"]) {
    await writeFile(data, text);
    await expect(startEmulator({ data })).rejects.toMatchObject({
      exitCode: 4,
      message: expect.stringMatching(/line 1 is not valid in a state file/) as string,
    });
    expect(await readFile(data, "utf8")).toBe(text);
  }
  await writeFile(data, "");
  await (await startEmulator({ sample: false, data })).close();
});

test("a flipped bit anywhere in a state file is found, and so is a missing or moved line", async () => {
  const service = await startEmulator({ sample: false, data });
  for (const url of ["http://127.0.0.1:9/a", "http://127.0.0.1:9/b"])
    expect((await ask(service, "webhooks/", { method: "POST", body: { url } })).status).toBe(201);
  await service.close();
  const bytes = await readFile(data);
  expect(changesIn(bytes.toString()).length).toBeGreaterThan(5);
  const unnoticed: number[] = [];
  for (const at of bytes.keys()) {
    const own = Buffer.from(bytes);
    own[at] = (own[at] ?? 0) ^ (1 << (at % 8));
    try {
      changesIn(own.toString());
      unnoticed.push(at);
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
  }
  expect(unnoticed).toEqual([]);
  const [first = "", second = "", third = ""] = bytes.toString().split(/(?<=\n)/);
  for (const lines of [second + third, first + third, first + third + second, first + second + second + third])
    expect(() => changesIn(lines)).toThrow(RangeError);
});

const organization = (id: string): StateChange => ({ set: "organization", value: { id, billing_id: "b" } });

test("a change that cannot be written is not applied, and the next one can be", async () => {
  const written: string[] = ["start\n"];
  const disk = { isFull: false };
  const file = {
    appendFile(text: string | Uint8Array) {
      written.push(disk.isFull ? String(text).slice(0, 9) : String(text));
      return disk.isFull ? Promise.reject(new Error("ENOSPC")) : Promise.resolve();
    },
    datasync: () => Promise.resolve(),
    truncate(bytes?: number) {
      written.splice(0, written.length, written.join("").slice(0, bytes));
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
  const store = createStore(
    [],
    createFileJournal(file, "start\n", () => undefined),
  );
  await store.commit([organization("one")]);
  disk.isFull = true;
  const failed = await Promise.allSettled(["two", "three"].map((id) => store.commit([organization(id)])));
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect([...store.state.organizations.keys()]).toEqual(["one"]);
  disk.isFull = false;
  await store.commit([organization("four")]);
  expect([...store.state.organizations.keys()]).toEqual(["one", "four"]);
  expect(written.join("")).toMatch(/^start\n[0-9a-f]{32} \[.*"one".*\]\n[0-9a-f]{32} \[.*"four".*\]\n$/);
});

test("only one emulator can use a state file at a time", async () => {
  const { process: child } = await serve();
  await expect(startEmulator({ sample: false, data })).rejects.toThrow(/in use by another emulator/);
  const exit = gone(child);
  child.kill("SIGKILL");
  await exit;
  await (await startEmulator({ sample: false, data })).close();
});

test("an upload and a launched job continue after a restart", async () => {
  const first = await startEmulator({ sample: false, data, speed: 0 });
  const dataset = parsed<{ id: string; upload_url: string }>(
    await ask(first, "datasets/", { method: "POST", body: { name: "d", filename: "d.zip" } }),
  );
  const elsewhere = dataset.upload_url;
  expect((await plain(elsewhere, { method: "PUT", body: await study(["s"], ["a", "b", "c"]) })).status).toBe(200);
  const experiment = parsed<{ id: string }>(
    await ask(first, "experiments/", {
      method: "POST",
      body: { name: "e", type: "pairwise_audio", datasets: [dataset.id] },
    }),
  );
  const at = `experiments/${experiment.id}/`;
  const job = parsed<{ id: string }>(
    await ask(first, `${at}jobs/`, { method: "POST", body: { rater_pool: 3, num_sessions: 3 } }),
  );
  const { token } = parsed<{ token: string }>(await ask(first, `${at}jobs/${job.id}/costs/`));
  const launched = await until(
    () => ask(first, `${at}jobs/${job.id}/launch/`, { method: "POST", body: { token } }),
    ({ status }) => status !== 409,
  );
  expect(launched.status).toBe(200);
  expect(parsed(await ask(first, `${at}sessions/`))).toEqual([]);
  await first.close();

  const second = await startEmulator({ sample: false, data, speed: "at once" });
  const done = await until(
    () => ask(second, `${at}jobs/${job.id}/`),
    (answer) => parsed<{ status: string }>(answer).status === "completed",
  );
  expect(done.status).toBe(200);
  const sessions = await ask(second, `${at}sessions/`);
  await second.close();
  const third = await startEmulator({ sample: false, data });
  expect((await ask(third, `${at}sessions/`)).body.equals(sessions.body)).toBe(true);
  await third.close();
});
