import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  currentSnapshot,
  listSnapshots,
  openSnapshot,
  openStore,
  pruneSnapshots,
  type Manifest,
} from "../../src/lake/index.js";
import { bin } from "../support/command-line.js";
import { exportTo } from "../support/export-to-lake.js";
import { goldenFiles } from "../support/golden-case.js";
import { until } from "../support/until.js";
import * as workers from "./worker-fixture.js";
import { findingsIn, inBucket, objectStorageOfTests, type Seen } from "./object-storage.js";

const project = "Listen42";
const lists = ["ratings", "jobs", "results", "metrics", "rubrics", "leaderboards", "datasets"] as const;

describe.runIf(process.env.RECOUNT_OBJECTS !== undefined)("workers", { timeout: 900_000 }, () => {
  const tests = objectStorageOfTests(goldenFiles);
  let gate: workers.Gate;
  let [lake, lakes] = ["", 0];
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    gate = await workers.startGate(tests.service.url);
  });
  beforeEach(() => {
    lake = inBucket(`workers-${++lakes}`);
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    gate.before(() => undefined);
  });
  afterAll(async () => {
    await gate.close();
  });

  /** Starts a worker in a process of its own, on a machine of its own. */
  function start(worker: string, more: readonly string[] = [], { node = [] as string[], machine = worker } = {}) {
    const args = [bin, "export", "--base-url", gate.url, "--project", project, "--lake", lake, "--worker", worker];
    const cache = join(tests.home, `machine-${machine.replace("/", "-")}`);
    const env = {
      ...process.env,
      RECOUNT_API_KEY: tests.service.apiKey,
      RECOUNT_PSEUDONYM_KEY: "a".repeat(64),
      XDG_CACHE_HOME: cache,
    };
    const tables = more.includes("--table") ? [] : ["--table", ...lists];
    const child = spawn(process.execPath, [...node, ...args, ...tables, ...more], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (piece: Buffer) => (stdout += piece.toString()));
    child.stderr.on("data", (piece: Buffer) => (stderr += piece.toString()));
    const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stdout, stderr }));
    return { child, ended, log: () => stderr };
  }

  const manifestOf = async (where = lake) => (await openSnapshot(where, project)).manifest;

  /** The snapshot that one process makes. */
  async function alone(name: string): Promise<Manifest> {
    const where = `${lake}-${name}`;
    await exportTo(where, { ...tests.service, url: gate.url }, { tables: lists });
    return manifestOf(where);
  }

  const isClean = async () => {
    expect(await findingsIn(lake, project)).toEqual({ problems: [], leftovers: [] });
  };

  const worker = (name: string, more: readonly string[] = []) => start(name, more).ended;

  /** Stops or kills a worker when it is about to make a request to the store. */
  async function interrupt(name: string, signal: "SIGSTOP" | "SIGKILL", isMoment: (seen: Seen) => boolean) {
    let wake: () => void = () => undefined;
    const woken = new Promise<void>((resolve) => (wake = resolve));
    const moment = { isReached: false };
    tests.storage.decide(async (seen) => {
      if (moment.isReached || !isMoment(seen)) return "pass";
      moment.isReached = true;
      started.child.kill(signal);
      if (signal === "SIGSTOP") await woken;
      return "reset";
    });
    const started = start(name, [], { node: ["--import", workers.shortLease], machine: "lost" });
    await Promise.race([until(() => moment.isReached), started.ended]);
    if (!moment.isReached) throw new Error(`the worker ended too early: ${started.log()}`);
    return () => {
      wake();
      started.child.kill("SIGCONT");
      return started.ended;
    };
  }

  it("make together the snapshot that one makes alone, and read each experiment once", async () => {
    const one = await alone("alone");
    const counted = workers.requestsOf(tests.service);
    tests.service.faults.clearJournal();
    const ended = await Promise.all(["1/3", "2/3", "3/3"].map((name) => worker(name)));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    const published = ended.filter(({ stdout }) => stdout.startsWith("Exported "));
    expect(published).toHaveLength(1);
    const id = await currentSnapshot(lake, project);
    for (const other of ended.filter((each) => !published.includes(each)))
      expect(other.stdout).toBe(`Another worker published snapshot ${id ?? ""}.\n`);
    const first = await manifestOf();
    expect(workers.contentOf(first)).toEqual(workers.contentOf(one));
    expect(workers.requestsOf(tests.service)).toEqual(counted);
    // The list of metrics, which each answer for a job is compared with, is read once by each worker.
    const isMetrics = ({ path, headers }: Seen) =>
      path.startsWith(`/${lake.slice("s3://".length)}/`) &&
      path.endsWith("/metrics.parquet") &&
      headers["user-agent"]?.startsWith("duckdb") === true;
    const reads = tests.storage.seen.filter((one) => one.method === "HEAD" && isMetrics(one)).length;
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThanOrEqual(3);
    await isClean();
    // The next night refers to it, and has its deletions.
    tests.service.faults.set([{ operation: "listRatings", fault: { kind: "double_row", row: 0 } }]);
    const next = await Promise.all(["1/2", "2/2"].map((name) => worker(name, ["--round", "2026-11-22"])));
    expect(next.map(({ code }) => code)).toEqual([0, 0]);
    const second = await manifestOf();
    expect(second.previous).toBe(id);
    expect(second.tombstones).toBeDefined();
    const known = new Set(workers.partsOf(first).map(({ snapshot }) => snapshot));
    const written = workers.partsOf(second).filter(({ snapshot }) => !known.has(snapshot));
    expect(new Set(written.map(({ table }) => table))).toEqual(new Set(["ratings"]));
    await isClean();
  });

  it("leave the previous snapshot until the last of them is there, and say which is missing", async () => {
    const first = await worker("1/2", ["--wait", "0"]);
    expect(first.code).toBe(3);
    expect(first.stderr).toContain("no worker is at work on 2/2. Run this command with --worker 2/2 on any machine");
    expect(first.stdout).toBe("");
    expect(await listSnapshots(lake, project)).toEqual([]);
    tests.service.faults.clearJournal();
    const second = await worker("2/2", ["--wait", "0"]);
    expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Exported /) as string });
    await isClean();
  });

  it("end in one line if their number or their settings differ, if two have one number, or if some could send nothing", async () => {
    await worker("1/2", ["--wait", "0", "--round", "night"]);
    const other = await worker("2/3", [
      "--round",
      "night",
      "--table",
      "ratings",
      "--sources",
      "whole",
      "--pseudonymise",
    ]);
    expect(other.stderr).toMatch(
      /recount: The first worker of round night has other settings: number of workers \(2, here 3\); --table; --sources; --pseudonymise or its key\. Start all its workers with the same, or another round with --round\.\n$/,
    );
    expect(other.code).toBe(4);
    const few = await worker("1/3", ["--concurrency", "2"]);
    expect(few.stderr).toMatch(/--concurrency is for all workers together: 2 is too few for 3\. Pass at least 3/);
    expect(few.code).toBe(4);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    gate.before(() => released);
    const holder = start("2/2", ["--round", "night"]);
    await until(() => gate.open() > 0);
    const twin = await worker("2/2", ["--round", "night"]);
    expect(twin.stderr).toMatch(/rounds\/night\/shares\/2\/\.lease\.json is held by another run \(pid \d+ on .*\n$/);
    expect(twin.code).toBe(3);
    release();
    expect((await holder.ended).code).toBe(0);
    expect((await worker("2/2", ["--round", "night"])).stdout).toMatch(/^Another worker published snapshot /);
  });

  it.each(Object.entries(workers.readingMoments))(
    "are replaced by any machine if they are killed %s, which reads only what is missing",
    async (_, isMoment) => {
      let noted = 0;
      await interrupt("1/2", "SIGKILL", (seen) => {
        const isExperiment = seen.method === "PUT" && seen.path.includes("/experiments/");
        if (isExperiment && noted++ === 0) return false;
        return isMoment(seen) && seen.method === "PUT";
      });
      tests.storage.decide(() => "pass");
      const known = (await openStore(lake).list(`${project}/rounds/after-nothing/experiments`)).map((name) =>
        name.replace(".json", ""),
      );
      tests.service.faults.clearJournal();
      const ended = await Promise.all(["1/2", "2/2"].map((name) => worker(name)));
      expect(ended.map(({ code }) => code)).toEqual([0, 0]);
      for (const id of known)
        expect(workers.requestsOf(tests.service).filter((path) => path.includes(`/${id}/`))).toEqual([]);
      expect(workers.contentOf(await manifestOf())).toEqual(workers.contentOf(await alone("killed")));
      await isClean();
    },
  );

  it.each(Object.entries(workers.publishingMoments))(
    "publish once if the one that does is stopped %s and wakes later",
    async (moment, isMoment) => {
      await worker("1/2", ["--wait", "0"]);
      const wake = await interrupt("2/2", "SIGSTOP", isMoment);
      tests.storage.decide(() => "pass");
      tests.service.faults.clearJournal();
      const other = await worker("1/2");
      expect(other.code).toBe(0);
      expect(other.stdout).toMatch(moment.includes("current") ? /^Another worker published/ : /^Exported /);
      expect(workers.requestsOf(tests.service).filter((path) => path.includes("/ratings"))).toEqual([]);
      const { code, stdout } = await wake();
      expect(code).toBe(0);
      expect(stdout).toMatch(moment.includes("current") ? /^Exported / : /^Another worker published/);
      expect(await listSnapshots(lake, project)).toHaveLength(1);
      await pruneSnapshots(lake, project, { last: 1 });
      await isClean();
    },
  );

  it("add nothing when they wake after another machine has read their share", async () => {
    const wake = await interrupt(
      "1/2",
      "SIGSTOP",
      ({ method, path }) => method === "PUT" && path.includes("/experiments/"),
    );
    tests.storage.decide(() => "pass");
    const ended = await Promise.all(["1/2", "2/2"].map((name) => worker(name)));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    const before = workers.contentOf(await manifestOf());
    const { code, stderr } = await wake();
    expect(stderr).toMatch(/another run has taken over.*\n$/);
    expect(code).toBe(3);
    expect(workers.contentOf(await manifestOf())).toEqual(before);
    await pruneSnapshots(lake, project, { last: 1 });
    await isClean();
  });

  it("share the concurrent requests of one export", async () => {
    const waiting: (() => void)[] = [];
    gate.before(() => new Promise<void>((resolve) => waiting.push(resolve)));
    const both = ["1/2", "2/2"].map((name) => worker(name, ["--concurrency", "3"]));
    let [most, hasEnded] = [0, false];
    void Promise.all(both).then(() => (hasEnded = true));
    while (!hasEnded) {
      most = Math.max(most, gate.open());
      // Requests are let through one at a time: each process fills what it may have open.
      await new Promise((resolve) => setTimeout(resolve, 20));
      waiting.shift()?.();
    }
    expect((await Promise.all(both)).map(({ code }) => code)).toEqual([0, 0]);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(3);
  });

  it("notice that the project's published numbers changed since the first of them started", async () => {
    await worker("1/2", ["--wait", "0"]);
    tests.service.faults.set([{ operation: "listMetrics", fault: { kind: "double_row", row: 0 } }]);
    const { stderr, code } = await worker("2/2");
    expect(stderr).toContain("the project's published numbers changed during the export; reading them again");
    expect(code).toBe(0);
    const whole = (manifest: Manifest) =>
      workers
        .partsOf(manifest)
        .filter(({ path }) => path === "metrics.parquet")
        .map(({ sha256 }) => sha256);
    expect(whole(await manifestOf())).toEqual(whole(await alone("changed")));
    await isClean();
  });

  it("lose nothing to a pruning, which removes a round that another export has ended", async () => {
    await exportTo(lake, tests.service, { tables: ["results"] });
    await worker("1/2", ["--wait", "0"]);
    await pruneSnapshots(lake, project, { last: 1 });
    expect((await worker("2/2")).code).toBe(0);
    await isClean();
    await worker("1/2", ["--wait", "0", "--round", "late"]);
    await exportTo(lake, tests.service, { tables: ["results"] });
    const late = await worker("2/2", ["--round", "late"]);
    expect(late.stderr).toMatch(
      /rounds\/late continues \S+, but another export has published \S+ since\. Start another round with --round\.\n$/,
    );
    expect(late.code).toBe(3);
    await pruneSnapshots(lake, project, { last: 1 });
    await isClean();
    expect(await openStore(lake).list(`${project}/rounds`)).toEqual([]);
  });
});
