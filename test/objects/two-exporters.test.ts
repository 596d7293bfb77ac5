import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  currentSnapshot,
  listSnapshots,
  lockProject,
  pruneSnapshots,
  verifyProject,
} from "../../src/lake/index.js";
import { bin, startProcess } from "../support/command-line.js";
import { exportTo } from "../support/export-to-lake.js";
import {
  findingsIn,
  inBucket,
  objectStorageOfTests,
  type Fate,
  type Seen,
} from "./object-storage.js";

const project = "Listen42";
const tables = ["ratings", "results"] as const;

function deferred() {
  let resolve: (value?: undefined) => void = () => undefined;
  const promise = new Promise<undefined>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const moments = {
  "before it announces its manifest": ({ path, body }: Seen) =>
    path.endsWith(".lease.json") && body.includes('"publishing"'),
  "before it writes its manifest": ({ method, path }: Seen) =>
    method === "PUT" && path.includes("/manifest.json"),
  "before it names it in current": ({ method, path }: Seen) =>
    method === "PUT" && path.includes("/current"),
};

describe.runIf(process.env.RECOUNT_OBJECTS !== undefined)("of two exporters of a project", () => {
  const tests = objectStorageOfTests();
  let lakes = 0;
  const children: ChildProcess[] = [];
  const fates = new Map<string, (seen: Seen) => Promise<Fate>>();

  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    fates.clear();
  });

  async function makeLake() {
    const name = `two-${++lakes}`;
    const lake = inBucket(name);
    await exportTo(lake, tests.service, { tables });
    return { name, lake };
  }

  type OwnLake = Awaited<ReturnType<typeof makeLake>>;

  function start(lake: string) {
    const { url, apiKey } = tests.service;
    const args = [
      bin,
      "export",
      "--base-url",
      url,
      "--project",
      project,
      "--lake",
      lake,
      "--table",
      ...tables,
    ];
    const env = {
      ...process.env,
      RECOUNT_API_KEY: apiKey,
      XDG_CACHE_HOME: join(tests.home, "other"),
    };
    const started = startProcess(args, { env });
    children.push(started.child);
    return started;
  }

  async function interrupt(
    { name, lake }: OwnLake,
    isMoment: (seen: Seen) => boolean,
    signal: "SIGSTOP" | "SIGKILL",
  ) {
    const reached = deferred();
    const woken = deferred();
    let isReached = false;
    tests.storage.decide((seen) => {
      const [, own] = [...fates].find(([lake]) => seen.path.includes(`/${lake}/`)) ?? [];
      return own?.(seen) ?? "pass";
    });
    fates.set(name, async (seen) => {
      if (isReached || !isMoment(seen)) return "pass";
      isReached = true;
      started.child.kill(signal);
      reached.resolve(undefined);
      if (signal === "SIGKILL") return "reset";
      await woken.promise;
      return "reset";
    });
    const started = start(lake);
    const first = await Promise.race([reached.promise, started.ended]);
    if (first !== undefined && signal === "SIGSTOP")
      throw new Error(`the export ended too early: ${first.stderr}`);
    return {
      wake() {
        woken.resolve(undefined);
        started.child.kill("SIGCONT");
        return started.ended;
      },
    };
  }

  it("the second one ends in one line with exit code 3", async () => {
    const { lake } = await makeLake();
    const lock = await lockProject(lake, project);
    const { code, stderr } = await start(lake).ended;
    await lock.release();
    expect(stderr).toMatch(
      /^recount: s3:\S+\.lease\.json is held by another run \(pid \d+ on .*\)\. Wait until it ends, or stop it\.\n$/,
    );
    expect(code).toBe(3);
  });

  const atEachMoment = (
    act: (at: OwnLake, moment: string, isMoment: (seen: Seen) => boolean) => Promise<void>,
  ) =>
    Promise.all(
      Object.entries(moments).map(async ([moment, isMoment]) =>
        act(await makeLake(), moment, isMoment),
      ),
    );

  it("one that is killed at any moment leaves the old snapshot or the new one, and the next one takes over", async () => {
    await atEachMoment(async (at, moment, isMoment) => {
      const { lake } = at;
      const before = await currentSnapshot(lake, project);
      await interrupt(at, isMoment, "SIGKILL");
      expect((await verifyProject(lake, project)).problems, moment).toEqual([]);
      expect(await currentSnapshot(lake, project), moment).toBe(before);
      const next = await exportTo(lake, tests.service, { tables });
      expect(await currentSnapshot(lake, project), moment).toBe(next.snapshot);
      await pruneSnapshots(lake, project, { last: 9 });
      expect(await findingsIn(lake, project), moment).toEqual({ problems: [], leftovers: [] });
    });
  });

  it("one that is stopped at any moment, and wakes after the other, spoils nothing", async () => {
    await atEachMoment(async (at, moment, isMoment) => {
      const { lake } = at;
      const stopped = await interrupt(at, isMoment, "SIGSTOP");
      const next = await exportTo(lake, tests.service, { tables });
      await pruneSnapshots(lake, project, { last: 9 });
      const ids = await listSnapshots(lake, project);
      const { code, stderr } = await stopped.wake();
      const isPublished = moment === "before it names it in current";
      expect(code, moment).toBe(isPublished ? 0 : 3);
      if (!isPublished) expect(stderr).toMatch(/another run has taken over.*\n$/);
      expect(await listSnapshots(lake, project), moment).toEqual(ids);
      expect(ids, moment).toHaveLength(isPublished ? 3 : 2);
      expect(await currentSnapshot(lake, project), moment).toBe(next.snapshot);
      expect((await verifyProject(lake, project)).problems, moment).toEqual([]);
    });
  });
});
