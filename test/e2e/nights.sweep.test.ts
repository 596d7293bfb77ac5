import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  startEmulator,
  type EmulatorOptions,
  type FaultRule,
  type PublishingRule,
  type RunningEmulator,
} from "../../src/emulator/index.js";
import {
  listSnapshots,
  readRuns,
  summariseSnapshots,
  verifyProject,
} from "../../src/lake/index.js";
import { recount } from "../support/command-line.js";
import { preload } from "../support/crash-fixture.js";
import { folderOfTests } from "../support/folder.js";
import { goldenPaths } from "../support/golden-case.js";
import { recountHere } from "../support/in-process.js";
import { noticeReceiver, type NoticeReceiver } from "../support/notice-receiver.js";

interface Happening {
  readonly name: string;
  /** One of these; null: the process is killed. */
  readonly exitCodes: readonly (number | null)[];
  readonly faults?: readonly FaultRule[];
  readonly publishing?: readonly PublishingRule[];
  /** The environment of test/support/failing-files.mjs, for a run in a process of its own. */
  readonly process?: Record<string, string>;
}

const status = (code: number): FaultRule => ({ fault: { kind: "status", status: code } });
const cut = { kind: "cut", after: 300, framing: "content-length" } as const;
const staged = { FILES_ON: "/staging/", FILES_AT: "7" };

const happenings: readonly Happening[] = [
  { name: "outage", exitCodes: [3], faults: [status(503)] },
  {
    name: "short outage",
    exitCodes: [0],
    faults: [{ times: 2, fault: { kind: "status", status: 503 } }],
  },
  { name: "maintenance", exitCodes: [3], faults: [{ fault: { kind: "html" } }] },
  { name: "a killed export", exitCodes: [null], process: { ...staged, FILES_DO: "kill" } },
  { name: "revoked key", exitCodes: [4], faults: [status(401)] },
  { name: "broken connection", exitCodes: [3], faults: [{ operation: "listRatings", fault: cut }] },
  {
    name: "new fields",
    exitCodes: [0],
    faults: [{ operation: "listRatings", fault: { kind: "unknown_fields" } }],
  },
  {
    name: "a field of another type",
    exitCodes: [2],
    faults: [{ operation: "listSessions", fault: { kind: "wrong_type", row: 0, field: "job_id" } }],
  },
  { name: "a full disk", exitCodes: [3], process: { ...staged, FILES_DO: "ENOSPC" } },
  {
    name: "no sessions",
    exitCodes: [3],
    faults: [{ operation: "listSessions", fault: { kind: "short_list", rows: 0 } }],
  },
  {
    name: "another convention",
    exitCodes: [1, 2],
    publishing: [{ kinds: ["mean"], conventions: { training: "include" }, options: "silent" }],
  },
];
const quiet: Happening = { name: "nothing", exitCodes: [0] };
const nights = 30;
const happeningOf = (night: number): Happening =>
  (night % 2 === 1 ? happenings[(night - 1) / 2] : undefined) ?? quiet;

const project = "Listen42";
const root = folderOfTests("recount-nights");
const [lake, temporary, pipeline] = ["lake", "tmp", "p.yaml"].map((name) => join(root, name)) as [
  string,
  string,
  string,
];
const { TMPDIR } = process.env;
let receiver: NoticeReceiver;
let service: RunningEmulator | undefined;

beforeAll(async () => {
  mkdirSync(temporary);
  process.env.TMPDIR = temporary;
  receiver = await noticeReceiver((nth) => (nth % 4 === 0 ? 503 : 200));
  const configured = {
    ...{ tables: ["ratings", "sessions", "results"], lake: "lake", keep: { last: 5 } },
    ...{ export: { sources: "whole", retry_for: 3 }, outputs: { summary: "summary.json" } },
    ...{
      on_failure: { url: `${receiver.url}/failure` },
      on_unexplained: { url: `${receiver.url}/unexplained` },
    },
  };
  writeFileSync(pipeline, JSON.stringify(configured));
});
afterAll(async () => {
  await service?.close();
  await receiver.close();
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
});

