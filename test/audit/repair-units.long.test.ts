import { describe, expect, test } from "vitest";
import { findRepair } from "../../src/audit/repair/find-repair.js";
import { createEvaluator } from "../../src/audit/evaluate/evaluator.js";
import { patched } from "../../src/audit/evaluate/scenario.js";
import { selectRatings } from "../../src/audit/ratings/population.js";
import type { ConventionsInput } from "../../src/metrics/conventions.js";
import type { Kind } from "../../src/metrics/kinds.js";
import { seededRandom } from "../../src/platform/random.js";
import { fixtureOf } from "../support/audit/mutation.js";
import { syntheticRatings, own, publishedAs, tableOf } from "../support/audit/synthetic-ratings.js";

const kinds: Kind[] = ["win_loss", "percent_chosen", "elo", "bayesian_elo"];

/** About a hundred passes over the comparisons; one full evaluation takes at least four. */
const work = 2e7;

describe("an experiment of 20 000 comparisons", () => {
  const ratings = syntheticRatings({ sessions: 1000, items: 20, raters: 100 });
  const evaluator = createEvaluator(ratings);
  const counted = selectRatings(ratings, own.population);
  const isCounted = (i: number): boolean => counted[i] === 1;

  test.each(kinds)("%s: any one session, rater or slate is found within the work limit", (kind) => {
    const cases = [
      ["dropped", "session", 950, "s950"],
      ["doubled", "session", 940, "s940"],
      ["flipped", "session", 951, "s951"],
      ["dropped", "rater", 17, "rater-17"],
      ["doubled", "slate", 19_190, "29190"],
    ] as const;
    for (const [change, unit, number, id] of cases) {
      const target = publishedAs(kind, tableOf(ratings, kind, change, unit, [number], isCounted));
      const found = findRepair(target, evaluator, own, null, work);
      expect(found, `${change} ${unit}`).toMatchObject({ change, unit });
      if (found?.alternatives === 0) expect(found.ids).toEqual([id]);
      else expect([unit, (found?.alternatives ?? 0) < 100]).toEqual(["slate", true]);
    }
  });

  test.each(kinds)(
    "%s: finds an incomplete session or a training slate that was counted too",
    (kind) => {
      const incomplete = tableOf(
        ratings,
        kind,
        "added",
        "session",
        [977],
        (i) => ratings.training[i] === 0,
      );
      const found = findRepair(publishedAs(kind, incomplete), evaluator, own, null, work);
      expect(found).toMatchObject({
        change: "added",
        unit: "session",
        ids: ["s977"],
        alternatives: 0,
      });
      expect(found?.says).toBe(
        "the numbers match when session s977, not completed, is also counted",
      );
      const training = tableOf(ratings, kind, "added", "slate", [19_000], () => true);
      const slate = findRepair(publishedAs(kind, training), evaluator, own, null, work);
      if (kind === "elo")
        expect(slate?.says).toMatch(
          /^the numbers match when the training ratings of session s950 are also counted$/,
        );
      else
        expect(
          [slate?.unit, (slate?.alternatives ?? 0) > 0],
          "a counted slate with the same answer, taken twice, does as well",
        ).toEqual(["slate", true]);
    },
  );

  test.each(kinds)("%s: finds an omitted session under another convention", (kind) => {
    const scenario = patched(own, { population: { training: "include" } });
    const without = createEvaluator({
      ...ratings,
      score: ratings.score.map((s, i) => (ratings.session[i] === 948 ? NaN : s)),
    });
    const target = publishedAs(kind, without.table(kind, scenario));
    const nearest = { name: "training=include", scenario, nameBits: 2 };
    const found = findRepair(target, evaluator, own, nearest, 2 * work);
    expect(found).toMatchObject({
      change: "dropped",
      unit: "session",
      ids: ["s948"],
      under: "training=include",
    });
    expect(found?.says).toBe(
      "under training=include, the numbers match when session s948 is left out",
    );
  });
});

describe("chance", async () => {
  const fixtures = await Promise.all(
    (["codec-preference", "tiny-pairwise", "acr", "approval"] as const).map(
      async (file) => [file, await fixtureOf(file)] as const,
    ),
  );
  const dimensions: Record<string, string> = { acr: "quality" };
  const kindsOf: Record<string, Kind[]> = {
    acr: ["mean", "stats"],
    approval: ["percent_approved", "mean"],
  };

  test.each(fixtures)(
    "noise on the numbers of %s is never blamed on sessions, raters, slates or ratings",
    (file, { evaluator }) => {
      const random = seededRandom(11);
      const scenario = patched(own, { population: { dimension: dimensions[file] ?? "" } });
      for (const kind of kindsOf[file] ?? kinds) {
        const { items, columns } = evaluator.table(kind, scenario);
        for (const size of [0.3, 3]) {
          for (const decimals of [6, 1]) {
            const noisy = Object.fromEntries(
              Object.entries(columns).map(([field, column]) => [
                field,
                column.map((v) => noise(field, v, size)),
              ]),
            );
            const target = publishedAs(kind, { items, columns: noisy }, decimals);
            const found = findRepair(target, evaluator, scenario, null, 2e7);
            expect(
              ["nothing", "items", "missing"],
              `${kind} ${size} ${decimals} ${found?.says ?? ""}`,
            ).toContain(found?.change ?? "nothing");
          }
        }
      }

      function noise(field: string, value: number, size: number): number {
        const noisy = value + size * (2 * random() - 1);
        return ["n", "wins", "losses", "ties", "approved"].includes(field)
          ? Math.round(noisy)
          : noisy;
      }
    },
  );
});

describe("the run's conventions of ties, shares and divisors", () => {
  const ratings = syntheticRatings({ sessions: 60, items: 6, raters: 15, seed: 3 });
  const evaluator = createEvaluator(ratings);
  const score = ratings.score.map((s, i) => (ratings.session[i] === 40 ? NaN : s));
  const without = createEvaluator({ ...ratings, score });
  const found = (kind: Kind, conventions: ConventionsInput) => {
    const scenario = patched(own, { conventions });
    return findRepair(publishedAs(kind, without.table(kind, scenario)), evaluator, scenario);
  };

  test.each<[Kind, ConventionsInput]>([
    ["percent_chosen", { ties: { percent_chosen: "half" } }],
    ["percent_chosen", { ties: { percent_chosen: "exclude" } }],
    ["percent_chosen", { chosen: "losses" }],
    ["percent_chosen", { denominator: "n-1", percent_scale: 1 }],
    ["bayesian_elo", { bayesian_elo: { ties: "exclude" } }],
    ["bayesian_elo", { bayesian_elo: { ties: "half", shape: 3 } }],
    ["bayesian_elo", { bayesian_elo: { ties: "davidson" } }],
    ["bayesian_elo", { bayesian_elo: { stop_elo: 1 } }],
    ["elo", { elo: { ties: "skip" } }],
    ["mean", { mean: "rater_mean" }],
  ])("%s %j: finds an omitted session", (kind, conventions) => {
    expect(found(kind, conventions)).toMatchObject({
      change: "dropped",
      unit: "session",
      ids: ["s40"],
    });
  });
});
