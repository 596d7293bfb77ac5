import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { weigh } from "../../src/audit/explain/weigh.js";
import { search } from "../../src/audit/explain/search.js";
import type { Kind } from "../../src/metrics/kinds.js";
import { createEvaluator } from "../../src/audit/recompute/evaluator.js";
import { rootMeanSquare } from "../../src/audit/explain/evidence.js";
import {
  caseOf,
  conventions,
  trialOf,
  trialsOf,
  type Trial,
  type TrialSet,
} from "../support/audit/bed/bed.js";
import { populations } from "../support/audit/bed/changes.js";
import { judge } from "../support/audit/bed/judge.js";
import { namedOf, tablesOf, triedOf, upperLimit, type Tried } from "../support/audit/bed/tally.js";
import { studyOf } from "../support/audit/bed/world.js";
import { own } from "../support/audit/synthetic-ratings.js";

/**
 * `npm run test:evidence` tries made-up studies and prints the tables of docs/records/audit-accuracy.md. RECOUNT_EVIDENCE gives the set
 * of trials (`drawn`, `boards`, `arenas` or `hard`), the first seed and the number of seeds; with RECOUNT_EVIDENCE_FILE each outcome is kept
 * in that file, and a run that was interrupted continues it. Of the kinds whose search takes longest, some of the trials
 * are left out. `npm run test:all` tries a few studies of both sets.
 */
const [set = "", first = "0", count = "0"] = (process.env.RECOUNT_EVIDENCE ?? "")
  .split(",")
  .filter(Boolean);
const file = process.env.RECOUNT_EVIDENCE_FILE ?? "";
const isMeasured = set !== "";
const thinned: Partial<Record<Kind, number>> = { elo: 3, bayesian_elo: 2 };
const seeds = (from: number, of: number): number[] =>
  Array.from({ length: of }, (_, i) => from + i);
const studies: (readonly [TrialSet, number])[] = isMeasured
  ? seeds(Number(first), Number(count)).map((seed) => [set as TrialSet, seed])
  : [
      ...seeds(0, 8).map((seed) => ["drawn", seed] as const),
      ...seeds(20, 8).map((seed) => ["hard", seed] as const),
      ...seeds(40, 8).map((seed) => ["boards", seed] as const),
    ];

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
  test.each(studies)("%s, study %i", { timeout: 3_600_000 }, (own, seed) => {
    let number = seed;
    for (const make of trialsOf(seed, own)) {
      number++;
      if (done.has(`${seed} ${number}`)) continue;
      const trial = make();
      if (trial === null || number % (thinned[trial.kind] ?? 1) !== 0) continue;
      const one = triedOf(trial, seed, judge(trial));
      const text = `${trial.kind} "${trial.name}" decimals ${trial.decimals ?? "all"}, ${trial.study.name}`;
      tried.push(one);
      if (file !== "")
        appendFileSync(file, `${JSON.stringify({ ...one, name: text, number } satisfies Kept)}\n`);
      if (!isMeasured && own !== "boards")
        expect(one.outcome, `${text}: ${one.says}`).not.toBe("false");
    }
  });

  test("fewer than 3 of 1000 are false, and of what the numbers determine most are named", () => {
    const { named, determined } = namedOf(tried);
    expect(tried.filter((t) => t.outcome === "false").length).toBeLessThanOrEqual(
      0.003 * tried.length,
    );
    expect(named).toBeGreaterThan(0);
    expect(named).toBeGreaterThanOrEqual(0.85 * determined);
  });

  test.runIf(isMeasured)("the tables of docs/records/audit-accuracy.md", () => {
    console.log(tablesOf(tried));
  });
});

function trialNamed(name: string, kind: Kind, seed: number, set: TrialSet = "drawn"): Trial {
  for (const make of trialsOf(seed, set)) {
    const trial = make();
    if (trial?.name === name && trial.kind === kind) return trial;
  }
  throw new Error(`no trial ${name}`);
}

test.each([
  ["power mean of a half, the other dimension", "mean", 41_002, "drawn"],
  ["1.96 sd of 100 draws, ends, incomplete too", "mean", 451_005, "arenas"],
] as const)("%s: a part that chance would give is not named", (name, kind, seed, set) => {
  expect(judge(trialNamed(name, kind, seed, set)).outcome).not.toBe("false");
});

test("a partial match is extended by one convention", () => {
  const name = "fractions, over n - 1, all dimensions";
  expect(judge(trialNamed(name, "percent_approved", 231_009))).toMatchObject({ outcome: "named" });
});

test("one number that is far off does not hide a convention", () => {
  expect(judge(trialNamed("median, one wrong", "mean", 21, "hard"))).toMatchObject({
    outcome: "in part",
  });
});

test.each(["percent_approved", "mean"] as const)(
  "%s: an item under another name is proposed",
  (kind) => {
    const seed = kind === "mean" ? 5001 : 5006;
    expect(judge(trialNamed("an item under another name", kind, seed, "arenas"))).toMatchObject({
      outcome: "named",
    });
  },
);

test("evidence is a number even if an item has a single rating, and its spread none", () => {
  const algorithm = conventions.find(({ name }) => name === "sd by n, normal interval")!;
  const oneJob = populations.find(({ name }) => name === "one job")!;
  const study = studyOf(20_064);
  const trial = trialOf(
    caseOf(algorithm, [oneJob]),
    study,
    createEvaluator(study.ratings),
    null,
    1,
  )!;
  const { target, evaluator } = trial;
  const result = search({ target, evaluator, own });
  const weighed = result.candidates.map((candidate) => weigh(result, candidate).evidence);
  expect(weighed.filter(Number.isNaN)).toEqual([]);
  expect(rootMeanSquare([NaN])).toBe(Infinity);
});

test("the upper limit of a share is that of Clopper and Pearson", () => {
  expect(upperLimit(0, 1000)).toBeCloseTo(1 - 0.05 ** (1 / 1000), 9);
  expect(upperLimit(3, 1374)).toBeCloseTo(0.005634, 5);
});
