import { CopyObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import {
  currentSnapshot,
  listSnapshots,
  readSnapshot,
  pruneSnapshots,
  verifyProject,
} from "../../src/lake/index.js";
import { exportTo } from "../support/export-to-lake.js";
import { everyNth } from "../support/whole.js";
import {
  findingsIn,
  inBucket,
  objectsOf,
  objectStorageOfTests,
  type Fate,
} from "./object-storage.js";

const project = "Listen42";
const tables = ["ratings", "results"] as const;
const doubled = { operation: "listRatings", fault: { kind: "double_row", row: 0 } } as const;

describe.runIf(process.env.RECOUNT_OBJECTS !== undefined)("a lake in object storage", () => {
  const tests = objectStorageOfTests(undefined, { lasts: 1500, renewed: 100, looked: 20 });

  const findings = (lake: string) => findingsIn(lake, project);
  const attempt = (lake: string) => exportTo(lake, tests.service, { tables });

  async function untilRequest(at: number, fate: Fate, act: () => Promise<unknown>) {
    let count = 0;
    // Also those about several objects at once, whose path is the bucket's.
    tests.storage.decide(() => (++count > at ? fate : "pass"));
    const error = await act().then(
      () => null,
      (failure: unknown) => failure as Error,
    );
    tests.storage.decide(() => "pass");
    return { count, error };
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

  it("is whole after an export that is killed before any request, and the next one and a pruning leave no orphaned files", async () => {
    const lakeAt = (at: number) => inBucket(`killed-${at}`);
    await attempt(lakeAt(-1));
    tests.service.faults.set([doubled]);
    // An export beside an earlier one: it makes more requests than the first.
    const { count } = await untilRequest(Infinity, "pass", () => attempt(lakeAt(-1)));
    expect(count).toBeGreaterThan(10);
    const wrong: unknown[] = [];
    for (const at of everyNth(upTo(count), 6)) {
      const lake = lakeAt(at);
      tests.service.faults.set([]);
      await attempt(lake);
      tests.service.faults.set([doubled]);
      const before = await currentSnapshot(lake, project);
      const { error } = await untilRequest(at, "reset", () => attempt(lake));
      const then = await verifyProject(lake, project);
      const opened = await readSnapshot(lake, project).then(({ id }) => id, String);
      const ids = await listSnapshots(lake, project);
      await exportTo(lake, tests.service, { tables, resume: true });
      const current = await currentSnapshot(lake, project);
      await pruneSnapshots(lake, project, { last: 9 });
      const after = await findings(lake);
      const isWhole =
        then.problems.length === 0 && after.problems.length + after.leftovers.length === 0;
      if (!isWhole || !ids.includes(before ?? "") || !ids.includes(opened) || current === before)
        wrong.push({ at, error: error?.message, then, opened, ids, current, after });
      if (error !== null && !/^s3:\/\/|nothing was published/.test(error.message))
        wrong.push({ at, error });
    }
    expect(wrong).toEqual([]);
  });

  it("is whole after a pruning that is killed before any request, and the next one removes the rest", async () => {
    const whole = inBucket("unpruned");
    for (const rules of [[], [doubled], []]) {
      tests.service.faults.set(rules);
      await attempt(whole);
    }
    const newest = await currentSnapshot(whole, project);
    const client = new S3Client({ forcePathStyle: true });
    const copied = async (lake: string) => {
      const { hostname: Bucket, pathname } = new URL(lake);
      for (const { key } of await objectsOf(whole).list(project))
        await client.send(
          new CopyObjectCommand({
            Bucket,
            CopySource: `${Bucket}/unpruned/${key}`,
            Key: `${pathname.slice(1)}/${key}`,
          }),
        );
      return lake;
    };
    const prune = (lake: string) => pruneSnapshots(lake, project, { last: 1 });
    const once = await copied(inBucket("pruned"));
    const { count } = await untilRequest(Infinity, "pass", () => prune(once));
    expect(count).toBeGreaterThan(10);
    const wrong: unknown[] = [];
    for (const at of everyNth(upTo(count), 4)) {
      const lake = await copied(inBucket(`pruned-${at}`));
      const { error } = await untilRequest(at, [403, "AccessDenied"], () => prune(lake));
      const { problems } = await findings(lake);
      const current = await currentSnapshot(lake, project);
      await prune(lake);
      const after = await findings(lake);
      const ids = await listSnapshots(lake, project);
      if (
        problems.length + after.problems.length + after.leftovers.length > 0 ||
        current !== newest ||
        ids.length > 1
      )
        wrong.push({ at, error: error?.message, problems, current, after, ids });
    }
    client.destroy();
    expect(wrong).toEqual([]);
  });

  it("gets what was exported when its upload failed, and the service is not read again", async () => {
    const lake = inBucket("failed");
    tests.storage.decide(({ method, path }) =>
      method === "PUT" && /ratings/.test(path) ? [403, "AccessDenied"] : "pass",
    );
    await expect(attempt(lake)).rejects.toThrow(/these credentials may not do this/);
    expect(await listSnapshots(lake, project)).toEqual([]);
    tests.storage.decide(() => "pass");
    tests.service.faults.clearJournal();
    await exportTo(lake, tests.service, { tables, resume: true });
    expect(tests.service.faults.journal().filter(({ experiment }) => experiment !== null)).toEqual(
      [],
    );
    await pruneSnapshots(lake, project, { last: 9 });
    expect(await findings(lake)).toEqual({ problems: [], leftovers: [] });
  });

  it("is written and read although the store fails now and then, before or after it has done what was asked", async () => {
    let count = 0;
    const fates = ["reset", [503, "SlowDown"], "lose", [500, "InternalError"]] as const;
    tests.storage.decide(() =>
      ++count % 5 === 0 ? (fates[(count / 5) % fates.length] ?? "pass") : "pass",
    );
    const lake = inBucket("flaky");
    await attempt(lake);
    await attempt(lake);
    tests.storage.decide(() => "pass");
    expect(await findings(lake)).toEqual({ problems: [], leftovers: [] });
  });
});
