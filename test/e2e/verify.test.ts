import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { exportTo, temporaryLake } from "../support/export-to-lake.js";
import { goldenDir } from "../support/golden-case.js";
import { recount } from "../support/command-line.js";
import { recountHere } from "../support/in-process.js";

it("verify exits 0 for an intact lake, 3 naming the file for a corrupted one and 4 when there is none", async () => {
  const lake = temporaryLake();
  const service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
  const { dir } = await exportTo(lake, service);
  await service.close();
  expect(await recountHere(["verify", "--lake", lake])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/all files match their digests/) as string,
  });
  const manifest = join(dir, "manifest.json");
  appendFileSync(manifest, " ");
  expect(await recount(["verify", "--lake", lake])).toMatchObject({
    code: 3,
    stdout: expect.stringContaining(`${manifest}: has changed since it was written`) as string,
  });
  expect(await recountHere(["verify", "--lake", join(lake, "none")])).toMatchObject({ code: 4, stdout: "" });
  rmSync(lake, { recursive: true });
});
