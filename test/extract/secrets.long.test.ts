import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/index.js";
import { secretForms } from "../../src/client/secrets.js";
import { exportSnapshot, type ExportReport } from "../../src/extract/index.js";
import { readSnapshot, verifyProject } from "../../src/lake/index.js";
import { createLog } from "../../src/platform/index.js";
import { recount } from "../support/command-line.js";
import { goldenPaths } from "../support/golden-case.js";
import { snapshotText } from "../support/snapshot-text.js";
import { testProject } from "../support/project.js";

describe("a service that repeats the key in its data", async () => {
  const { service, path } = await testProject({ load: goldenPaths("tiny-pairwise"), etag: true });
  const lake = path("lake");
  const key = service.apiKey;
  let exported: { report: ExportReport; said: string };

  const leaks = (text: string) => {
    const own = text.toLowerCase();
    return secretForms(key).filter((form) => own.includes(form.toLowerCase()));
  };

  async function exportOnce(maskSecrets: boolean) {
    const said: string[] = [];
    const log = createLog((event) => said.push(JSON.stringify(event)), "debug");
    const client = createClient(
      { baseUrl: service.url, credentials: { scheme: "api-key", key } },
      { log },
    );
    const report = await exportSnapshot(
      { client, projectId: service.projectId, lake, maskSecrets },
      { log },
    );
    await client.close();
    return { report, said: said.join("\n") };
  }

  beforeAll(async () => {
    const put = (field: string, value: unknown) =>
      ({ kind: "raw_value", row: 1, field, text: JSON.stringify(value) }) as const;
    service.faults.set([
      {
        operation: "listExperiments",
        fault: { ...put("name", `Study ${key.toUpperCase()}`), row: 0 },
      },
      {
        operation: "listRatings",
        fault: put("meta", { note: Buffer.from(`x${key}`).toString("base64") }),
      },
      { operation: "listSessions", fault: put(`x-${encodeURIComponent(key)}`, 1) },
      {
        operation: "listRaters",
        fault: { ...put("id", [Buffer.from(key).toString("hex")]), row: 0 },
      },
    ]);
    exported = await exportOnce(false);
  });

  it("it is counted, and warned of", () => {
    expect(exported.report.secrets).toBe(4);
    expect(exported.said).toContain(
      "The service repeats the credentials of this export 4 times, in listExperiments, listRaters, listRatings, listSessions. They are in the snapshot.",
    );
  });

  const ways = {
    export: () => Promise.resolve({ ...exported, own: lake }),
    import: async () => {
      writeFileSync(path(`${key}.csv`), `item,score,who\nA,1,${key}\nB,${key},ann\n`);
      const mapping = `{ study: { id: own, name: "Study ${key.toUpperCase()}" }, files: { a: ${key}.csv },
        ratings: { from: a, item: item, score: score, rater: who },
        published: [{ kind: mean, from: a, item: item, value: score }] }`;
      writeFileSync(path("mapping.yaml"), mapping);
      const own = path("imported");
      const words = ["import", path("mapping.yaml"), "--lake", own, "-v"];
      const { stdout, stderr } = await recount(words, { RECOUNT_API_KEY: key });
      const { manifest } = await readSnapshot(own, "own");
      const dir = join(own, "own", "snapshots", manifest.snapshot);
      return { report: { manifest, dir } as ExportReport, said: stdout + stderr, own };
    },
  };

  it.each(Object.entries(ways))(
    "it is in no manifest, log line or report about the data of an %s",
    async (_, made) => {
      const { report, said, own } = await made();
      expect(report.manifest.experiments[0]?.name).toBe("Study [redacted]");
      expect(leaks(said)).toEqual([]);
      expect(leaks(readFileSync(join(report.dir, "manifest.json"), "utf8"))).toEqual([]);
      expect(leaks(JSON.stringify(report))).toEqual([]);
      const json = join(own, "audit.json");
      const audit = await recount(["audit", "--lake", own, "--json", json], {
        RECOUNT_API_KEY: key,
      });
      expect(audit.stdout).toContain("Study [redacted]");
      expect(leaks(audit.stdout + audit.stderr + readFileSync(json, "utf8"))).toEqual([]);
      expect(leaks(await snapshotText(own, report)).length).toBeGreaterThan(0);
    },
  );

  it("it is masked in the data too if that is asked for, and nothing unmasked is taken over", async () => {
    const { report, said } = await exportOnce(true);
    expect(report.secrets).toBe(4);
    expect(said).toContain("They are masked in the snapshot.");
    expect(leaks(await snapshotText(lake, report))).toEqual([]);
    const { units } = report.manifest;
    const statusOf = (operation: string) =>
      units.find((unit) => unit.operation === operation)?.status;
    expect([statusOf("listRatings"), statusOf("listSlates")]).toEqual([200, 304]);
    expect(units.find(({ operation }) => operation === "listRatings")?.secrets).toEqual({
      found: 1,
      is_masked: true,
    });
    const again = await exportOnce(true);
    expect(again.report.secrets).toBe(4);
    expect(
      again.report.manifest.units.find(({ operation }) => operation === "listRatings")?.status,
    ).toBe(304);
    expect((await verifyProject(lake, service.projectId)).problems).toEqual([]);
  });
});
