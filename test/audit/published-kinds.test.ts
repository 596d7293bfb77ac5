import { expect, test } from "vitest";
import { auditJson, auditLake, auditSnapshot, kinds } from "../../src/audit/index.js";
import { defaultConventions } from "../../src/metrics/index.js";
import {
  golden,
  audit,
  publish,
  scoresOf,
  type Expected,
} from "../support/audit/published-case.js";
import { goldenLake, goldenProject } from "../support/kept.js";

test("an audit computes the kinds that are published, and says what one that computes all says", async () => {
  const lake = await goldenLake("tiny-pairwise");
  const told = async (models: "all" | "audited") => {
    const { report, warehouse, recomputed } = await auditLake(lake, goldenProject, { models });
    warehouse.close();
    const names = recomputed.models.map(({ name }) => name);
    return { json: [...auditJson(report)].join(""), names, report };
  };
  const { json, names, report } = await told("audited");
  expect(new Set(report.rows.map(({ kind }) => `metric_${kind}`))).toEqual(
    new Set(names.filter((name) => name.startsWith("metric_"))),
  );
  expect(names).toContain("metric_elo");
  expect(names).not.toContain("metric_bradley_terry");
  expect(new Set(names).size).toBe(names.length);
  expect((await told("all")).json).toBe(json);
});

/** The kinds whose models an audit of one result asks for. */
async function askedFor(kind: string): Promise<readonly string[]> {
  const [expected] = Object.values(golden("tiny-pairwise").expected);
  const scores = scoresOf(expected?.elo as Expected);
  const warehouse = await publish("tiny-pairwise", [{ kind, scores }]);
  try {
    await audit(warehouse);
    const asked: string[] = [];
    const snapshot = { id: "s", created_at: "", unsettled: new Map<string, string>() };
    await auditSnapshot(warehouse, snapshot, defaultConventions, {}, (own) => {
      asked.push(...own);
      return Promise.resolve();
    });
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
