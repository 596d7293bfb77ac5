import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "../../src/client/index.js";
import { exportSnapshot, type ExportReport } from "../../src/extract/index.js";
import { verifyProject } from "../../src/lake/index.js";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { forwarder, type Forwarder } from "../support/forwarder.js";
import { goldenDir } from "../support/golden-case.js";

const dir = mkdtempSync(join(tmpdir(), "recount-services-"));
let a: RunningEmulator;
let b: RunningEmulator;
let gate: Forwarder;

/** Two services below one origin, which claim one validator for everything; `b` has fewer ratings. */
beforeAll(async () => {
  const load = ["tiny-pairwise", "approval"].map((name) => join(goldenDir, `${name}.json`));
  [a, b] = [await startEmulator({ load }), await startEmulator({ load })];
  b.faults.set([{ operation: "listRatings", fault: { kind: "short_list", rows: 20 } }]);
  gate = await forwarder('"v1"');
  gate.services.set("/a", a.url).set("/b", b.url);
});
afterAll(async () => {
  await Promise.all([a.close(), b.close(), gate.close()]);
  rmSync(dir, { recursive: true });
});

async function exported(lake: string, base: string): Promise<ExportReport> {
  const client = createClient({
    baseUrl: `${gate.origin}${base}`,
    credentials: { scheme: "api-key", key: a.apiKey },
    retry: { totalMs: 0 },
  });
  try {
    return await exportSnapshot({ client, projectId: a.projectId, lake, shrink: { max: 1, allow: true } });
  } finally {
    await client.close();
  }
}

const ratings = ({ manifest }: ExportReport) =>
  manifest.units
    .filter(({ operation }) => operation === "listRatings")
    .map(({ elements, status }) => [elements, status]);

it("takes no validator, part or deletion over from a service with another base path", async () => {
  const lake = join(dir, "lake");
  const first = await exported(lake, "/a");
  expect(first.manifest.service).toBe(`${gate.origin}/a`);
  const other = await exported(lake, "/b/");
  expect(other.manifest.service).toBe(`${gate.origin}/b`);
  expect(ratings(other)).toEqual([
    [20, 200],
    [20, 200],
  ]);
  expect(other.manifest.tombstones).toBeUndefined();
  const again = await exported(lake, "/b");
  expect(ratings(again)).toEqual([
    [20, 304],
    [20, 304],
  ]);
  expect((await verifyProject(lake, a.projectId)).problems).toEqual([]);
});
