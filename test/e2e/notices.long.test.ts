import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { secretsOf } from "../../src/pipeline/notices.js";
import { noteRun, readRuns } from "../../src/lake/index.js";
import { bin } from "../support/command-line.js";
import { httpServer } from "../support/raw-server.js";
import { pemFile, tlsServer } from "../support/tls-server.js";
import { hook, noticesOf, wrongKey } from "../support/notice-receiver.js";
import { testProject } from "../support/project.js";
import { until } from "../support/until.js";

const project = await testProject();
const { path } = project;
const { projectId } = project.service;
const { lake, newLake, open, receiver, run } = noticesOf(project);

it("that cannot be delivered are a warning, with no secret, and come with the next run", async () => {
  const silent = await receiver([0, 0]);
  const yaml = (server: { url: string }) =>
    `on_failure: ${hook(server, ", timeout: 0.3, attempts: 2")}`;
  const { code, stderr } = await run(yaml(silent), { key: wrongKey });
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
  const written = readFileSync(join(lake(), projectId, "runs.jsonl"), "utf8") + stderr;
  expect(written).not.toContain("planted");
  expect(JSON.stringify([...silent.received, ...later.received])).not.toContain("planted");
  // A password is hidden by itself too, as it is written and as it is meant.
  const hidden = secretsOf({
    on_failure: { url: "https://me:pass%2Bword@receiver.example.org/hook" },
  });
  expect(hidden).toEqual(expect.arrayContaining(["pass%2Bword", "pass+word"]));
});

it("reach a receiver with TLS through the authority of the pipeline file", async () => {
  const behind = await receiver();
  const server = await tlsServer("service", { upstream: behind.url });
  open.push(server);
  const yaml = (more: string) =>
    `service: { ${more} }\non_failure: ${hook(server, ", attempts: 1")}`;
  const untrusted = await run(yaml(""), { key: wrongKey });
  expect({ stderr: untrusted.stderr, received: behind.received.length }).toEqual({
    stderr: expect.stringMatching(
      /was not delivered: https:\/\/127\.0\.0\.1:\d+: [A-Z_]*(CERT|SIGNATURE|VERIFY)[A-Z_]*\./,
    ) as string,
    received: 0,
  });
  await run(yaml(`ca_file: ${pemFile("authority")}`), { key: wrongKey });
  expect(behind.received.length).toBe(1);
});

it("of a run that published a report name it, with its numbers", async () => {
  const slack = await receiver();
  const outputs = `outputs: { report: ${path("reports/night.html")} }`;
  expect(
    (await run(`${outputs}\non_success: ${hook(slack, ", form: slack")}`, { args: ["-q"] })).code,
  ).toBe(0);
  expect(slack.received).toEqual([
    {
      text: expect.stringMatching(
        /^Recount: \S+ succeeded: \d+ exact\. Report: \/.*\/reports\/night\.html\.$/,
      ) as string,
    },
  ]);
});

it("of a run whose pipeline file gives the report's public address name that", async () => {
  const slack = await receiver();
  const outputs = `outputs: { report: ${path("reports/night.html")} }`;
  const yaml = (address: string) =>
    `${outputs}\nreport_url: ${address}\non_success: ${hook(slack, ", form: slack")}`;
  const address = "https://reports.example.org/{project}/night.html";
  expect((await run(yaml(address), { args: ["-q"] })).code).toBe(0);
  expect(slack.received).toEqual([
    {
      text: expect.stringMatching(
        new RegExp(` Report: https://reports\\.example\\.org/${projectId}/night\\.html\\.$`),
      ) as string,
    },
  ]);
  const refused = await run(yaml("reports/night.html"));
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain(
    'report_url must be an http or https address, not "reports/night.html", for example https://reports.',
  );
  const without = await run(`report_url: ${address}`);
  expect(without.code).toBe(4);
  expect(without.stderr).toContain("report_url needs outputs.report, the file of the report.");
});

it("of a run that was killed come with the next run, once", async () => {
  const server = await receiver();
  const yaml = `on_failure: ${hook(server)}`;
  const never = await httpServer(() => undefined);
  open.push(never);
  const file = path("killed.yaml");
  writeFileSync(file, `lake: ${newLake()}\n${yaml}\n`);
  const child = spawn(
    process.execPath,
    [bin, "run", file, "--base-url", never.url, "--project", projectId],
    {
      env: { ...process.env, RECOUNT_API_KEY: "k" },
      stdio: "ignore",
    },
  );
  await until(() => never.requests > 0);
  child.kill("SIGKILL");
  await once(child, "exit");
  for (let i = 0; i < 2; i++)
    expect((await run(yaml, { isNew: false, args: ["-q"] })).code).toBe(0);
  const [killed] = await readRuns(lake(), projectId);
  expect(server.received).toMatchObject([
    {
      run: killed?.run,
      exit_code: null,
      ended_at: null,
      error: "The run never ended: it was killed.",
    },
  ]);
});

it("whose delivery was in progress when the run was killed are not sent again", async () => {
  const noted: string[] = [];
  const noting = await httpServer((response) => {
    noted.push(readFileSync(join(lake(), projectId, "runs.jsonl"), "utf8"));
    response.end();
  });
  open.push(noting);
  expect((await run(`on_failure: ${hook(noting)}`, { key: wrongKey, args: ["-q"] })).code).toBe(4);
  expect(noted).toEqual([expect.stringContaining('"notice":"sending"')]);

  const server = await receiver();
  mkdirSync(newLake());
  const line = {
    run: "20260101T000000Z-aaaaaa",
    started_at: "2026-01-01T00:00:00.000Z",
    ended_at: "2026-01-01T00:01:00.000Z",
  };
  const rest = {
    exit_code: 3,
    error: "planted",
    snapshot: null,
    rows: null,
    bytes: null,
    numbers: null,
  };
  await noteRun(lake(), projectId, { ...line, ...rest, notice: "sending" });
  expect((await run(`on_failure: ${hook(server)}`, { isNew: false, args: ["-q"] })).code).toBe(0);
  expect(server.received).toEqual([]);
});
