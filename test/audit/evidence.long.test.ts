import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { weigh, rootMeanSquare } from "../../src/audit/explain/weigh.js";
import { search } from "../../src/audit/explain/search.js";
import type { Kind } from "../../src/metrics/kinds.js";
import { createEvaluator } from "../../src/audit/recompute/evaluator.js";
import { caseOf, conventions, trialOf, trialsOf, type Trial } from "../support/audit/bed/bed.js";
import { boardTables, triedBoard, type TriedBoard } from "../support/audit/bed/board-verdicts.js";
import { boardsOf } from "../support/audit/bed/boards.js";
import { populations } from "../support/audit/bed/changes.js";
import { judge } from "../support/audit/bed/judge.js";
import { namedOf, tablesOf, triedOf, upperLimit, type Tried } from "../support/audit/bed/tally.js";
import { avg, grouped, mapped, sd } from "../support/audit/bed/plain.js";
import { studyOf, type Algorithm } from "../support/audit/bed/world.js";
import { own } from "../support/audit/synthetic-ratings.js";

/**
 * `npm run test:evidence` tries made-up studies and prints the tables of docs/records/audit-accuracy.md. RECOUNT_EVIDENCE gives the set
 * of trials (`drawn` or `boards`), the first seed and the number of seeds; with RECOUNT_EVIDENCE_FILE each outcome is kept
 * in that file, and a run that was interrupted continues it. Of the kinds whose search takes longest, some of the trials
 * are left out. `npm run test:all` tries a few studies and boards.
 */
const [set = "", first = "0", count = "0"] = (process.env.RECOUNT_EVIDENCE ?? "")
  .split(",")
  .filter(Boolean);
const file = process.env.RECOUNT_EVIDENCE_FILE ?? "";
const isMeasured = set !== "";
const thinned: Partial<Record<Kind, number>> = { elo: 3, bayesian_elo: 2 };
const seedsOf = (own: "drawn" | "boards", from: number, of: number): number[] =>
  Array.from({ length: isMeasured ? (set === own ? Number(count) : 0) : of }, (_, i) =>
    isMeasured ? Number(first) + i : from + i,
  );

const kept = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
const known = kept.map((line) => JSON.parse(line) as { seed: number; number: number });
const done = new Set(known.map((one) => `${one.seed} ${one.number}`));
const tried = (set === "boards" ? [] : [...known]) as unknown as Tried[];
const boards = (set === "boards" ? [...known] : []) as unknown as TriedBoard[];

function keep(one: Tried | TriedBoard, number: number, name: string): void {
  if (file !== "") appendFileSync(file, `${JSON.stringify({ ...one, name, number })}\n`);
  if (!isMeasured) expect(one.outcome, `${name}: ${one.says}`).not.toBe("false");
}

describe("no explanation is false", () => {
  test.each(seedsOf("drawn", 0, 8))("study %i", { timeout: 3_600_000 }, (seed) => {
    let number = seed;
    for (const make of trialsOf(seed)) {
      number++;
      if (done.has(`${seed} ${number}`)) continue;
      const trial = make();
      if (trial === null || number % (thinned[trial.kind] ?? 1) !== 0) continue;
      const one = triedOf(trial, seed, judge(trial));
      tried.push(one);
      const decimals = trial.decimals ?? "all";
      keep(one, number, `${trial.kind} "${trial.name}" decimals ${decimals}, ${trial.study.name}`);
    }
  });

  test.each(seedsOf("boards", 490_003, 5))("boards of seed %i", async (seed) => {
    let number = 0;
    for (const board of boardsOf(seed)) {
      number++;
      if (board === null || done.has(`${seed} ${number}`)) continue;
      const one = await triedBoard(board);
      boards.push(one);
      keep(one, number, `${one.kind}, ${one.fault}`);
    }
  });

  test.skipIf(set === "boards")(
    "fewer than 3 of 1000 are false, and of what the numbers determine most are named",
    () => {
      const { named, determined } = namedOf(tried);
      expect(tried.filter((t) => t.outcome === "false").length).toBeLessThanOrEqual(
        0.003 * tried.length,
      );
      expect(named).toBeGreaterThan(0);
      expect(named).toBeGreaterThanOrEqual(0.85 * determined);
    },
  );

  test.runIf(boards.length > 0 || !isMeasured)("most boards by a known rule are named", () => {
    const own = boards.filter((one) => one.isKnown);
    expect(own.filter((one) => one.outcome === "right").length).toBeGreaterThan(0.7 * own.length);
  });

  test.runIf(isMeasured)("the tables of docs/records/audit-accuracy.md", () => {
    console.log(set === "boards" ? boardTables(boards) : tablesOf(tried));
  });
});

function trialNamed(name: string, kind: Kind, seed: number): Trial {
  for (const make of trialsOf(seed)) {
    const trial = make();
    if (trial?.name === name && trial.kind === kind) return trial;
  }
  throw new Error(`no trial ${name}`);
}

function trialWith(
  algorithm: Algorithm,
  population: string,
  seed: number,
  decimals: number | null,
  randomSeed: number,
): Trial {
  const study = studyOf(seed);
  const counted = populations.find(({ name }) => name === population)!;
  const evaluator = createEvaluator(study.ratings);
  return trialOf(caseOf(algorithm, [counted]), study, evaluator, decimals, randomSeed)!;
}

/** Ends by the spread of drawn means, to which formulas come near. */
const drawnEnds: Algorithm = {
  ...{ name: "", names: [], kind: "mean", families: [] },
  of: (rows, random) =>
    mapped(
      grouped(rows, (r) => r.item),
      (own) => {
        const xs = own.map((r) => r.score);
        const draw = () => avg(xs.map(() => xs[Math.floor(random() * xs.length)]!));
        const [value, half] = [avg(xs), 1.96 * sd(Array.from({ length: 100 }, draw))];
        return { value, ci_low: value - half, ci_high: value + half };
      },
    ),
};

test.each([
  [
    "power mean of a half",
    () => trialNamed("power mean of a half, the other dimension", "mean", 41_002),
  ],
  ["drawn ends", () => trialWith(drawnEnds, "incomplete too", 451_005, 0, 2)],
] as const)("%s: a part that chance would give is not named", (_, trial) => {
  expect(judge(trial()).outcome).not.toBe("false");
});

test.each([
  [551_022, 18],
  [551_026, 25],
  [561_000, 18],
])("over so few values, no scale is named: seed %i, board %i", async (seed, number) => {
  const board = [...boardsOf(seed)][number - 1];
  expect(await triedBoard(board!)).toMatchObject({ outcome: "silent" });
});

test("a partial match is extended by one convention", () => {
  const name = "fractions, over n - 1, all dimensions";
  expect(judge(trialNamed(name, "percent_approved", 231_009))).toMatchObject({ outcome: "named" });
});

test("evidence is a number even if an item has a single rating, and its spread none", () => {
  const algorithm = conventions.find(({ name }) => name === "sd by n, normal interval")!;
  const trial = trialWith(algorithm, "one job", 20_064, null, 1);
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
