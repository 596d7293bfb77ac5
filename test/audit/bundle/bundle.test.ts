import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditLake, verifyBundle, writeBundle, type LakeAudit } from "../../../src/audit/index.js";
import { unpackZip, writeZip } from "../../../src/audit/bundle/zip.js";
import { createClient } from "../../../src/client/index.js";
import { exportSnapshot } from "../../../src/extract/index.js";
import { startEmulator } from "../../../src/emulator/index.js";
import { auditSettings as settings } from "../../support/audit/settings.js";
import { goldenDir } from "../../support/load-case.js";
import { everyNth, isWhole } from "../../support/whole.js";
import { auditText } from "../../support/audit-report.js";

describe("an evidence bundle", () => {
  const folder = mkdtempSync(join(tmpdir(), "recount-bundle-test-"));
  const lake = join(folder, "lake");
  const file = join(folder, "evidence.zip");
  let audit: LakeAudit;

  beforeAll(async () => {
    const load = [join(goldenDir, "tiny-pairwise.json")];
    const service = await startEmulator({
      load,
      publishing: [{ kinds: ["elo"], conventions: { elo: { k: 16 } }, options: "none" }],
    });
    try {
      const client = createClient({ baseUrl: service.url, credentials: { scheme: "api-key", key: service.apiKey } });
      await exportSnapshot({ client, projectId: service.projectId, lake });
      await client.close();
      audit = await auditLake(lake, service.projectId, { ...settings, models: "audited" });
      audit.warehouse.close();
      await writeBundle(file, lake, audit, settings, () => Promise.resolve("<!doctype html>"));
    } finally {
      await service.close();
    }
    rmSync(lake, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.runIf(isWhole)("verifies without the lake and gives the same audit, byte by byte", async () => {
    const { problems, files, report } = await verifyBundle(file);
    expect(problems).toEqual([]);
    expect(files).toBeGreaterThan(20);
    expect(report && auditText(report)).toBe(auditText(audit.report));
    expect(report?.findings.map((f) => f.explanation?.name)).toContain("k=16");
  });

  test("names the entry of any changed byte", async () => {
    const bytes = readFileSync(file);
    const changedFile = join(folder, "changed.zip");
    const within = (text: string): number => bytes.indexOf(text);
    // an entry's content, SQL, Parquet, a name, the central directory, an entry's date
    const places = [
      within('"verdict"') + 4,
      within("-- grain") + 20,
      within("PAR1") + 200,
      within("bundle.json") + 3,
      bytes.length - 10,
      within("PK\u0003\u0004") + 11,
    ];
    for (let i = 0; i < 4; i++) places.push(Math.floor(((i + 0.5) / 4) * bytes.length));
    for (const place of everyNth(places, 6)) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] as number) ^ 1;
      writeFileSync(changedFile, changed);
      const problems = await verifyBundle(changedFile).then(
        (v) => v.problems,
        (error: unknown) => [String(error)],
      );
      expect(problems, `byte ${place}`).not.toEqual([]);
    }
  });

  test("rejects a rewritten bundle with matching digests but another audit", async () => {
    const unpacked = join(folder, "unpacked");
    const names = await unpackZip(file, unpacked);
    const index = join(unpacked, "bundle.json");
    writeFileSync(index, readFileSync(index, "utf8").replace('"k": 32', '"k": 31'));
    const forged = join(folder, "forged.zip");
    await writeZip(
      forged,
      names.map((path) => ({ path, content: { file: join(unpacked, path) } })),
    );
    const { problems } = await verifyBundle(forged);
    expect(problems).toEqual(["rerunning the audit gives other results than the bundle's audit.json"]);
  });

  test("rejects a file that is not a bundle with one line", async () => {
    const other = join(folder, "other.zip");
    writeFileSync(other, "not a zip");
    await expect(verifyBundle(other)).rejects.toThrow(/not a complete ZIP file/);
    await writeZip(other, [{ path: "a.txt", content: "a" }]);
    expect((await verifyBundle(other)).problems).toEqual(["bundle.json is missing: not a complete evidence bundle"]);
  });
});
