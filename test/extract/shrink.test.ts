import { describe, expect, it } from "vitest";
import { shrunkenLists } from "../../src/extract/manifest.js";
import { defaultShrink } from "../../src/extract/options.js";
import type { Manifest, Unit } from "../../src/lake/index.js";

const unit = (
  operation: Unit["operation"],
  elements: number,
  experiment: string | null = "X1",
): Unit => ({
  operation,
  experiment_id: experiment,
  elements,
  state: "complete",
  parameters: {},
  status: 200,
  attempts: 1,
  started_at: "2026-01-01T00:00:00.000Z",
  elapsed_ms: 1,
  etag: null,
  body: null,
  parts: [],
});

const before = (...units: Unit[]) => ({ snapshot: "old", units }) as unknown as Manifest;

describe("a list that shrinks", () => {
  it.each([
    [100, 100, false],
    [100, 101, false],
    [100, 50, false],
    [100, 49, true],
    [100, 0, true],
    [1, 0, true],
    [0, 0, false],
  ])("from %i to %i elements stops the export: %s", (had, has, stops) => {
    expect(
      shrunkenLists(before(unit("listRatings", had)), [unit("listRatings", has)], defaultShrink)
        .length,
    ).toBe(stops ? 1 : 0);
  });

  it("is allowed without a previous snapshot, in another experiment, or when its records come and go", () => {
    expect(shrunkenLists(null, [unit("listRatings", 0)], defaultShrink)).toEqual([]);
    expect(
      shrunkenLists(before(unit("listRatings", 9, "X2")), [unit("listRatings", 0)], defaultShrink),
    ).toEqual([]);
    expect(
      shrunkenLists(
        before(unit("listWebhooks", 2, null)),
        [unit("listWebhooks", 0, null)],
        defaultShrink,
      ),
    ).toEqual([]);
  });
});
