import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DuckDBConnection } from "@duckdb/node-api";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { auditJson, auditLake } from "../../src/audit/index.js";
import { failureOf } from "../../src/commands/failure.js";
import { conventionsWith, defaultConventions } from "../../src/metrics/index.js";
import { transform } from "../../src/pipeline/transform.js";
import { reportPage } from "../../src/report/index.js";
import { openWarehouse } from "../../src/warehouse/index.js";
import { parseModel } from "../../src/warehouse/models.js";
import { recomputeModels } from "../../src/warehouse/recompute.js";
import { copyOf, goldenLake, goldenProject } from "../support/kept.js";
import { repeatedLake } from "../support/repeated-lake.js";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "recount-memory-"));
  vi.stubEnv("TMPDIR", dir);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(dir, { recursive: true });
});

const rows = 2_000_000;
const model = parseModel("staging", "a.sql", "-- grain: a\n-- inputs: b\n-- stored: table\n");
const large = `create table large as select hash(i) as a, hash(i + 1) as b, hash(i + 2) as c from range(${rows}) as t (i)`;

// The engine's allocator, which keeps what it freed, is the one on Linux.
test.skipIf(process.platform !== "linux")(
  "an engine gives the system back what it has freed",
  async () => {
    const rss = () => process.memoryUsage.rss();
    const warehouse = await openWarehouse({ sources: {} });
    await warehouse.release();
    for (const isConfined of [false, true]) {
      if (isConfined) await warehouse.confine([]);
      await warehouse.all(
        "create table large as select i as a, -i as b from range(10_000_000) as t (i)",
      );
      await warehouse.all("drop table large");
      const kept = rss();
      await warehouse.release();
      if (!isConfined) expect(rss()).toBeLessThan(kept - 50e6);
    }
    warehouse.close();
  },
);

describe("an engine with a memory limit", () => {
  const own = () => join(dir, `recount-${process.geteuid?.() ?? ""}`);

  test.each([false, true])(
    "writes what does not fit to a private temporary folder, which it removes; confined: %s",
    async (isConfined) => {
      vi.stubEnv("RECOUNT_MEMORY_LIMIT", "40MB");
      const warehouse = await openWarehouse({ sources: {}, threads: 1 });
      if (isConfined) await warehouse.confine([]);
      expect(await readdir(own())).toEqual([]);
      await warehouse.all(large);
      expect((await stat(own())).mode & 0o777).toBe(0o700);
      expect(await readdir(own(), { recursive: true })).not.toEqual([]);
      expect(await warehouse.all("select count(distinct a) as n from large")).toEqual([
        { n: rows },
      ]);
      warehouse.close();
      expect(await readdir(own())).toEqual([]);
    },
  );

  test("that is too small says so in one line", async () => {
    vi.stubEnv("RECOUNT_MEMORY_LIMIT", "40MB");
    const warehouse = await openWarehouse({ sources: {}, threads: 1 });
    const says = "the engine's memory of 38.1 MiB is too small: raise RECOUNT_MEMORY_LIMIT, .*";
    const sql = `select list(i) from range(${10 * rows}) as t (i)`;
    for (const work of [
      () => warehouse.all(sql),
      () => recomputeModels(warehouse, defaultConventions, [{ ...model, sql }]),
    ])
      await expect(work().catch(failureOf)).resolves.toEqual({
        line: expect.stringMatching(`^The (query|model sql/\\S+) failed: ${says}$`) as string,
        exitCode: 3,
      });
    warehouse.close();
  });

  test("removes what a killed process of this host left, and nothing else", async () => {
    const dead = spawnSync(process.execPath, ["-e", ""]).pid;
    const names = [
      `${hostname()}_${dead}_0a`,
      `${hostname()}_${process.pid}_0a`,
      `elsewhere_${dead}_0a`,
      "other",
    ];
    await mkdir(own(), { mode: 0o700 });
    for (const name of names) await mkdir(join(own(), name));
    (await openWarehouse({ sources: {} })).close();
    expect((await readdir(own())).sort()).toEqual(names.slice(1).sort());
  });

  test("does not trust a folder of that name that others may read", async () => {
    vi.stubEnv("RECOUNT_MEMORY_LIMIT", "40MB");
    await mkdir(own(), { mode: 0o755 });
    const warehouse = await openWarehouse({ sources: {}, threads: 1 });
    await warehouse.all(large);
    expect(await readdir(own())).toEqual([]);
    const [other = ""] = (await readdir(dir)).filter((name) => join(dir, name) !== own());
    expect((await stat(join(dir, other))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(dir, other))).not.toEqual([]);
    warehouse.close();
    expect(await readdir(dir)).toEqual([basename(own())]);
  });
});

const conventions = conventionsWith({ elo: { k: 20 } });

/** Engines of some experiments, the memory that each may take, and what is made. */
async function madeOf(lake: string, some: { readonly together?: number }) {
  const run = vi.spyOn(DuckDBConnection.prototype, "run");
  const options = { conventions, isFull: true, models: "usual", ...some } as const;
  await transform(lake, goldenProject, options);
  const audited = await auditLake(lake, goldenProject, { ...options, models: "audited" });
  const page = await reportPage(audited, (text) => text);
  const [limit] = await audited.warehouse.all("select current_setting('memory_limit') as memory");
  audited.warehouse.close();
  const batches = run.mock.calls.filter(([sql]) => sql.startsWith("create schema own"));
  run.mockRestore();
  const made = [page, ...auditJson(audited.report)].join("");
  return { batches: batches.length, made, memory: limit?.memory };
}

test("models and audits are of some experiments at a time, with the bytes of all at once", async () => {
  const cases = ["tiny-pairwise", "codec-preference", "two-dimensions", "approval", "mushra"];
  const lake = copyOf(await goldenLake(...cases));
  const whole = await madeOf(lake, { together: 1e9 });
  const parts = await madeOf(lake, { together: 1 });
  expect([whole.batches, parts.batches]).toEqual([0, 12]);
  expect(parts.made).toBe(whole.made);
  await rm(lake, { recursive: true });
});

// 2.9 MB of parts, of which a batch has 2, a fiftieth of the limit: two batches for the transform, the
// audit, what its results share, and the page.
test("with a small memory limit, fewer experiments are together, and what is made is the same", async () => {
  const lake = await repeatedLake(await goldenLake("codec-preference"), goldenProject, 60);
  const whole = await madeOf(lake, {});
  vi.stubEnv("RECOUNT_MEMORY_LIMIT", "100MB");
  const parts = await madeOf(lake, {});
  expect(parts.memory).toBe("95.0 MiB");
  expect([whole.batches, parts.batches]).toEqual([0, 8]);
  expect(parts.made).toBe(whole.made);
  await rm(lake, { recursive: true });
});
