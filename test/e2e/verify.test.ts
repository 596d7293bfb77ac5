import { appendFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { recountHere } from "../support/in-process.js";
import { copyOf, goldenLake, goldenProject } from "../support/kept.js";

it("verify exits 0 for an intact lake, 3 naming the file for a corrupted one and 4 when there is none", async () => {
  const lake = copyOf(await goldenLake("tiny-pairwise"));
  const verify = (at: string) => recountHere(["verify", "--lake", at]);
  expect(await verify(lake)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/all files match their digests/) as string,
  });
  const snapshots = join(lake, goldenProject, "snapshots");
  const manifest = join(snapshots, readdirSync(snapshots)[0] ?? "", "manifest.json");
  appendFileSync(manifest, " ");
  expect(await verify(lake)).toMatchObject({
    code: 3,
    stdout: expect.stringContaining(`${manifest}: has changed since it was written`) as string,
  });
  expect(await verify(join(lake, "none"))).toMatchObject({ code: 4, stdout: "" });
  rmSync(lake, { recursive: true });
});
