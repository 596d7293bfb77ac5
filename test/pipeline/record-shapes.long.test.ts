import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { AuditReport } from "../../src/audit/index.js";
import { ask, parsed } from "../support/http-client.js";
import { testProject } from "../support/project.js";

const { service, path, recount } = await testProject();
const [lake, json, bundle, pipeline] = ["lake", "audit.json", "evidence.zip", "shapes.yaml"].map(
  path,
) as [string, string, string, string];

it("a list in an unknown shape is audited as the pipeline declares, also in a bundle without the lake", async () => {
  const [percent] = parsed<{ scores: unknown[] }[]>(
    await ask(service, "experiments/exp1/results/?metric=percent_chosen"),
  );
  const odd = { what: "percent_chosen", of: { jobs: ["job1b", "job1a"] }, table: percent?.scores };
  service.faults.set([
    { operation: "listMetrics", fault: { kind: "body", text: JSON.stringify([odd]) } },
  ]);
  expect(await recount(["export", "--lake", lake])).toMatchObject({ code: 0 });
  expect(await recount(["audit", "--lake", lake, "-v"])).toMatchObject({
    code: 2,
    stdout: expect.stringContaining("the record names no experiment") as string,
  });

  writeFileSync(
    pipeline,
    'record_shapes:\n  metrics: { kind: "$.what", source: "$.of.jobs[*]", scores: "$.table" }\n',
  );
  const args = [
    "audit",
    "--lake",
    lake,
    "--pipeline",
    pipeline,
    "--json",
    json,
    "--bundle",
    bundle,
  ];
  expect(await recount(args)).toMatchObject({ code: 0 });
  const { rows } = JSON.parse(readFileSync(json, "utf8")) as AuditReport;
  const stated = rows.filter(({ published_in }) => published_in === "metrics");
  expect(stated.map(({ source, verdict }) => `${source} ${verdict}`)).toEqual(
    stated.map(() => "job1a,job1b exact"),
  );
  expect(stated.length).toBeGreaterThan(2);
  rmSync(lake, { recursive: true });
  expect(await recount(["verify", bundle])).toMatchObject({ code: 0 });
});
