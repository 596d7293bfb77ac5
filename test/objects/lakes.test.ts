import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { diffSnapshots } from "../../src/changes/index.js";
import {
  currentSnapshot,
  listSnapshots,
  readSnapshot,
  openStore,
  pruneSnapshots,
  summariseSnapshots,
  verifyProject,
} from "../../src/lake/index.js";
import { exportTo } from "../support/export-to-lake.js";
import { listedBy, rowsIn } from "../support/listings.js";
import { recountHere } from "../support/in-process.js";
import { findingsIn, inBucket, objectsOf, objectStorageOfTests } from "./object-storage.js";

const project = "Listen42";
const tables = ["experiments", "ratings", "slates", "sessions", "jobs", "results"] as const;
const doubled = { operation: "listRatings", fault: { kind: "double_row", row: 0 } } as const;

describe.runIf(process.env.RECOUNT_OBJECTS !== undefined)("a lake in object storage", () => {
  const tests = objectStorageOfTests(undefined, { lasts: 1500, renewed: 100, looked: 20 });
  const folder = join(tests.home, "lake");
  // A key may look like a column of partitions, and hold marks that have a meaning in patterns.
  const bucket = inBucket("rater_id=EVIL/night!(1)");

  beforeAll(async () => {
    for (const lake of [folder, bucket]) {
      tests.service.faults.set([]);
      await exportTo(lake, tests.service, { tables });
      await exportTo(lake, tests.service, { tables });
      tests.service.faults.set([doubled]);
      await exportTo(lake, tests.service, { tables });
    }
    tests.service.faults.set([]);
  });

  const findings = (lake: string) => findingsIn(lake, project);

  it("verifies, and has the rows and numbers of a local one", async () => {
    expect(await findings(bucket)).toEqual({ problems: [], leftovers: [] });
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
      const plain = (text: string) =>
        text.replaceAll(/\d{8}T\d+Z-[0-9a-f]+/g, "ID").replaceAll(/[\d.]+ m?s\b/g, "T");
      expect(plain(own.stdout)).toBe(plain(other.stdout).replaceAll(folder, bucket));
    }
    const [own, other] = await Promise.all(
      [bucket, folder].map((lake) => diffSnapshots(lake, project)),
    );
    expect(own?.tables).toEqual(other?.tables);
    expect(own?.numbers).toEqual(other?.numbers);
  });

  it("refers to unchanged files instead of writing them again", async () => {
    const manifests = await Promise.all(
      (await listSnapshots(bucket, project)).map((id) => readSnapshot(bucket, project, id)),
    );
    const [first, second, third] = manifests.map(({ manifest }) =>
      manifest.units.flatMap(({ parts }) => parts),
    );
    expect(first?.every(({ snapshot }) => snapshot === undefined)).toBe(true);
    expect(second?.every(({ snapshot }) => snapshot === manifests[0]?.id)).toBe(true);
    expect(
      third?.filter(({ snapshot }) => snapshot === undefined).map(({ table }) => table),
    ).toEqual(["ratings"]);
    const again = await exportTo(bucket, tests.service, { tables });
    const puts = tests.storage.seen.filter(
      ({ method, path }) => method === "PUT" && path.includes(`/${again.snapshot}/`),
    );
    expect(puts.filter(({ path }) => path.endsWith(".parquet")).length).toBeLessThanOrEqual(1);
    for (const one of await summariseSnapshots(bucket, project)) {
      expect(one.bytes).toBeGreaterThan(1000);
      expect(one.raw_bytes).toBeGreaterThan(100);
    }
  });

  it("has tables.sql and tables.json for each of its snapshots, with the files that others have too", async () => {
    const endpoint = new URL(process.env.AWS_ENDPOINT_URL_S3 ?? "").host;
    const secret = `create secret (type s3, key_id '${process.env.AWS_ACCESS_KEY_ID ?? ""}',
      secret '${process.env.AWS_SECRET_ACCESS_KEY ?? ""}', endpoint '${endpoint}', url_style 'path', use_ssl false)`;
    const ids = await listSnapshots(bucket, project);
    expect(ids.length).toBeGreaterThanOrEqual(3);
    for (const id of ids) {
      const snapshot = await readSnapshot(bucket, project, id);
      const { views, json } = await listedBy(snapshot, `${bucket}/${project}`, [
        "load httpfs",
        secret,
      ]);
      expect(views).toEqual(rowsIn(snapshot.manifest));
      const files = Object.values(json.tables).flatMap((own) => own.map((one) => one.path));
      const named = Object.values(snapshot.tables).flatMap((table) => table.files);
      expect(files.map((file) => `${bucket}/${project}/${file}`).sort()).toEqual(named.sort());
    }
  });

  it("gives the same evidence bundle as a copy of it in a folder, to the byte, and it verifies", async () => {
    const copy = join(tests.home, "copy");
    const objects = objectsOf(bucket);
    for (const { key } of await objects.list(project)) {
      mkdirSync(dirname(join(copy, key)), { recursive: true });
      await writeFile(join(copy, key), await objects.stream(key));
    }
    const [own, other] = ["own.zip", "other.zip"].map((name) => join(tests.home, name)) as [
      string,
      string,
    ];
    for (const [lake, file] of [
      [bucket, own],
      [copy, other],
    ] as const) {
      const { stderr } = await recountHere([
        "audit",
        "--lake",
        lake,
        "--project",
        project,
        "--bundle",
        file,
      ]);
      expect(stderr).toBe("");
    }
    expect(readFileSync(own).equals(readFileSync(other))).toBe(true);
    const { stdout, code } = await recountHere(["verify", own]);
    expect(stdout).toMatch(/\d+ files? .*audit/);
    expect(code).toBe(0);
  });

  it("finds a changed, a missing and an extra object, and names it", async () => {
    const store = await openStore(bucket);
    const { manifest, id } = await readSnapshot(
      bucket,
      project,
      (await listSnapshots(bucket, project))[0],
    );
    const [part] = manifest.units
      .flatMap(({ parts }) => parts)
      .filter(({ table }) => table === "slates");
    const key = `${project}/snapshots/${id}/${part?.path ?? ""}`;
    const extra = `${project}/snapshots/${id}/extra.txt`;
    await store.put(extra, "extra");
    expect((await verifyProject(bucket, project)).problems).toEqual([
      { file: store.locate(extra), problem: "is not in the manifest" },
    ]);
    await store.remove(extra);
    const pieces: Buffer[] = [];
    for await (const piece of (await store.stream(key)) as AsyncIterable<Buffer>)
      pieces.push(piece);
    const before = Buffer.concat(pieces);
    const file = join(tests.home, "part");
    writeFileSync(
      file,
      before.map((byte, i) => (i === 20 ? byte ^ 1 : byte)),
    );
    const put = async () => {
      await objectsOf(bucket).upload(file, key);
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
    expect(await findings(bucket)).toEqual({ problems: [], leftovers: [] });
  });

  it("has the models of one transform, whole, after several at once", async () => {
    const store = await openStore(inBucket("several"));
    const names = Array.from({ length: 40 }, (_, i) => `model-${i}.parquet`);
    const make = (own: string) =>
      store.make(`${project}/derived/20260101T000000Z-abcdef`, async (dir) => {
        mkdirSync(dir);
        for (const name of [...names, `only-${own}.parquet`, "recount.duckdb"])
          await writeFile(join(dir, name), own);
      });
    await Promise.all(["a", "b", "c", "d"].map(make));
    const found = await store.tree(`${project}/derived/20260101T000000Z-abcdef`);
    expect(found.size).toBe(names.length + 2);
    const texts = [...found.keys()].map((name) =>
      store.read(`${project}/derived/20260101T000000Z-abcdef/${name}`),
    );
    expect(new Set(await Promise.all(texts)).size).toBe(1);
  });

  it("is pruned: what the kept snapshots refer to stays, and nothing else", async () => {
    const lake = inBucket("pruned");
    for (const rules of [[], [doubled], []]) {
      tests.service.faults.set(rules);
      await exportTo(lake, tests.service, { tables });
    }
    const newest = await currentSnapshot(lake, project);
    const { removed } = await pruneSnapshots(lake, project, { last: 1 });
    expect(removed).toHaveLength(2);
    expect(await listSnapshots(lake, project)).toEqual([newest]);
    expect(await findings(lake)).toEqual({ problems: [], leftovers: [] });
    const snapshot = await readSnapshot(lake, project);
    const named = new Set(Object.values(snapshot.tables).flatMap(({ files }) => files));
    const parts = [...(await (await openStore(lake)).tree(project)).keys()].filter((path) =>
      path.endsWith(".parquet"),
    );
    expect(new Set(parts.map((path) => `${lake}/${project}/${path}`))).toEqual(named);
    await exportTo(lake, tests.service, { tables });
    expect(await findings(lake)).toEqual({ problems: [], leftovers: [] });
  });

  it("is opened with a list of each folder, whatever the number of its parts", async () => {
    const from = tests.storage.seen.length;
    await readSnapshot(bucket, project);
    const asked = tests.storage.seen
      .slice(from)
      .map(({ method, query }) => `${method} ${query.get("list-type") ?? ""}`);
    expect(asked).not.toContain("HEAD ");
    expect(asked.filter((one) => one === "GET 2").length).toBeLessThan(4);
  });

  it("is asked for at most 32 things at once", async () => {
    let [open, most] = [0, 0];
    tests.storage.decide(async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 20));
      open--;
      return "pass" as const;
    });
    await Promise.all(Array.from({ length: 200 }, (_, i) => objectsOf(bucket).head(`none-${i}`)));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(32);
  });

  it("is read on where an answer is cut", async () => {
    const all = await recountHere(["verify", "--lake", bucket, "--project", project]);
    let nth = 0;
    tests.storage.decide(({ method, query }) =>
      method === "GET" && !query.has("list-type") && nth++ % 2 === 0 ? "cut" : "pass",
    );
    expect(await recountHere(["verify", "--lake", bucket, "--project", project])).toEqual(all);
    expect(nth).toBeGreaterThan(10);
  });

  it("has its new snapshot, exit 0, even if every answer to the last write is lost", async () => {
    const own = inBucket("lost-answers");
    tests.storage.decide(({ method, path }) =>
      method === "PUT" && path.endsWith("/current") ? "lose" : "pass",
    );
    const { snapshot } = await exportTo(own, tests.service, { tables: ["ratings"] });
    expect(await currentSnapshot(own, project)).toBe(snapshot);
  });

  it("is verified and measured with a key of two slashes in it, which verify names", async () => {
    const own = inBucket("slashes");
    await exportTo(own, tests.service, { tables: ["ratings"] });
    for (const key of [
      `${project}//x`,
      `${project}/snapshots//manifest.json`,
      `${project}/snapshots//a//b`,
      "//y",
    ])
      await objectsOf(own).put(key, "x");
    const { problems } = await verifyProject(own, project);
    expect(problems.map(({ file }) => file).sort()).toEqual([
      `${own}/${project}`,
      `${own}/${project}/snapshots`,
    ]);
  });
});
