import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../src/audit/evaluate/evaluator.js";
import { patched } from "../../src/audit/evaluate/scenario.js";
import { selectRatings } from "../../src/audit/ratings/population.js";
import { changeOf, createRecomputation, eventsIn, unitsOf } from "../../src/audit/repair/events.js";
import type { Alteration } from "../../src/audit/repair/repair.js";
import { metricKind, type ConventionsInput, type Kind } from "../../src/metrics/index.js";
import { own, publishedAs, syntheticRatings } from "../support/audit/synthetic-ratings.js";
import { altered } from "../support/audit/altered.js";

/** The same sums in another order, and iterations that start elsewhere. */
const tolerance = 1e-8;

const cases: readonly [Kind, ConventionsInput][] = [
  ["win_loss", {}],
  ["percent_chosen", { ties: { percent_chosen: "half" } }],
  ["elo", {}],
  ["elo", { elo: { update: "session_batch" } }],
  ["elo", { elo: { ties: "skip", k: 200 } }],
  ["bayesian_elo", {}],
  ["bayesian_elo", { bayesian_elo: { ties: "davidson" } }],
  ["bayesian_elo", { bayesian_elo: { stop_elo: 1, start: "warm" } }],
  ["bayesian_elo", { bayesian_elo: { rater_quality: { alpha: 10, beta: 2 } } }],
  ["percent_approved", { approved: "midpoint" }],
  ["mean", { mean: "median" }],
  ["mean", { mean: "rater_z" }],
  ["stats", {}],
];

describe("the numbers after a change of some sessions, raters or slates", () => {
  const ratings = syntheticRatings({ sessions: 60, items: 5, raters: 20, seed: 4 });
  const counted = selectRatings(ratings, own.population);
  const evaluator = createEvaluator(ratings);

  test.each(cases)("%s %j: are those of all changed ratings", (kind, conventions) => {
    const scenario = patched(own, { conventions });
    const target = publishedAs(kind, evaluator.table(kind, scenario));
    const mismatch = { target, evaluator, scenario };
    const events = eventsIn(mismatch, scenario.population);
    if (events === null) throw new Error("no events");
    const recompute = createRecomputation(mismatch, events);
    const isPairwise = metricKind(kind).family === "pairwise";
    fc.assert(
      fc.property(
        fc.constantFrom("session" as const, "rater" as const, "slate" as const),
        fc.constantFrom<Alteration>(
          "dropped",
          "doubled",
          ...(isPairwise ? (["flipped", "tied"] as const) : []),
        ),
        fc.nat(),
        (name, alteration, n) => {
          const units = unitsOf(events, name, alteration);
          const u = n % units.numbers.length;
          const { table } = recompute(changeOf(units, [u], alteration));
          const isChanged = (i: number): boolean =>
            ratings[name][i] === units.numbers[u] && counted[i] === 1;
          const whole = createEvaluator(altered(ratings, isChanged, alteration)).table(
            kind,
            scenario,
          );
          expect(table.items).toEqual(whole.items);
          for (const [field, column] of Object.entries(table.columns))
            column.forEach((value, i) => {
              const expected = whole.columns[field]![i]!;
              if (Number.isNaN(expected)) expect(value, field).toBeNaN();
              else
                expect(Math.abs(value - expected), field).toBeLessThan(
                  tolerance * Math.max(1, Math.abs(value)),
                );
            });
        },
      ),
      { numRuns: 20, seed: 9 },
    );
  });
});
