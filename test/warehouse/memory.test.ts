import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { UsageError } from "../../src/platform/index.js";
import { openWarehouse } from "../../src/warehouse/index.js";

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
/** 48 MB, which a smaller memory does not hold. */
const large = `create table large as select hash(i) as a, hash(i + 1) as b, hash(i + 2) as c from range(${rows}) as t (i)`;

describe("an engine with a memory limit", () => {
  test.each([false, true])(
    "writes what does not fit to a private temporary folder, which it removes; confined: %s",
    async (isConfined) => {
      vi.stubEnv("RECOUNT_MEMORY_LIMIT", "40MB");
      const warehouse = await openWarehouse({ sources: {}, threads: 1 });
      if (isConfined) await warehouse.confine([]);
      await warehouse.all(large);
      const [folder = ""] = await readdir(dir);
      expect((await stat(join(dir, folder))).mode & 0o777).toBe(0o700);
      expect(await readdir(join(dir, folder))).not.toEqual([]);
      expect(await warehouse.all("select count(distinct a) as n from large")).toEqual([{ n: rows }]);
      warehouse.close();
      expect(await readdir(dir)).toEqual([]);
    },
  );

  test.each(["4", "GB", "lots", "4GB; drop"])("of %s is refused", async (limit) => {
    vi.stubEnv("RECOUNT_MEMORY_LIMIT", limit);
    await expect(openWarehouse({ sources: {} })).rejects.toThrow(
      new UsageError(`RECOUNT_MEMORY_LIMIT must be a number and a unit, such as 4GB, not ${limit}.`),
    );
    expect(await readdir(dir)).toEqual([]);
  });
});
