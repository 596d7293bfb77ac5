import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { lockProject, namesIn, openStore } from "../../src/lake/index.js";
import { digestIn } from "../../src/lake/store.js";

const sha256 = (content: string) => createHash("sha256").update(content).digest("hex");

function scratchOf(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}

/** What every kind of store promises, whatever it keeps its files in. `lakeOf` names a lake that is empty at first. */
export function promisesOfStores(lakeOf: (name: string) => string): void {
  async function publish(
    lake: string,
    id: string,
    files: Readonly<Record<string, string>>,
  ): Promise<void> {
    const store = await openStore(lake);
    const staged = `P/staging/${id}`;
    const scratch = scratchOf(store.locate(`P/staging/.spool-${id}`));
    for (const [path, content] of Object.entries(files)) {
      writeFileSync(join(scratch, "file"), content);
      await store.adopt(join(scratch, "file"), `${staged}/${path}`);
    }
    const paths = Object.entries(files).map(([path, content]) => ({
      path,
      sha256: sha256(content),
    }));
    const lock = await lockProject(lake, "P");
    const final = `P/snapshots/${id}`;
    try {
      await store.publish({
        project: "P",
        name: id,
        staged,
        final,
        paths,
        manifest: `{"id":"${id}"}`,
      });
    } finally {
      await lock.release();
    }
  }

  it("has nothing at first", async () => {
    const store = await openStore(lakeOf("empty"));
    expect(await store.entries("P")).toEqual([]);
    expect(await store.complete("P/snapshots")).toEqual([]);
    expect([...(await store.tree("P"))]).toEqual([]);
    expect(await store.read("P/current")).toBeNull();
    expect(await store.isFile("P/current")).toBe(false);
    expect(await store.holds("P/current", sha256(""))).toBe(false);
    await store.remove("P");
  });

  it("gives a published snapshot back as a whole, and names it in `current`", async () => {
    const lake = lakeOf("publish");
    const store = await openStore(lake);
    const files = { "experiment_id=e1/ratings.parquet": "rows", "jobs.parquet": "" };
    await publish(lake, "S1", files);
    expect(await store.complete("P/snapshots")).toEqual(["S1"]);
    expect(await store.read("P/current")).toBe("S1\n");
    expect(await store.read("P/snapshots/S1/manifest.json")).toBe('{"id":"S1"}');
    for (const [path, content] of Object.entries(files)) {
      const key = `P/snapshots/S1/${path}`;
      expect(await store.isFile(key)).toBe(true);
      expect(await text(await store.stream(key))).toBe(content);
      expect(await digestIn(store, key)).toEqual({
        sha256: sha256(content),
        bytes: content.length,
      });
      expect(await store.holds(key, sha256(content))).toBe(true);
      expect(await store.holds(key, sha256("other"))).toBe(false);
    }
    const tree = await store.tree("P/snapshots");
    expect([...tree.keys()].filter((path) => tree.get(path)?.kind === "file").toSorted()).toEqual(
      ["experiment_id=e1/ratings.parquet", "jobs.parquet", "manifest.json"].map(
        (path) => `S1/${path}`,
      ),
    );
    expect(
      (await store.entries("P/snapshots/S1")).map(({ name, kind }) => `${name} ${kind}`),
    ).toEqual(["experiment_id=e1 folder", "jobs.parquet file", "manifest.json file"]);
    await publish(lake, "S2", { "jobs.parquet": "" });
    expect(await store.complete("P/snapshots")).toEqual(["S1", "S2"]);
    expect(await store.read("P/current")).toBe("S2\n");
  });

  it("shows no snapshot that has no manifest yet", async () => {
    const lake = lakeOf("staged");
    const store = await openStore(lake);
    const scratch = scratchOf(store.locate("P/staging/.spool"));
    writeFileSync(join(scratch, "file"), "rows");
    await store.adopt(join(scratch, "file"), "P/staging/S1/jobs.parquet");
    expect(await store.complete("P/snapshots")).toEqual([]);
    await store.adopt(store.locate("P/staging/S1"), "P/staging/.before-S1");
    expect(await store.read("P/staging/.before-S1/jobs.parquet")).toBe("rows");
    await store.remove("P/staging");
    expect(await namesIn(store, "P/staging")).toEqual([]);
  });

  it("removes a snapshot, and no other", async () => {
    const lake = lakeOf("retract");
    const store = await openStore(lake);
    await publish(lake, "S1", { "jobs.parquet": "one" });
    await publish(lake, "S2", { "jobs.parquet": "two" });
    await store.retract("P/snapshots/S1", new Set());
    expect(await store.complete("P/snapshots")).toEqual(["S2"]);
    expect(await namesIn(store, "P/snapshots")).toEqual(["S2"]);
    expect(await store.read("P/snapshots/S2/jobs.parquet")).toBe("two");
  });

  it("keeps the files that another snapshot needs", async () => {
    const lake = lakeOf("kept");
    const store = await openStore(lake);
    await publish(lake, "S1", { "jobs.parquet": "one", "raters.parquet": "two" });
    await store.retract("P/snapshots/S1", new Set(["P/snapshots/S1/jobs.parquet"]));
    expect(await store.read("P/snapshots/S1/jobs.parquet")).toBe("one");
  });

  it("replaces a whole file, and adds lines to one, from several writers at once too", async () => {
    const store = await openStore(lakeOf("lines"));
    await store.put("P/current", "one\n");
    await store.put("P/current", "two\n");
    expect(await store.read("P/current")).toBe("two\n");
    const lines = Array.from({ length: 8 }, (_, i) => `line ${i}`);
    await Promise.all(lines.map((line) => store.append("P/runs.jsonl", line)));
    expect(
      ((await store.read("P/runs.jsonl")) ?? "").split("\n").filter(Boolean).toSorted(),
    ).toEqual(lines);
  });

  it("replaces a folder of models", async () => {
    const store = await openStore(lakeOf("models"));
    const write = (names: readonly string[]) => (dir: string) => {
      mkdirSync(dir, { recursive: true });
      for (const name of readdirSync(dir)) expect(names).toContain(name);
      for (const name of names) writeFileSync(join(dir, name), name);
      return Promise.resolve(names.length);
    };
    expect(await store.make("P/derived/S1", write(["a.parquet", "recount.duckdb"]))).toBe(2);
    expect(await namesIn(store, "P/derived/S1")).toEqual(["a.parquet", "recount.duckdb"]);
    expect(await store.read("P/derived/S1/a.parquet")).toBe("a.parquet");
  });

  it("is locked by one run at a time, each project for itself", async () => {
    const lake = lakeOf("lock");
    const first = await lockProject(lake, "P");
    await expect(lockProject(lake, "P")).rejects.toThrow(/another run|this process/);
    await (await lockProject(lake, "Q")).release();
    await first.release();
    await (await lockProject(lake, "P")).release();
  });
}
