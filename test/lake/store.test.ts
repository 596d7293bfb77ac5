import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { promisesOfStores } from "../support/store-contract.js";

describe("a local folder", () => {
  const root = mkdtempSync(join(tmpdir(), "recount-store-"));
  afterAll(() => rmSync(root, { recursive: true }));
  promisesOfStores((name) => join(root, name));
});
