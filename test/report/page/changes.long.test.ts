import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { diffSnapshots } from "../../../src/changes/index.js";
import { startEmulator, type RunningEmulator } from "../../../src/emulator/index.js";
import { exportTo, temporaryLake } from "../../support/export-to-lake.js";
import { goldenDir } from "../../support/golden-case.js";
import { pageOf } from "../../support/report-fixture.js";

const lake = temporaryLake();
let service: RunningEmulator;
beforeAll(async () => {
  service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
  await exportTo(lake, service);
  service.faults.set([{ operation: "listRatings", fault: { kind: "short_list", rows: 28 } }]);
  await exportTo(lake, service, { shrink: { max: 1, allow: true } });
});
afterAll(async () => {
  await service.close();
  rmSync(lake, { recursive: true });
});

it("a report names the rows by key and the numbers and ranks that moved since the previous snapshot", async () => {
  const page = await pageOf({
    lake,
    project: service.projectId,
    folder: lake,
    remove: () => undefined,
  });
  const text = (page.split("Since the previous snapshot")[1]?.split("<h2")[0] ?? "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
  const { numbers } = await diffSnapshots(lake, service.projectId);
  expect(text).toContain(` ${numbers.length} recomputed numbers moved.`);
  expect(text).toMatch(/Rows that differ, by key Table Added Removed Changed ratings 0 4 0/);
  expect(text).toMatch(
    /Recomputed numbers that moved Experiment Metric Dimension Ratings Item Before Now Rank Tiny pairwise/,
  );
});

it("a report of a project without published numbers says so, and shows its data", async () => {
  const own = temporaryLake();
  const empty = { kind: "body", text: "[]" } as const;
  service.faults.set(
    (["listResults", "listMetrics"] as const).map((operation) => ({ operation, fault: empty })),
  );
  await exportTo(own, service);
  const page = await pageOf({
    lake: own,
    project: service.projectId,
    folder: own,
    remove: () => undefined,
  });
  rmSync(own, { recursive: true });
  expect(page).toContain("The snapshot contains no published numbers.");
  expect(page).not.toContain('class="verdict');
  expect(page.replaceAll(/<[^>]*>/g, "")).toMatch(/ is first of\s+\d+ by Bradley-Terry\./);
  expect(page).toContain("Ranking by Bradley-Terry");
});
