import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { verifyBundle } from "../../src/audit/index.js";
import { startEmulator } from "../../src/emulator/index.js";
import { goldenDir } from "../support/golden-case.js";
import type { Outcome } from "../support/command-line.js";
import { recountHere } from "../support/in-process.js";

const dir = mkdtempSync(join(tmpdir(), "recount-run-"));
const bundle = join(dir, "out/evidence.zip");
let run: Outcome;

beforeAll(async () => {
  const service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
  const file = join(dir, "p.yaml");
  writeFileSync(file, "lake: lake\nconventions:\n  elo: { k: 24 }\noutputs:\n  bundle: out/evidence.zip\n");
  run = await recountHere(["run", file, "--base-url", service.url, "--project", service.projectId], {
    RECOUNT_API_KEY: service.apiKey,
  });
  await service.close();
  rmSync(join(dir, "lake"), { recursive: true });
});
afterAll(() => rmSync(dir, { recursive: true }));

it("a pipeline writes its bundle and prints its path, and `verify` accepts it without the lake or the service", async () => {
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining(bundle) as string });
  expect(await recountHere(["verify", bundle])).toMatchObject({ code: 0, stderr: "" });
});

it("the bundle uses the pipeline's conventions", () => {
  expect(readFileSync(bundle).includes('"k": 24')).toBe(true);
});

it("`verify` exits 3 and names the file for one changed byte, and rejects a truncated bundle", async () => {
  const bytes = readFileSync(bundle);
  const other = join(dir, "other.zip");
  const changed = Buffer.from(bytes);
  const place = bytes.indexOf("PAR1") + 200;
  changed[place] = (changed[place] as number) ^ 1;
  writeFileSync(other, changed);
  expect(await recountHere(["verify", other])).toMatchObject({
    code: 3,
    stdout: "",
    stderr: expect.stringMatching(/\.parquet/) as string,
  });
  writeFileSync(other, bytes.subarray(0, -1));
  await expect(verifyBundle(other)).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringContaining("not a complete ZIP file") as string,
  });
});
