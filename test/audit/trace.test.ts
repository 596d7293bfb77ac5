import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { traceNumbers, type AuditReport } from "../../src/audit/index.js";
import { UsageError } from "../../src/platform/errors.js";
import { defaultConventions } from "../../src/metrics/conventions.js";
import { renderTrace } from "../../src/report/index.js";
import { recomputeModels, type Warehouse } from "../../src/warehouse/index.js";
import {
  audit,
  golden,
  publish,
  scoresOf,
  type Expected,
} from "../support/audit/published-case.js";

describe("the trace of a number", () => {
  let warehouse: Warehouse;
  let report: AuditReport;

  beforeAll(async () => {
    const { variants } = golden("codec-preference").expected[""] ?? { variants: {} };
    warehouse = await publish("codec-preference", [
      {
        kind: "percent_chosen",
        scores: scoresOf(variants["percent_chosen training=include"] as Expected),
        options: { training: false },
      },
      { kind: "elo", scores: scoresOf(variants["elo k=16 initial=1000"] as Expected) },
    ]);
    report = await audit(warehouse);
    await recomputeModels(warehouse, defaultConventions);
  });
  afterAll(() => {
    warehouse.close();
  });

  test("shows which ratings count and why the numbers match", async () => {
    const trace = await traceNumbers(warehouse, report, defaultConventions, {
      experiment: "Codec preference",
      kind: "percent_chosen",
      item: "codec-a",
    });
    const [part] = trace.parts;
    expect(part?.ratings).toMatchObject({
      all: 1680,
      sessions: 60,
      counted_sessions: 54,
      unscored: 0,
    });
    expect(part?.comparisons).toBe((part?.ratings.counted ?? 0) / 2);
    expect(part?.rows.map((r) => [r.item, r.field, r.verdict])).toEqual([
      ["codec-a", "value", "unstated"],
    ]);
    const text = renderTrace(trace);
    expect(text).toContain(
      "all 8 numbers match when training ratings are counted too, although the published options state training=false",
    );
    expect(text).toContain("The published options state: training=false.");
    const { part: wins, whole: n, explained } = part!.quotients[0]!;
    expect(wins / n).toBeCloseTo((part!.rows[0]!.recomputed ?? 0) / 100, 12);
    expect((100 * explained!.part) / explained!.whole).toBeCloseTo(
      part!.rows[0]!.published ?? 0,
      1,
    );
    expect(text).toContain(`codec-a: ${wins} of ${n} = `);
    expect(text).toContain(
      `; when training ratings are counted too, ${Math.round(explained!.part)} of ${explained!.whole} = `,
    );
  });

  test("shows the range of an online Elo over orders of the sessions", async () => {
    const trace = await traceNumbers(warehouse, report, defaultConventions, {
      experiment: "exp2",
      kind: "elo",
    });
    const ranges = trace.parts[0]?.order ?? [];
    expect(ranges).toHaveLength(8);
    for (const { low, high } of ranges) expect(high).toBeGreaterThan(low);
    expect(renderTrace(trace)).toContain("K is 16 (k=16)");
  });

  test("says whether errors and intervals are clustered", async () => {
    const scored = await publish("acr", [
      { kind: "stats", dimension: "quality", scores: [{ name: "sys0", sem: 0.1 }] },
    ]);
    const own = await audit(scored, {}, { limits: { work: 0 } });
    const trace = await traceNumbers(scored, own, defaultConventions, {
      experiment: "ACR",
      kind: "stats",
    });
    scored.close();
    expect(renderTrace(trace)).toContain(
      "Errors: sem, ci_low and ci_high suppose that ratings are independent of each other; metric_stats_clustered has",
    );
  });

  test.each([
    [{ experiment: "nobody", kind: "elo" }, /Published: exp2 \(Codec preference\)/],
    [{ experiment: "exp2", kind: "elow" }, /Known: win_loss/],
    [{ experiment: "exp2", kind: "win_loss" }, /It publishes: percent_chosen, elo/],
    [{ experiment: "exp2", kind: "elo", item: "codec-x" }, /Items: codec-a/],
  ])("lists what is published when the request matches nothing: %j", async (asked, message) => {
    const trace = traceNumbers(warehouse, report, defaultConventions, asked);
    await expect(trace).rejects.toThrow(message);
    await expect(trace).rejects.toBeInstanceOf(UsageError);
  });
});
