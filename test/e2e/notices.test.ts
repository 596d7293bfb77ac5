import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer as createHttp } from "node:http";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { noteRun, readRuns } from "../../src/lake/index.js";
import { bin } from "../support/command-line.js";
import { goldenDir } from "../support/golden-case.js";
import { recountHere } from "../support/in-process.js";
import { noticeReceiver } from "../support/notice-receiver.js";
import type { RawServer } from "../support/raw-server.js";
import { pemFile, tlsServer } from "../support/tls-server.js";
import { isWhole } from "../support/whole.js";

const dir = mkdtempSync(join(tmpdir(), "recount-notices-"));
const emulator = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
afterAll(async () => {
  await emulator.close();
  rmSync(dir, { recursive: true });
});

/** A receiver that answers with these in turn, then with 200. */
async function receiver(answers: readonly number[] = []) {
  const server = await noticeReceiver((nth) => answers[nth - 1] ?? 200);
  open.push(server);
  return server;
}

let lakes = 0;
const lake = () => join(dir, `lake${lakes}`);
const secretPath = "/services/T0planted/B0planted/hookSecret0123456789";

/** Runs a pipeline with notices. */
async function run(yaml: string, { key = emulator.apiKey, args = [] as string[], isNew = true } = {}) {
  if (isNew) lakes++;
  const file = join(dir, "p.yaml");
  writeFileSync(file, `lake: ${lake()}\noutputs: { summary: summary.json }\n${yaml}\n`);
  const connection = ["--base-url", emulator.url, "--project", emulator.projectId];
  return recountHere(["run", file, ...connection, ...args], { RECOUNT_API_KEY: key });
}

const hook = ({ url }: RawServer, more = "") => `{ url: "${url}${secretPath}"${more} }`;
const wrong = "planted-wrong-key";

it("of a success, of results that need a person and of a failure go to the receiver of each, once", async () => {
  const [failure, unexplained, success] = [await receiver(), await receiver(), await receiver()];
  const yaml = `on_failure: ${hook(failure)}\non_unexplained: ${hook(unexplained)}\non_success: ${hook(success)}`;
  expect(await run(yaml, { args: ["-q"] })).toMatchObject({ code: 0, stderr: "" });
  emulator.faults.set([{ operation: "listSessions", fault: { kind: "wrong_type", row: 0, field: "job_id" } }]);
  expect((await run(yaml, { isNew: false })).code).toBe(2);
  emulator.faults.set([]);
  expect((await run(yaml, { isNew: false, key: wrong })).code).toBe(4);
  const summary = JSON.parse(readFileSync(join(dir, "summary.json"), "utf8")) as { run: unknown };
  expect([success.received, unexplained.received, failure.received]).toMatchObject([
    [{ exit_code: 0, project: emulator.projectId, export: { is_whole: true } }],
    [{ exit_code: 2 }],
    [summary],
  ]);
  expect(failure.keys).toEqual([summary.run]);
});

it("are repeated while the receiver fails, and have a form for Slack", async () => {
  const slack = await receiver([503]);
  const { code, stderr } = await run(`on_failure: ${hook(slack, ", form: slack")}`, { key: wrong });
  expect({ code, keys: new Set(slack.keys).size, count: slack.received.length }).toEqual({
    code: 4,
    keys: 1,
    count: 2,
  });
  expect(slack.received[1]).toEqual({
    text: expect.stringMatching(
      new RegExp(`^Recount: ${emulator.projectId} failed \\(exit code 4\\): .*401`),
    ) as string,
  });
  expect(stderr).not.toContain("notice");
});

it.runIf(isWhole("nights"))(
  "that cannot be delivered are a warning, with no secret, and come with the next run",
  async () => {
    const silent = await receiver([0, 0]);
    const yaml = (server: RawServer) => `on_failure: ${hook(server, ", timeout: 0.3, attempts: 2")}`;
    const { code, stderr } = await run(yaml(silent), { key: wrong });
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /^warning|warn: The notice of run \S+ was not delivered: http:\/\/127\.0\.0\.1:\d+: no answer in 0\.3 s\. Gave up after 2 attempts\.$/m,
    );
    expect(silent.received.length).toBe(2);
    const later = await receiver();
    expect((await run(yaml(later), { isNew: false, args: ["-q"] })).code).toBe(0);
    expect(later.received).toMatchObject([{ exit_code: 4, run: silent.keys[0] }]);
    expect((await run(yaml(later), { isNew: false, args: ["-q"] })).code).toBe(0);
    expect(later.received.length).toBe(1);
    const written = readFileSync(join(lake(), emulator.projectId, "runs.jsonl"), "utf8") + stderr;
    expect(written).not.toContain("planted");
    expect(JSON.stringify([...silent.received, ...later.received])).not.toContain("planted");
  },
);

it("refused for good are not repeated", async () => {
  const server = await receiver([404, 404]);
  const { stderr } = await run(`on_failure: ${hook(server)}`, { key: wrong });
  expect(stderr).toMatch(/answered 404\.$/m);
  expect(server.received.length).toBe(1);
});

