import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { exportTo } from "../support/export-to-lake.js";
import { goldenDir } from "../support/golden-case.js";
import { recountHere } from "../support/in-process.js";

it("a pipeline stops when a list shrinks beyond its limit, and continues with --allow-shrink", async () => {
  const dir = mkdtempSync(join(tmpdir(), "recount-shrink-"));
  const service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
  const file = join(dir, "p.yaml");
  writeFileSync(file, "lake: lake\nexport:\n  max_shrink: 0\n");
  const run = (...more: string[]) =>
    recountHere(["run", file, "--base-url", service.url, "--project", service.projectId, ...more], {
      RECOUNT_API_KEY: service.apiKey,
    });
  service.faults.set([{ operation: "listRatings", fault: { kind: "double_row", row: 0 } }]);
  await exportTo(join(dir, "lake"), service);
  service.faults.set([]);
  expect(await run()).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      /recount: listRatings of \w+ has \d+ elements.*run again with --allow-shrink\.\n$/,
    ) as string,
  });
  expect(await run("--allow-shrink")).toMatchObject({ code: 0 });
  await service.close();
  rmSync(dir, { recursive: true });
});
