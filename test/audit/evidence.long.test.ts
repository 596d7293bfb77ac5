import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { weigh } from "../../src/audit/explain/weigh.js";
import { search } from "../../src/audit/explain/search.js";
import type { Kind } from "../../src/metrics/kinds.js";
import { bed, trialsOf } from "../support/audit/bed/bed.js";
import { judge } from "../support/audit/bed/judge.js";
import { namedOf, tablesOf, triedOf, upperLimit, type Tried } from "../support/audit/bed/tally.js";
import { drawn } from "../support/audit/drawn/index.js";
import { heldOut } from "../support/audit/held-out/index.js";
import { own } from "../support/audit/synthetic-ratings.js";
import { everyNth, isWhole } from "../support/whole.js";

/**
 * `npm run test:evidence` tries made-up studies and prints the tables of docs/audit.md. RECOUNT_EVIDENCE gives the set
 * of trials, the first seed and the number of seeds; with RECOUNT_EVIDENCE_FILE each outcome is kept in that file, and
 * a run that was interrupted continues it. Of the kinds whose search takes longest, some of the trials are left out.
 * `npm run test:all` tries a part of the set that the rule was developed with, `npm test` a sample of that.
 */
const sets = { bed, "held-out": heldOut, drawn };
const [name = "", first = "0", count = "0"] = (process.env.RECOUNT_EVIDENCE ?? "").split(",");
const file = process.env.RECOUNT_EVIDENCE_FILE ?? "";
const isMeasured = name in sets;
const step = isMeasured ? 1 : isWhole("mutations") ? 6 : 72;
const thinned: Partial<Record<Kind, number>> = isMeasured ? { elo: 3, bayesian_elo: 2 } : {};
const studies = Array.from({ length: isMeasured ? Number(count) : 8 }, (_, i) => Number(first) + i);
const set = sets[isMeasured ? (name as keyof typeof sets) : "bed"];

interface Kept extends Tried {
  readonly name: string;
  readonly number: number;
}
const kept = existsSync(file)
  ? readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Kept)
  : [];
const done = new Set(kept.map((t) => `${t.seed} ${t.number}`));
const tried: Tried[] = [...kept];

describe("no explanation is false", () => {
  test.each(studies)("study %i", { timeout: 3_600_000 }, (seed) => {
    let number = seed;
    for (const make of trialsOf(set, seed)) {
      if (number++ % step !== 0 || done.has(`${seed} ${number}`)) continue;
      const trial = make();
      if (trial === null) continue;
      if (number % (thinned[trial.kind] ?? 1) !== 0) continue;
      const judged = judge(trial);
      const one = triedOf(trial, seed, judged);
      const text = `${trial.kind} "${trial.name}" decimals ${trial.decimals ?? "all"}, ${trial.study.name}`;
      tried.push(one);
      if (file !== "") appendFileSync(file, `${JSON.stringify({ ...one, name: text, number } satisfies Kept)}\n`);
      if (!isMeasured) expect(one.outcome, `${text}: ${one.says}`).not.toBe("false");
    }
  });

  test("fewer than 3 of 1000 are false, and of what the numbers determine 9 of 10 are named", () => {
    const { named, determined } = namedOf(tried);
    expect(tried.filter((t) => t.outcome === "false").length).toBeLessThanOrEqual(0.003 * tried.length);
    expect(named).toBeGreaterThan(0);
    // Forty studies of fresh seeds vary by a few percent.
    expect(named).toBeGreaterThanOrEqual((isMeasured ? 0.85 : 0.9) * determined);
  });

  test.runIf(isMeasured)("the tables of docs/audit.md", () => {
    console.log(tablesOf(tried));
  });
});

const regressions = [
  ["centred by rater", "is within the sampling error of a z-score", "mean", bed, 2009, "honest"],
  ["mean rank by rater", "is within that of a mean with training, scaled and shifted", "mean", heldOut, 7006, "honest"],
  ["every number 2.5 % higher, roughly", "scatters about one factor", "mean", heldOut, 9019, "honest"],
  ["training too, one job", "has the sampling error of the sessions it counts", "win_loss", heldOut, 9001, "named"],
  ["fractions, over n - 1", "is simpler than the line it nearly is", "percent_approved", heldOut, 9019, "named"],
  ["opponents weigh by their share, training too", "is no line", "percent_chosen", drawn, 30_000, "honest"],
  ["power mean of a half, the other dimension", "is no median beside it", "mean", drawn, 41_002, "honest"],
  ["last answers, logarithms", "miss their line by less than the sampling error", "mean", drawn, 50_023, "honest"],
  ["training alone, logarithms", "bend less than their decimals tell", "bayesian_elo", drawn, 51_027, "honest"],
  ["share of each rater's total, first answers", "is no line through four of them", "mean", drawn, 60_002, "honest"],
  ["median, one wrong", "is named although one number is far off", "mean", bed, 1022, "in part"],
] as const;
test.each(everyNth("mutations", regressions, 2, 1))("%s: %s", (wanted, _, kind, from, seed, outcome) => {
  for (const make of trialsOf(from, seed)) {
    const trial = make();
    if (trial?.name !== wanted || trial.kind !== kind) continue;
    expect(judge(trial)).toMatchObject({ outcome });
    return;
  }
  expect.unreachable();
});

test("evidence is a number even if an item has a single rating, and its spread none", () => {
  for (const make of trialsOf(drawn, 20_064)) {
    const trial = make();
    if (trial?.name !== "sd by n, normal interval, one job") continue;
    const result = search(trial.target, trial.evaluator, own);
    const weighed = result.candidates.map((candidate) => weigh(trial.target, result, candidate).evidence);
    expect(weighed.filter(Number.isNaN)).toEqual([]);
    return;
  }
  expect.unreachable();
});

test("the upper limit of a share is that of Clopper and Pearson", () => {
  expect(upperLimit(0, 1000)).toBeCloseTo(1 - 0.05 ** (1 / 1000), 9);
  expect(upperLimit(3, 1374)).toBeCloseTo(0.005634, 5);
});
