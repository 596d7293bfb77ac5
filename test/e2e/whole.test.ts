import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { recountHere } from "../support/in-process.js";
import { goldenDir } from "../support/golden-case.js";

it("an export or a run of a snapshot that is not whole exits with 2 and says why", async () => {
  const dir = mkdtempSync(join(tmpdir(), "recount-whole-"));
  const service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
  try {
    cpSync(join(import.meta.dirname, "../../pipelines"), join(dir, "pipelines"), { recursive: true });
    service.faults.set([{ operation: "listSessions", fault: { kind: "wrong_type", row: 0, field: "job_id" } }]);
    const env = { RECOUNT_API_KEY: service.apiKey };
    const connection = ["--base-url", service.url, "--project", service.projectId];
    const run = await recountHere(["run", join(dir, "pipelines/nightly.yaml"), ...connection], env);
    const exported = await recountHere(["export", "-q", "--lake", join(dir, "other"), ...connection], env);
    const line = "The snapshot is not whole: 1 row in quarantine.\n";
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(`warn: ${line}`) as string });
    expect(run.stdout).toContain(`\n${line}`);
    expect(exported).toMatchObject({ code: 2, stdout: "", stderr: `recount: ${line}` });
    const summary = JSON.parse(readFileSync(join(dir, "reports/summary.json"), "utf8")) as unknown;
    expect(summary).toMatchObject({ exit_code: 2, export: { is_whole: false, shortfalls: [{ kind: "quarantined" }] } });
    const list = await recountHere(["snapshots", "list", "--lake", join(dir, "other")]);
    expect(list.stdout).toMatch(/shortfalls[^]* 1 +1 +\d+ +[\d.]+ kB/);
  } finally {
    await service.close();
    rmSync(dir, { recursive: true });
  }
});
