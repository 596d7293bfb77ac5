import { describe, expect, test } from "vitest";
import { findRepair } from "../../src/audit/repair/find-repair.js";
import { ownScenario } from "../../src/audit/evaluate/scenario.js";
import type { Kind } from "../../src/metrics/kinds.js";
import { defaultConventions } from "../../src/metrics/conventions.js";
import type { Corruption } from "../../src/emulator/index.js";
import { fixtureOf, publishedTarget } from "../support/audit/mutation.js";
import { everyNth } from "../support/whole.js";

const kinds: Kind[] = ["percent_chosen", "elo", "bayesian_elo"];

/** Changes to the published numbers, and the repair that the audit must find for every kind. */
const planted: [Corruption, string, string[] | null][] = [
  [{ damage: "drop_session", index: 7 }, "dropped session", ["s2x0007"]],
  [{ damage: "double_session", index: 11 }, "doubled session", ["s2x0011"]],
  [{ damage: "flip_session", index: 3 }, "flipped session", ["s2x0003"]],
  [{ damage: "double_slate", index: 200 }, "doubled slate", ["2599"]],
  [{ damage: "flip_slate", index: 55 }, "flipped slate", null],
  [{ damage: "tie_slate", index: 60 }, "tied slate", null],
  [{ damage: "stale", sessions: 1 }, "stale session", ["s2x0033"]],
  [{ damage: "stale", sessions: 9 }, "stale session", null],
  [{ damage: "swap_items", a: "codec-c", b: "codec-d" }, "exchanged item", ["codec-c", "codec-d"]],
  [{ damage: "add", item: "codec-c", field: "value", by: 1 }, "items item", ["codec-c"]],
  [{ damage: "drop_item", item: "codec-h" }, "missing item", ["codec-h"]],
  [{ damage: "copy_item", from: "codec-a", to: "codec-b" }, "copied item", ["codec-a", "codec-b"]],
  [
    { damage: "merge_items", from: "codec-a", to: "codec-b" },
    "merged item",
    ["codec-a", "codec-b"],
  ],
  [
    { damage: "rename_item", from: "codec-a", to: "codec-z" },
    "renamed item",
    ["codec-a", "codec-z"],
  ],
];

describe("findRepair", async () => {
  const fixture = await fixtureOf("codec-preference");
  const own = ownScenario(defaultConventions, "", "");

  test.each(planted.map((one, i) => [...one, i] as const))("%j", (corruption, found, ids, i) => {
    for (const kind of everyNth(kinds, 5, i)) {
      const target = publishedTarget(fixture, kind, "", [{ corruption, options: "none" }]);
      const difference = findRepair(target, fixture.evaluator, own);
      const name = difference && `${difference.change} ${difference.unit}`;
      if (kind === "percent_chosen" && name === "items item") continue; // too many slates would do as well
      expect(name, kind).toBe(found);
      if (ids !== null) expect(difference?.ids, kind).toEqual(ids);
      else expect(difference?.ids.length).toBeGreaterThan(0);
    }
  });

  test("blames no single unit for two omitted sessions", () => {
    const rules = [7, 30].map((index) => ({
      corruption: { damage: "drop_session" as const, index },
      options: "none" as const,
    }));
    const difference = findRepair(
      publishedTarget(fixture, "percent_chosen", "", rules),
      fixture.evaluator,
      own,
    );
    expect(difference?.unit ?? "item").toBe("item");
  });

  test("finds nothing, rather than guessing, when the work limit is too low", () => {
    const target = publishedTarget(fixture, "elo", "", [
      { corruption: { damage: "drop_session", index: 7 }, options: "none" },
    ]);
    expect(findRepair(target, fixture.evaluator, own, null, 0)).toBeNull();
  });
});
