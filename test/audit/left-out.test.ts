import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../src/audit/recompute/evaluator.js";
import { patched, type Scenario } from "../../src/audit/recompute/scenario.js";
import { conventionProblem } from "../../src/audit/explain/names.js";
import { explain } from "../../src/audit/explain/find-cause.js";
import { search } from "../../src/audit/explain/search.js";
import type { RatingColumns } from "../../src/audit/recompute/ratings.js";
import type { Table, Kind } from "../../src/metrics/index.js";
import { seededRandom } from "../../src/platform/random.js";
import { own, publishedAs, syntheticRatings } from "../support/audit/synthetic-ratings.js";

const study = syntheticRatings({ sessions: 60, items: 8, raters: 15, seed: 3 });

const tableWithout = (
  isLeftOut: (i: number) => boolean,
  kind: Kind,
  scenario: Scenario = own,
  ratings: RatingColumns = study,
): Table =>
  createEvaluator({
    ...ratings,
    score: ratings.score.map((score, i) => (isLeftOut(i) ? NaN : score)),
  }).table(kind, scenario);

const plants = [
  ["without_rater=rater-4", "rater rater-4 is left out", (i: number) => study.rater[i] === 4],
  ["without_session=s40", "session s40 is left out", (i: number) => study.session[i] === 40],
  [
    "first_sessions=54",
    "the last 4 sessions are not counted yet",
    (i: number) => study.session[i]! >= 54,
  ],
] as const;

describe("what is left out", () => {
  const evaluator = createEvaluator(study);
  const explained = (kind: Kind, published: Table, fields?: readonly string[]) =>
    explain(search({ target: publishedAs(kind, published, 2, fields), evaluator, own }));

  describe.each(["win_loss", "percent_chosen", "elo", "bayesian_elo", "mean"] as const)(
    "%s",
    (kind) => {
      test.each(plants)("is found: %s", (name, says, isLeftOut) => {
        const { explanation } = explained(kind, tableWithout(isLeftOut, kind));
        expect(explanation).toMatchObject({ name, says, rivals: [] });
      });
    },
  );

  test.each(plants)("is found where no n is published: %s", (name, _, isLeftOut) => {
    const { explanation } = explained("elo", tableWithout(isLeftOut, "elo"), ["value"]);
    expect(explanation?.name).toBe(name);
  });

  test("is found beside a convention that the options state", () => {
    const trained = patched(own, { population: { training: "include" } });
    const [[, , isLeftOut]] = plants;
    const target = publishedAs("elo", tableWithout(isLeftOut, "elo", trained), 2);
    const stated = { ...target, group: { ...target.group, options: { training: true } } };
    const { explanation } = explain(search({ target: stated, evaluator, own }));
    expect(explanation).toMatchObject({
      name: "training=true without_rater=rater-4",
      unstated: "without_rater=rater-4",
    });
  });

  test("can be accepted", () => {
    for (const [name] of plants) expect(conventionProblem("elo", name)).toBeNull();
  });

  test("is nothing for two sessions, or for noise", () => {
    const random = seededRandom(11);
    const two = tableWithout((i) => [7, 30].includes(study.session[i]!), "percent_chosen");
    expect(explained("percent_chosen", two).explanation).toBeNull();
    for (const kind of ["percent_chosen", "elo", "bayesian_elo"] as const) {
      const { items, columns } = evaluator.table(kind, own);
      const value = columns.value!.map((v) => v + 2 * random() - 1);
      const { explanation } = explained(kind, { items, columns: { value } }, ["value"]);
      expect(explanation, kind).toBeNull();
    }
  });

  test("is a rater rather than the rater's only session", () => {
    const alone = { ...study, rater: study.session, raters: study.sessions.map(({ id }) => id) };
    const published = tableWithout((i) => alone.rater[i] === 40, "elo", own, alone);
    const found = explain(
      search({ target: publishedAs("elo", published, 2), evaluator: createEvaluator(alone), own }),
    );
    expect(found.explanation).toMatchObject({ name: "without_rater=s40", rivals: [] });
  });
});