interface Case {
  readonly sessions: readonly { readonly id: string }[];
  readonly slates: readonly { readonly session_id: string }[];
  readonly ratings: readonly { readonly session_id: string }[];
}
const study = JSON.parse(readFileSync(goldenPaths("approval")[0] ?? "", "utf8")) as Case;

function begun(count: number): Case {
  const sessions = study.sessions.slice(0, count);
  const isThere = ({ session_id }: { session_id: string }) =>
    sessions.some(({ id }) => id === session_id);
  return {
    ...study,
    sessions,
    slates: study.slates.filter(isThere),
    ratings: study.ratings.filter(isThere),
  };
}

async function run(night: number): Promise<number | null> {
  const { faults = [], publishing = [], process: failing } = happeningOf(night);
  const port = service === undefined ? 0 : Number(new URL(service.url).port);
  await service?.close();
  writeFileSync(join(root, "case.json"), JSON.stringify(begun(10 + night)));
  const options: EmulatorOptions = {
    load: [join(root, "case.json")],
    port,
    publishing: [...publishing],
    faults,
  };
  service = await startEmulator(options);
  const args = ["run", pipeline, "-q", "--base-url", service.url, "--project", project];
  const env = { RECOUNT_API_KEY: service.apiKey };
  if (failing === undefined) return (await recountHere(args, env)).code;
  return (
    await recount(args, {
      ...env,
      NODE_OPTIONS: `--import ${preload}`,
      FILES_UNDER: lake,
      ...failing,
    })
  ).code;
}

/** What a descriptor of this process is. The one that lists them is closed by then. */
function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return "";
  }
}

const held = () => ({
  descriptors: readdirSync("/proc/self/fd").filter((name) => !targetOf(name).startsWith("socket:"))
    .length,
  files: readdirSync(temporary).length,
});

it("nights of faults: each failure is recorded and told once, every snapshot verifies, and nothing grows or leaks", async () => {
  const codes: (number | null)[] = [];
  let early: ReturnType<typeof held> | undefined;
  for (let night = 0; night < nights; night++) {
    const { name, exitCodes } = happeningOf(night);
    const code = await run(night);
    expect(exitCodes, `night ${night}, ${name}: ended with ${code}`).toContain(code);
    codes.push(code);
    if (night === 2) early = held();
  }
  const late = held();
  const runs = await readRuns(lake, project);
  expect(runs.map(({ exit_code }) => exit_code)).toEqual(codes);
  expect(
    runs.filter(({ exit_code }) => exit_code === 3).every(({ error }) => (error ?? "") !== ""),
  ).toBe(true);
  const due = runs.flatMap(({ run, exit_code }) =>
    exit_code === 0
      ? []
      : [`/${exit_code === 1 || exit_code === 2 ? "unexplained" : "failure"}: ${run} ${exit_code}`],
  );
  const told = receiver.accepted.map(
    ({ path, body }) => `${path}: ${String(body.run)} ${String(body.exit_code)}`,
  );
  expect(told.toSorted()).toEqual(due.toSorted());
  const summary = JSON.parse(readFileSync(join(root, "summary.json"), "utf8")) as object;
  expect(summary).toMatchObject({ run: runs.at(-1)?.run, exit_code: 0 });

  expect(await verifyProject(lake, project)).toMatchObject({ problems: [], leftovers: [] });
  expect(readdirSync(join(lake, project, "staging"))).toEqual([]);
  expect(await listSnapshots(lake, project)).toHaveLength(5);
  const kept = await summariseSnapshots(lake, project);
  expect(
    kept.filter(({ models_bytes }) => models_bytes > 0).map(({ is_current }) => is_current),
  ).toEqual([true]);
  expect(late.files).toBeLessThanOrEqual(early?.files ?? 0);
  expect(late.descriptors - (early?.descriptors ?? 0)).toBeLessThan(6);
});
