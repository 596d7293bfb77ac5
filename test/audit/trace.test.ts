import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tellStory, type AuditReport } from "../../src/audit/index.js";
import { UsageError } from "../../src/platform/errors.js";
import { defaultConventions } from "../../src/metrics/conventions.js";
import { renderStory } from "../../src/report/index.js";
import { recompute, type Warehouse } from "../../src/warehouse/index.js";
import { audit, golden, publish, scoresOf, type Expected } from "../support/audit/published-case.js";

describe("the story of a number", () => {
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
    await recompute(warehouse, defaultConventions);
  });
  afterAll(() => {
    warehouse.close();
  });

  test("says what counts, what was skipped, what was tried and why", async () => {
    const story = await tellStory(warehouse, report, defaultConventions, {
      experiment: "Codec preference",
      kind: "percent_chosen",
      item: "codec-a",
    });
    const [part] = story.parts;
    expect(part?.counted).toMatchObject({ ratings: 1680, sessions: 60, counted_sessions: 54, unscored: 0 });
    expect(part?.comparisons).toBe((part?.counted.counted ?? 0) / 2);
    expect(part?.rows.map((r) => [r.item, r.field, r.verdict])).toEqual([["codec-a", "value", "explained"]]);
    const text = renderStory(story);
    expect(text).toContain(
      "all 8 numbers are reproduced when training ratings are counted too, although the published options state training=false",
    );
    expect(text).toContain("The published options state: training=false.");
  });

  test("an online Elo comes with what other orders of sessions would have given", async () => {
    const story = await tellStory(warehouse, report, defaultConventions, { experiment: "exp2", kind: "elo" });
    const ranges = story.parts[0]?.order ?? [];
    expect(ranges).toHaveLength(8);
    for (const { low, high } of ranges) expect(high).toBeGreaterThan(low);
    expect(renderStory(story)).toMatch(/k is 16 and start is 1000 .*k between 16\.0000 and 16\.0000/);
  });

  test.each([
    [{ experiment: "nobody", kind: "elo" }, /Published: exp2 \(Codec preference\)/],
    [{ experiment: "exp2", kind: "elow" }, /Known: win_loss/],
    [{ experiment: "exp2", kind: "win_loss" }, /It publishes: percent_chosen, elo/],
    [{ experiment: "exp2", kind: "elo", item: "codec-x" }, /Items: codec-a/],
  ])("what is not there is one clear line: %j", async (asked, message) => {
    const told = tellStory(warehouse, report, defaultConventions, asked);
    await expect(told).rejects.toThrow(message);
    await expect(told).rejects.toBeInstanceOf(UsageError);
  });
});
