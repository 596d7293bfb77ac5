import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leaseTimes } from "../../src/lake/object-store/index.js";
import { promisesOfStores } from "../support/store-contract.js";
import { inBucket, isMoto, objectsOf, startObjectStorage, type ObjectStorage } from "./object-storage.js";

describe.runIf(process.env.RECOUNT_OBJECTS !== undefined)("object storage", () => {
  const home = mkdtempSync(join(tmpdir(), "recount-objects-"));
  let storage: ObjectStorage;
  beforeAll(async () => {
    storage = await startObjectStorage(home);
    Object.assign(leaseTimes, { lasts: 2000, renewed: 100, looked: 20 });
  });
  afterAll(async () => {
    await storage.close();
    rmSync(home, { recursive: true });
  });
  promisesOfStores((name) => inBucket(`contract/${name}`));

  // moto looks and writes in two steps.
  it.skipIf(isMoto)("lets one of twenty writers at once write what is not there, and replace what is", async () => {
    const objects = objectsOf(inBucket("contract"));
    const write = (tag: string | null) =>
      Promise.all(Array.from({ length: 20 }, (_, i) => objects.put("race", `writer ${i}`, tag)));
    const created = (await write(null)).filter((tag) => tag !== null);
    expect(created).toHaveLength(1);
    expect((await write(created[0] ?? "")).filter((tag) => tag !== null)).toHaveLength(1);
  });
});
