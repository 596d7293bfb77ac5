import { expect, test } from "vitest";
import { createEvaluator } from "../../src/audit/recompute/evaluator.js";
import { caseOf, conventions, trialOf } from "../support/audit/bed/bed.js";
import { judge } from "../support/audit/bed/judge.js";
import { studyOf } from "../support/audit/bed/world.js";
import { everyNth } from "../support/whole.js";

const planted = [
  ["percent_chosen", "mean of the shares against each opponent", "share=opponents"],
  ["percent_chosen", "mean chance to win by Bradley-Terry", "share=bradley_terry"],
  ["percent_chosen", "wins less losses, of n", "share=net"],
  ["percent_chosen", "wins less losses", "share=margin"],
  ["percent_approved", "share disapproved", "share=rejected"],
  ["percent_approved", "approved less disapproved", "share=net"],
  ["mean", "z-scores as 0 to 100", "mean=rater_z unit=z_0_to_100"],
  ["mean", "difference from the first, and the top", "relative=dmos_sys-00"],
  ["stats", "1.96 standard errors", "interval=1.96"],
  ["elo", "a Bradley-Terry fit", "fit=likelihood"],
  ["bayesian_elo", "no prior", "fit=likelihood"],
  ["bayesian_elo", "worths that sum to 1", "fit=likelihood unit=worth_sum"],
  ["bayesian_elo", "worths around 1", "fit=likelihood unit=worth_mean"],
] as const;

const seeds = { pairwise: 92_000, acr: 92_005, mushra: 92_001, approval: 92_003 };

test.each(everyNth(planted, 4))("a form of %s is named: %s", (kind, name, says) => {
  const algorithm = conventions.find((one) => one.kind === kind && one.name === name)!;
  const study = studyOf(seeds[algorithm.families.at(-1)!]);
  const trial = trialOf(caseOf(algorithm), study, createEvaluator(study.ratings), null, 1)!;
  const found = judge(trial);
  expect(found.outcome).toBe("named");
  expect(found.says.slice(0, says.length + 2)).toBe(`${says} [`);
});

test("points from 1 to 5 that are shown from 0 to 100 are no fit", () => {
  const study = studyOf(92_005);
  const algorithm = conventions.find(({ name }) => name === "1 to 5 shown as 0 to 100")!;
  const found = judge(trialOf(caseOf(algorithm), study, createEvaluator(study.ratings), 1, 1)!);
  expect(found.says).toMatch(/^unit=0_to_100 \[/);
});
