import { join } from "node:path";
import { describe } from "vitest";
import { folderOfTests } from "../support/folder.js";
import { promisesOfStores } from "../support/store-contract.js";

describe("a local folder", () => {
  const root = folderOfTests("recount-store");
  promisesOfStores((name) => join(root, name));
});
