import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditReport } from "../../src/audit/index.js";
import { outputs, writeOutputs } from "../../src/pipeline/outputs.js";
import { recordOutputs } from "../../src/pipeline/record.js";
import { pipelineSchema } from "../../src/pipeline/schema.js";
import { redactor } from "../../src/client/index.js";
import { reportOf, row } from "../support/audit-report.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recount-outputs-"));
});
afterAll(() => rm(folder, { recursive: true }));

const report = {
  snapshot: "s1",
  summary: { exact: 2 },
  correctness: { compared: 3, equal: 3, different: [] },
};
const results = {
  audited: { report, recomputed: { checks: [] } },
  settings: {},
  redact: (text: string) => text,
} as unknown as Parameters<typeof writeOutputs>[1];

describe("outputs", () => {
  it("are the keys of `outputs` in a pipeline file, with the same descriptions", () => {
    const { properties } = pipelineSchema.properties.outputs;
    const all = { ...outputs, ...recordOutputs };
    expect(Object.keys(properties)).toEqual(Object.keys(all));
    for (const [name, { description }] of Object.entries(all))
      expect(JSON.stringify(properties[name as keyof typeof properties])).toContain(description);
  });

  it("hide a secret in what the service says, even if it is a word of their own", async () => {
    const [audit, markdown, junit] = ["a.json", "a.md", "a.xml"].map((name) =>
      join(folder, name),
    ) as [string, ...string[]];
    const redact = redactor(["rows", "exact", "unexplained", "mean"]);
    const audited = {
      report: reportOf([row("all rows", "unexplained"), row("b", "exact", { kind: "mean" })]),
    };
    await writeOutputs({ audit, markdown, junit }, {
      ...results,
      audited,
      redact,
    } as unknown as typeof results);
    const { rows } = JSON.parse(await readFile(audit, "utf8")) as AuditReport;
    expect(rows).toMatchObject([
      { item: "all [redacted]", verdict: "unexplained" },
      { item: "b", verdict: "exact" },
    ]);
  });
});
