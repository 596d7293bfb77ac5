import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { diffSnapshots } from "../../src/audit/index.js";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { leaseTimes } from "../../src/lake/object-store/index.js";
import {
  currentSnapshot,
  listSnapshots,
  openSnapshot,
  openStore,
  pruneSnapshots,
  summariseSnapshots,
  verifyProject,
} from "../../src/lake/index.js";
import { transform } from "../../src/pipeline/index.js";
import { openWarehouse } from "../../src/warehouse/index.js";
import { exportTo } from "../support/export-to-lake.js";
import { goldenDir } from "../support/golden-case.js";
import { recountHere } from "../support/in-process.js";
import { everyNth } from "../support/whole.js";
import { startObjectStorage, type ObjectStorage } from "./object-storage.js";

const project = "Listen42";
const tables = ["experiments", "ratings", "slates", "sessions", "jobs", "results"] as const;
const doubled = { operation: "listRatings", fault: { kind: "double_row", row: 0 } } as const;

describe.runIf(process.env.RECOUNT_OBJECTS !== undefined)("a lake in object storage", () => {
  const home = mkdtempSync(join(tmpdir(), "recount-objects-"));
  const folder = join(home, "lake");
  const bucket = "s3://lakes/night";
  let storage: ObjectStorage;
  let service: RunningEmulator;

  beforeAll(async () => {
    storage = await startObjectStorage(home);
    Object.assign(leaseTimes, { lasts: 1500, renewed: 100, looked: 20 });
    service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
    for (const lake of [folder, bucket]) {
      service.faults.set([]);
      await exportTo(lake, service, { tables });
      await exportTo(lake, service, { tables });
      service.faults.set([doubled]);
      await exportTo(lake, service, { tables });
    }
    service.faults.set([]);
  });
  afterEach(() => storage.decide(() => "pass"));
  afterAll(async () => {
    await service.close();
    await storage.close();
    rmSync(home, { recursive: true });
  });

  const isClean = async (lake: string) => {
    const { problems, leftovers } = await verifyProject(lake, project);
    return { problems, leftovers };
  };

  it("verifies, and has the rows and numbers of a local one", async () => {
    expect(await isClean(bucket)).toEqual({ problems: [], leftovers: [] });
    for (const args of [
      ["query", "select * from ratings order by all", "--format", "csv"],
      ["query", "select * from metric_elo order by all", "--format", "csv"],
      ["audit", "--project", project],
    ]) {
      const [own, other] = [
        await recountHere([...args, "--lake", bucket]),
        await recountHere([...args, "--lake", folder]),
      ];
      expect(own.stderr).toBe(other.stderr);
      expect(own.code).toBe(other.code);
      const plain = (text: string) => text.replaceAll(/\d{8}T\d+Z-[0-9a-f]+/g, "ID").replaceAll(/[\d.]+ m?s\b/g, "T");
      expect(plain(own.stdout)).toBe(plain(other.stdout).replaceAll(folder, bucket));
    }
    const [own, other] = await Promise.all([bucket, folder].map((lake) => diffSnapshots(lake, project)));
    expect(own?.tables).toEqual(other?.tables);
    expect(own?.numbers).toEqual(other?.numbers);
  });

  it("refers to unchanged files in place of writing them again", async () => {
    const manifests = await Promise.all(
      (await listSnapshots(bucket, project)).map((id) => openSnapshot(bucket, project, id)),
    );
    const [first, second, third] = manifests.map(({ manifest }) => manifest.units.flatMap(({ parts }) => parts));
    expect(first?.every(({ snapshot }) => snapshot === undefined)).toBe(true);
    expect(second?.every(({ snapshot }) => snapshot === manifests[0]?.id)).toBe(true);
    expect(third?.filter(({ snapshot }) => snapshot === undefined).map(({ table }) => table)).toEqual(["ratings"]);
    const again = await exportTo(bucket, service, { tables });
    const puts = storage.seen.filter(({ method, path }) => method === "PUT" && path.includes(`/${again.snapshot}/`));
    expect(puts.filter(({ path }) => path.endsWith(".parquet")).length).toBeLessThanOrEqual(1);
    for (const one of await summariseSnapshots(bucket, project)) {
      expect(one.bytes).toBeGreaterThan(1000);
      expect(one.raw_bytes).toBeGreaterThan(100);
    }
  });

  it("has its models as Parquet and as a database that DuckDB attaches where it is", async () => {
    const { dir } = await transform(bucket, project);
    const warehouse = await openWarehouse({ sources: {}, lake: bucket });
    try {
      await warehouse.all(`attach '${dir}/recount.duckdb' as lake (read_only)`);
      const [counts] = await warehouse.all(
        `select (select count(*) from lake.ratings) as ratings, (select count(*) from lake.metric_elo) as elo,
          (select count(*) from '${dir}/metric_elo.parquet') as written`,
      );
      expect(Number(counts?.ratings)).toBeGreaterThan(0);
      expect(Number(counts?.elo)).toBeGreaterThan(0);
      expect(counts?.written).toEqual(counts?.elo);
    } finally {
      warehouse.close();
    }
  });

  it("gives an evidence bundle that verifies", async () => {
    const file = join(home, "evidence.zip");
    await recountHere(["audit", "--lake", bucket, "--project", project, "--bundle", file]);
    const { stdout, stderr } = await recountHere(["verify", file]);
    expect(stdout + stderr).toMatch(/reproduce|sound|verified|same/i);
  });

  it("finds a changed, a missing and an extra object, and names it", async () => {
    const store = openStore(bucket);
    const { manifest, id } = await openSnapshot(bucket, project, (await listSnapshots(bucket, project))[0]);
    const [part] = manifest.units.flatMap(({ parts }) => parts).filter(({ table }) => table === "slates");
    const key = `${project}/snapshots/${id}/${part?.path ?? ""}`;
    const extra = `${project}/snapshots/${id}/extra.txt`;
    await store.put(extra, "extra");
    expect((await verifyProject(bucket, project)).problems).toEqual([
      { file: store.locate(extra), problem: "is not in the manifest" },
    ]);
    await store.remove(extra);
    const pieces: Buffer[] = [];
    for await (const piece of (await store.stream(key)) as AsyncIterable<Buffer>) pieces.push(piece);
    const before = Buffer.concat(pieces);
    const file = join(home, "part");
    const { writeFileSync } = await import("node:fs");
    writeFileSync(
      file,
      before.map((byte, i) => (i === 20 ? byte ^ 1 : byte)),
    );
    const put = async () => {
      const { createObjects } = await import("../../src/objects/index.js");
      await createObjects({ bucket: "lakes", prefix: "night" }).upload(file, key);
    };
    await put();
    const { problems } = await verifyProject(bucket, project);
    expect(problems.length).toBeGreaterThan(0);
    expect(new Set(problems.map((one) => one.file))).toEqual(new Set([store.locate(key)]));
    await store.remove(key);
    expect((await verifyProject(bucket, project)).problems[0]).toEqual({
      file: store.locate(key),
      problem: "is missing",
    });
    writeFileSync(file, before);
    await put();
    expect(await isClean(bucket)).toEqual({ problems: [], leftovers: [] });
  });

  it("is pruned: what the kept snapshots refer to stays, and nothing else", async () => {
    const lake = "s3://lakes/pruned";
    for (const rules of [[], [doubled], []]) {
      service.faults.set(rules);
      await exportTo(lake, service, { tables });
    }
    const newest = await currentSnapshot(lake, project);
    const { removed } = await pruneSnapshots(lake, project, { last: 1 });
    expect(removed).toHaveLength(2);
    expect(await listSnapshots(lake, project)).toEqual([newest]);
    expect(await isClean(lake)).toEqual({ problems: [], leftovers: [] });
    const snapshot = await openSnapshot(lake, project);
    const named = new Set(Object.values(snapshot.tables).flatMap(({ files }) => files));
    const parts = [...(await openStore(lake).tree(project, [])).keys()].filter((path) => path.endsWith(".parquet"));
    expect(new Set(parts.map((path) => `${lake}/${project}/${path}`))).toEqual(named);
    await exportTo(lake, service, { tables });
    expect(await isClean(lake)).toEqual({ problems: [], leftovers: [] });
  });

  it("is whole after an export that is killed before any request, and the next one and a pruning leave nothing over", async () => {
    const lakeAt = (at: number) => `s3://lakes/killed-${at}`;
    storage.seen.length = 0;
    const attempt = (lake: string) => exportTo(lake, service, { tables: ["ratings", "results"] });
    const requests = async (lake: string, at: number) => {
      let count = 0;
      storage.decide(({ path }) => (path.includes(lake.slice("s3://".length)) && ++count > at ? "reset" : "pass"));
      const before = await currentSnapshot(lake, project).catch(() => null);
      count = 0;
      const error = await attempt(lake).then(
        () => null,
        (failure: unknown) => failure as Error,
      );
      storage.decide(() => "pass");
      return { before, error, count };
    };
    const { count } = await requests(lakeAt(0), Infinity);
    expect(count).toBeGreaterThan(10);
    const wrong: unknown[] = [];
    for (const at of everyNth(
      "crashes",
      Array.from({ length: count }, (_, i) => i + 1),
      6,
    )) {
      const lake = lakeAt(at);
      service.faults.set([]);
      await attempt(lake);
      service.faults.set([doubled]);
      const { before, error } = await requests(lake, at);
      const then = await verifyProject(lake, project);
      const ids = await listSnapshots(lake, project);
      await exportTo(lake, service, { tables: ["ratings", "results"], resume: true });
      const current = await currentSnapshot(lake, project);
      await pruneSnapshots(lake, project, { last: 9 });
      const after = await isClean(lake);
      const isWhole = then.problems.length === 0 && after.problems.length + after.leftovers.length === 0;
      if (!isWhole || !ids.includes(before ?? "") || current === before)
        wrong.push({ at, error: error?.message, then, ids, current, after });
      if (error !== null && !/^s3:\/\/|nothing was published/.test(error.message)) wrong.push({ at, error });
    }
    service.faults.set([]);
    expect(wrong).toEqual([]);
  });

  it("is written and read although the store fails now and then", async () => {
    let count = 0;
    const fates = ["reset", [503, "SlowDown"], [500, "InternalError"]] as const;
    storage.decide(() => (++count % 5 === 0 ? (fates[(count / 5) % fates.length] ?? "pass") : "pass"));
    const lake = "s3://lakes/flaky";
    await exportTo(lake, service, { tables });
    await exportTo(lake, service, { tables });
    storage.decide(() => "pass");
    expect(await isClean(lake)).toEqual({ problems: [], leftovers: [] });
  });

  it.each([
    [[403, "InvalidAccessKeyId"], /^recount: s3:\/\/lakes\/night\S*: the store does not know the access key\.\n$/, 4],
    [[403, "SignatureDoesNotMatch"], /^recount: s3:\/\/lakes\/night\S*: the secret key is wrong\.\n$/, 4],
    [[403, "AccessDenied"], /^recount: s3:\/\/lakes\/night\S*: these credentials may not do this\..*\n$/, 4],
    [[404, "NoSuchBucket"], /^recount: s3:\/\/lakes\/night\S*: there is no such bucket\.\n$/, 4],
    ["reset", /^recount: s3:\/\/lakes\/night\S*: the object store failed: .*\n$/, 3],
  ] as const)("says in one line that the store answers %j", async (fate, line, code) => {
    storage.decide(() => fate);
    const outcome = await recountHere(["snapshots", "list", "--lake", bucket, "--project", project]);
    expect(outcome).toEqual({ code, stdout: "", stderr: expect.stringMatching(line) as string });
  });
});
