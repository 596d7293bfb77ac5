import { expect, test } from "vitest";
import { auditSnapshot, type InBatches } from "../../src/audit/audit.js";
import { publishedModels } from "../../src/audit/lake.js";
import { auditJson, auditLake, kinds } from "../../src/audit/index.js";
import { defaultConventions } from "../../src/metrics/index.js";
import {
  golden,
  publish,
  scoresOf,
  snapshot,
  type Expected,
} from "../support/audit/published-case.js";
import { modelsOnDemand, textOf } from "../../src/warehouse/index.js";
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

class Asked extends Error {}

async function askedFor(kind: string): Promise<readonly string[]> {
  const [expected] = Object.values(golden("tiny-pairwise").expected);
  const scores = scoresOf(expected?.elo as Expected);
  const warehouse = await publish("tiny-pairwise", [{ kind, scores }]);
  const asked: string[] = [];
  const asking: InBatches = (own) => {
    asked.push(...own);
    return Promise.reject(new Asked());
  };
  try {
    await (
      await modelsOnDemand(warehouse, defaultConventions)
    )(publishedModels);
    const auditing = auditSnapshot(warehouse, snapshot, defaultConventions, {}, asking);
    await expect(auditing).rejects.toThrow(Asked);
    return asked;
  } finally {
    warehouse.close();
  }
}

test("a result that names no kind asks for every kind, a result of an unknown kind for none", async () => {
  expect(await askedFor("elo")).toEqual(["elo"]);
  expect(await askedFor("surprise")).toEqual([]);
  expect(await askedFor("")).toEqual(kinds);
});
