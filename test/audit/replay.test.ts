import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { influenceOf, eventsOfUnit, unitsOf } from "../../src/audit/repair/influence/index.js";
import { createEvaluator } from "../../src/audit/evaluate/evaluator.js";
import { altered, type Alteration } from "../../src/audit/ratings/altered.js";
import { selectRatings } from "../../src/audit/ratings/select.js";
import { patched } from "../../src/audit/evaluate/scenario.js";
import { syntheticRatings, own, publishedAs } from "../support/audit/synthetic-ratings.js";

/** Elo: a replay stops when every item is within 1e-10 of the unchanged replay; the rest is the order of additions. */
const tolerance = 1e-8;

describe("replaying an online Elo from a change on", () => {
  const ratings = syntheticRatings({ sessions: 300, items: 5, raters: 20, seed: 4 });
  const counted = selectRatings(ratings, own.population);
  const evaluator = createEvaluator(ratings);

  test.each([{}, { update: "session_batch" as const }, { ties: "skip" as const }, { k: 200 }])(
    "%j: equals a full evaluation",
    (elo) => {
      const scenario = patched(own, { conventions: { elo } });
      const table = evaluator.table("elo", scenario);
      const target = publishedAs("elo", table, undefined, ["value"]);
      const influence = influenceOf({ target, evaluator, scenario }, scenario.population);
      if (influence?.replayed == null) throw new Error("no replay");
      const { residual } = influence.replayed;
      const alterations = fc.constantFrom<Alteration>("dropped", "doubled", "flipped", "tied");
      fc.assert(
        fc.property(
          fc.constantFrom("session" as const, "rater" as const, "slate" as const),
          alterations,
          fc.nat(),
          (name, alteration, n) => {
            const units = unitsOf(influence.events, name, true);
            const u = n % units.numbers.length;
            const left = residual({ events: eventsOfUnit(units, u), alteration });
            const changed = altered(
              ratings,
              (i) => ratings[name][i] === units.numbers[u] && counted[i] === 1,
              alteration,
            );
            const whole = createEvaluator(changed).table("elo", scenario);
            whole.items.forEach((_, i) => {
              const expected = (table.columns.value?.[i] ?? NaN) - (whole.columns.value?.[i] ?? NaN);
              expect(Math.abs((left[i] as number) - expected)).toBeLessThan(tolerance);
            });
          },
        ),
        { numRuns: 60, seed: 9 },
      );
    },
  );

  test("the effect of the last comparison is exact, that of the last session close, and that of the first forgotten", () => {
    const target = publishedAs("elo", evaluator.table("elo", own), undefined, ["value"]);
    const influence = influenceOf({ target, evaluator, scenario: own }, own.population);
    if (influence?.replayed == null) throw new Error("no replay");
    const { residual } = influence.replayed;
    const { contribution } = influence.linear();
    const effect = (events: Int32Array): number[] => {
      const sum = new Array<number>(5).fill(0);
      for (const event of events)
        contribution(
          event,
          influence.events.outcome[event] as number,
          -1,
          (e, amount) => (sum[e] = (sum[e] ?? 0) + amount),
        );
      return sum;
    };
    const exact = (events: Int32Array): number[] => [...residual({ events, alteration: "dropped" })].map((r) => -r);
    const comparison = Int32Array.of(influence.events.count - 1);
    effect(comparison).forEach((amount, e) => expect(amount).toBeCloseTo(exact(comparison)[e] as number, 8));
    const sessions = unitsOf(influence.events, "session", true);
    const last = eventsOfUnit(sessions, sessions.numbers.length - 1);
    const most = Math.max(...exact(last).map(Math.abs));
    expect(most).toBeGreaterThan(10);
    effect(last).forEach((amount, e) => expect(Math.abs(amount - (exact(last)[e] as number))).toBeLessThan(most / 4));
    expect(Math.max(...effect(eventsOfUnit(sessions, 0)).map(Math.abs))).toBeLessThan(1e-6);
  });
});
