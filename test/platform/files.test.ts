import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeDir } from "../../src/platform/index.js";
import { isWhole } from "../support/whole.js";

it.runIf(isWhole)("a folder and those above it can be made many times at once", async () => {
  const root = await mkdtemp(join(tmpdir(), "recount-folders-"));
  for (let round = 0; round < 20; round++) {
    const folders = Array.from({ length: 24 }, (_, i) =>
      join(root, `${round}`, "a", "b", `${i % 3}`, `${i}`),
    );
    await Promise.all(folders.map(makeDir));
    for (const folder of folders) expect((await stat(folder)).isDirectory()).toBe(true);
  }
  await rm(root, { recursive: true });
});
