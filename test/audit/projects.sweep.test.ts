import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inferShared, votesOf } from "../../src/audit/explain/pool.js";
import { search } from "../../src/audit/explain/search.js";
import { projectOf } from "../support/audit/bed/bed.js";
import { judge } from "../support/audit/bed/judge.js";
import { namedOf, tablesOf, triedOf, type Tried } from "../support/audit/bed/tally.js";
import { own } from "../support/audit/synthetic-ratings.js";

/**
 * Projects of twelve experiments whose numbers are all made in one way. RECOUNT_PROJECTS gives the first seed and the
 * number of projects, and prints the table of docs/records/audit-accuracy.md; with RECOUNT_EVIDENCE_FILE each outcome is kept.
 */
const [first = "300", count = "8"] = (process.env.RECOUNT_PROJECTS ?? "")
  .split(",")
  .filter(Boolean);
const file = process.env.RECOUNT_EVIDENCE_FILE ?? "";
const isMeasured = process.env.RECOUNT_PROJECTS !== undefined;
const seeds = Array.from({ length: Number(count) }, (_, i) => Number(first) + i);
const together: Tried[] = [];
const alone: Tried[] = [];

test.each(seeds)("project %i", { timeout: 3_600_000 }, (seed) => {
  const trials = projectOf(seed);
  const open = trials.map(({ target, study }) => ({
    target: { ...target, group: { ...target.group, experiment_id: study.name } },
    numbers: [],
  }));
  const votes = trials.map(({ target, evaluator }) => votesOf(search({ target, evaluator, own })));
  const shared = inferShared(new Map(open.map((result, i) => [result, votes[i]!])));
  trials.forEach((trial, i) => {
    const found = shared.get(open[i]!) ?? null;
    const judged = judge(trial, found);
    together.push(triedOf(trial, seed, judged));
    if (isMeasured) alone.push(triedOf(trial, seed, judge(trial)));
    const text = `${trial.kind} "${trial.name}" decimals ${trial.decimals ?? "all"}, ${trial.study.name}`;
    if (file !== "")
      appendFileSync(
        file,
        `${JSON.stringify({ ...together.at(-1), alone: alone.at(-1)?.outcome, text, shared: found?.name })}\n`,
      );
    if (!isMeasured) expect(judged.outcome, `${text}: ${judged.says}`).not.toBe("false");
  });
});

test("fewer than 3 of 1000 are false, and most of what the numbers determine is named", () => {
  const { named, determined } = namedOf(together);
  expect(together.filter((t) => t.outcome === "false").length).toBeLessThanOrEqual(
    0.003 * together.length,
  );
  expect(named).toBeGreaterThanOrEqual(0.85 * determined);
});

test.runIf(isMeasured)("the tables of docs/records/audit-accuracy.md", () => {
  console.log(
    ["In projects", tablesOf(together), "Each result alone", tablesOf(alone)].join("\n\n"),
  );
});
