import { expect, test } from "vitest";
import { auditJson, auditLake } from "../../src/audit/index.js";
import { textOf } from "../../src/warehouse/index.js";
import { goldenLake, goldenProject } from "../support/kept.js";

test("an audit computes the kinds that are published, and says what one that computes all says", async () => {
  const lake = await goldenLake("tiny-pairwise");
  const told = async (models: "all" | "audited") => {
    const { report, warehouse } = await auditLake(lake, goldenProject, { models });
    const made = await warehouse.all("select table_name as name from information_schema.tables");
    warehouse.close();
    const names = made.map((row) => textOf(row, "name"));
    return { json: [...auditJson(report)].join(""), names, report };
  };
  const { json, names, report } = await told("audited");
  expect(new Set(report.rows.map(({ kind }) => `metric_${kind}`))).toEqual(
    new Set(names.filter((name) => name.startsWith("metric_"))),
  );
  expect(names).toContain("metric_elo");
  expect(names).not.toContain("metric_bradley_terry");
  expect((await told("all")).json).toBe(json);
});
