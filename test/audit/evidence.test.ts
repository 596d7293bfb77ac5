import { describe, expect, test } from "vitest";
import { kinds } from "../../src/metrics/kinds.js";
import { createTally } from "../support/audit/bed/tally.js";
import { families, judge, judgeRepair, sizes, trialsOf } from "../support/audit/bed/bed.js";
import { isWhole } from "../support/whole.js";

/**
 * `npm run test:evidence` tries made-up studies of every size and prints the tables of docs/audit.md; RECOUNT_EVIDENCE
 * gives the first seed and the number of seeds. `npm run test:all` tries small studies, `npm test` a sample of those.
 */
const [seed = 0, seeds = 0] = (process.env.RECOUNT_EVIDENCE ?? "").split(",").filter(Boolean).map(Number);
const isMeasured = seeds > 0;
const step = isMeasured ? 1 : isWhole("mutations") ? 4 : 36;
const tried = isMeasured ? sizes : sizes.slice(0, 2);
const studies = Array.from({ length: Math.max(1, seeds) }, (_, i) => seed + i).flatMap((each) =>
  families.flatMap((family) => tried.map((size, i) => [family, size, 100 * each + i] as const)),
);

const tally = createTally();

describe("no explanation is false", () => {
  test.each(studies)("%s %j, seed %i", { timeout: 1_800_000 }, (family, size, number) => {
    let n = number;
    for (const make of trialsOf(family, size, number)) {
      if (n++ % step !== 0) continue;
      const trial = make();
      if (trial === null) continue;
      const { outcome, says } = judge(trial);
      const text = `${outcome}: ${trial.kind} "${trial.name}" decimals ${trial.decimals ?? "all"}, ${trial.study.name}: ${says}`;
      tally.count(trial, outcome);
      if (isMeasured && process.env.RECOUNT_SHOW?.split(",").includes(outcome)) console.log(text);
      if (!isMeasured) expect(outcome, text).not.toBe("false");
      if (step > 4 || (outcome !== "honest" && outcome !== "missed")) continue;
      const repair = judgeRepair(trial);
      tally.countRepair(trial, repair.outcome);
      if (isMeasured && process.env.RECOUNT_SHOW?.split(",").includes(`repair ${repair.outcome}`))
        console.log(`repair ${repair.outcome}, ${text}: ${repair.says}`);
    }
  });

  test("fewer than 3 of 1000 are false, and most of what was planted is named", () => {
    const { all, planted } = tally.totals();
    expect(all.false).toBeLessThanOrEqual(0.003 * all.trials);
    expect(planted.named + planted.fitted).toBeGreaterThan(0.5 * planted.trials);
  });

  test.runIf(isMeasured)("the tables of docs/audit.md", () => {
    console.log(tally.tables(kinds));
  });
});
