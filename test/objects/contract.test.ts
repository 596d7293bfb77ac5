import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { leaseTimes } from "../../src/lake/object-store/index.js";
import { promisesOfStores } from "../support/store-contract.js";
import { startObjectStorage, type ObjectStorage } from "./object-storage.js";

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
  promisesOfStores((name) => `s3://lakes/contract/${name}`);
});
