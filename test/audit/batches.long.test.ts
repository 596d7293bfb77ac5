import { expect, test } from "vitest";
import { auditJson, auditLake } from "../../src/audit/index.js";
import { conventionsWith } from "../../src/metrics/index.js";
import { goldenLake, goldenProject } from "../support/kept.js";

test("an audit of some experiments at a time has the bytes of one of all, with all that it explains", async () => {
  const cases = ["tiny-pairwise", "codec-preference", "two-dimensions", "approval", "mushra"];
  const lake = await goldenLake(...cases);
  const conventions = conventionsWith({ elo: { k: 20 } });
  const audited = async (together: number) => {
    const options = { models: "audited", conventions, together } as const;
    const { report, warehouse } = await auditLake(lake, goldenProject, options);
    const tables = await warehouse.all("select table_name as name from duckdb_tables()");
    warehouse.close();
    expect(tables.some(({ name }) => name === "metric_elo")).toBe(together > 1);
    expect(new Set(report.findings.map((one) => one.experiment_id)).size).toBeGreaterThan(2);
    return [...auditJson(report)].join("");
  };
  expect(await audited(1)).toBe(await audited(1e9));
});
