import { describe, expect, test } from "vitest";
import { groupOf } from "../../src/audit/published/cells.js";
import { readScores } from "../../src/audit/published/scores.js";
import { ownScenario } from "../../src/audit/evaluate/scenario.js";
import { isKind } from "../../src/metrics/kinds.js";
import { explanationOf } from "../../src/audit/findings/find-cause.js";
import { search } from "../../src/audit/explain/search.js";
import { targetOf } from "../../src/audit/target.js";
import { defaultTolerances } from "../../src/audit/settings.js";
import { defaultConventions } from "../../src/metrics/conventions.js";
import { fixtureOf } from "../support/audit/fixture.js";
import { golden, rounded, scoresOf, type Expected } from "../support/audit/published-case.js";
import { goldenFiles } from "../support/golden-case.js";

/** Golden variants that the audit names differently. The rate b does not affect a converged fit. */
const renamed: Record<string, string> = {
  "k=16 initial=1000": "k=16 start=1000",
  "a=2 b=0.05": "shape=2",
  "rater_quality (alpha=10 beta=2)": "rater_quality=(alpha=10 beta=2)",
};

describe.each(goldenFiles)("%s", (file) => {
  test.each([null, 1])("names every variant from the published numbers alone, decimals: %s", async (decimals) => {
    const { evaluator } = await fixtureOf(file);
    let named = 0;
    let variants = 0;
    for (const [dimension, metrics] of Object.entries(golden(file).expected)) {
      for (const [variant, block] of Object.entries(metrics.variants)) {
        const [kind = "", ...rest] = variant.split(" ");
        if (!isKind(kind)) throw new Error(`no such kind: ${kind}`);
        const expected = (block.scores as Expected | undefined) ?? block;
        const scores = readScores(kind, scoresOf(rounded(expected, decimals)));
        const names = {
          names: new Set(evaluator.ratings.stimuli.map((s) => s.item)),
          itemOfId: new Map<string, string>(),
        };
        const key = {
          experiment_id: evaluator.ratings.experiment_id,
          experiment_name: "",
          kind,
          dimension,
          source: "",
          published_in: "results",
        };
        const target = targetOf(groupOf(key, scores, {}, names), kind, defaultTolerances);
        const result = search(target, evaluator, ownScenario(defaultConventions, dimension, ""));
        variants++;
        if (result.own.fit.misses.length === 0) continue; // the variant makes no difference here
        const convention = rest.join(" ");
        const explanation = explanationOf(target, result)?.explanation;
        if (explanation === undefined) continue; // too few or too coarse numbers to say so
        expect(explanation, variant).toMatchObject({
          name: renamed[convention] ?? convention,
          rivals: [],
          reproduced: target.cells.length,
        });
        named++;
      }
    }
    const isCoarse = decimals === 1 || file === "approval" || file === "tiny-pairwise";
    expect(named).toBeGreaterThanOrEqual(isCoarse ? 0 : Math.ceil(variants / 3));
  });
});