it.runIf(isWhole("nights"))("reach a receiver with TLS through the authority of the pipeline file", async () => {
  const behind = await receiver();
  const server = await tlsServer("service", { upstream: behind.url });
  open.push(server);
  const yaml = (more: string) =>
    `service: { ${more} }\non_failure: ${hook(server as unknown as RawServer, ", attempts: 1")}`;
  const untrusted = await run(yaml(""), { key: wrong });
  expect({ stderr: untrusted.stderr, received: behind.received.length }).toEqual({
    stderr: expect.stringMatching(
      /was not delivered: https:\/\/127\.0\.0\.1:\d+: [A-Z_]*(CERT|SIGNATURE|VERIFY)[A-Z_]*\./,
    ) as string,
    received: 0,
  });
  await run(yaml(`ca_file: ${pemFile("authority")}`), { key: wrong });
  expect(behind.received.length).toBe(1);
});

it("run a command without a shell, with the record on its input and no credentials in its environment", async () => {
  const script = join(dir, "notify.sh");
  writeFileSync(script, '#!/bin/sh\ncat > "$1"\nenv > env.txt\n');
  chmodSync(script, 0o755);
  const yaml = `on_failure: { command: [./notify.sh, "a b; touch planted.json"] }`;
  await run(yaml, { key: wrong });
  expect(JSON.parse(readFileSync(join(dir, "a b; touch planted.json"), "utf8"))).toMatchObject({ exit_code: 4 });
  expect(existsSync(join(dir, "planted.json"))).toBe(false);
  expect(readFileSync(join(dir, "env.txt"), "utf8")).not.toContain(wrong);
});

it.each([
  ["that fails", "[sh, -c, 'echo no mail >&2; exit 7']", /sh: ended with 7: no mail/],
  ["that does not end", "[sh, -c, 'sleep 60']", /sh: no end in 0\.3 s\./],
  ["that is missing", "[./nowhere]", /ENOENT/],
])("of a command %s are a warning", async (_, command, message) => {
  const { code, stderr } = await run(`on_failure: { command: ${command}, timeout: 0.3, attempts: 1 }`, { key: wrong });
  expect(code).toBe(4);
  expect(stderr).toMatch(message);
});

it.runIf(isWhole("nights"))("of a run that was killed come with the next run, once", async () => {
  const server = await receiver();
  const yaml = `on_failure: ${hook(server)}`;
  lakes++;
  // A service that never answers holds the run until it is killed.
  const never = createHttp(() => undefined);
  await new Promise<void>((resolve) => never.listen(0, "127.0.0.1", resolve));
  open.push({ close: () => new Promise((closed) => (never.closeAllConnections(), never.close(() => closed()))) });
  const file = join(dir, "killed.yaml");
  writeFileSync(file, `lake: ${lake()}\n${yaml}\n`);
  const { port } = never.address() as { port: number };
  const child = spawn(
    process.execPath,
    [bin, "run", file, "--base-url", `http://127.0.0.1:${port}`, "--project", emulator.projectId],
    { env: { ...process.env, RECOUNT_API_KEY: "k" }, stdio: "ignore" },
  );
  await once(never, "request");
  child.kill("SIGKILL");
  await once(child, "exit");
  for (let i = 0; i < 2; i++) expect((await run(yaml, { isNew: false, args: ["-q"] })).code).toBe(0);
  const [killed] = await readRuns(lake(), emulator.projectId);
  expect(server.received).toMatchObject([
    { run: killed?.run, exit_code: null, ended_at: null, error: "The run never ended: it was killed." },
  ]);
});

it.runIf(isWhole("nights"))("whose delivery was in progress when the run was killed are not sent again", async () => {
  const server = await receiver();
  lakes++;
  mkdirSync(lake(), { recursive: true });
  const line = {
    run: "20260101T000000Z-aaaaaa",
    started_at: "2026-01-01T00:00:00.000Z",
    ended_at: "2026-01-01T00:01:00.000Z",
  };
  const rest = { exit_code: 3, error: "planted", snapshot: null, rows: null, bytes: null, numbers: null };
  await noteRun(lake(), emulator.projectId, { ...line, ...rest, notice: "sending" });
  expect((await run(`on_failure: ${hook(server)}`, { isNew: false, args: ["-q"] })).code).toBe(0);
  expect(server.received).toEqual([]);
});

it.each([
  ["on_failure: { urll: x }", "unknown key on_failure.urll"],
  ["on_failure: { url: ftp://x }", "on_failure.url is not an http or https address."],
  ["on_failure: https://hooks/planted", "on_failure must be object, not what it is."],
  ["on_failure: { form: slack }", "on_failure needs a command or a url, one of them."],
  ["on_failure: { command: [] }", "on_failure.command must NOT have fewer than 1 items"],
  ["on_failure: { url: http://x, form: teams }", "on_failure.form must be one of record, slack"],
])("of a form that is not known are a mistake: %s", async (yaml, message) => {
  const { code, stderr } = await run(yaml);
  expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining(message) as string });
  expect(stderr).not.toContain("planted");
});
