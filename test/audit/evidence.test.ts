import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bed, trialsOf } from "../support/audit/bed/bed.js";
import { judge, judgeRepair } from "../support/audit/bed/judge.js";
import { tablesOf, triedOf, upperLimit, type Tried } from "../support/audit/bed/tally.js";
import { heldOut } from "../support/audit/held-out/index.js";
import { isWhole } from "../support/whole.js";

/**
 * `npm run test:evidence` tries made-up studies and prints the tables of docs/audit.md. RECOUNT_EVIDENCE gives the set
 * of trials, the first seed and the number of seeds; with RECOUNT_EVIDENCE_FILE each outcome is kept in that file, and
 * a run that was interrupted continues it. `npm run test:all` tries a part of both sets, `npm test` a sample of that.
 */
const sets = { bed, "held-out": heldOut };
const [name = "", first = "0", count = "0"] = (process.env.RECOUNT_EVIDENCE ?? "").split(",");
const file = process.env.RECOUNT_EVIDENCE_FILE ?? "";
const isMeasured = name in sets;
const step = isMeasured ? 1 : isWhole("mutations") ? 6 : 36;
const seedsFrom = (from: number, of: number): number[] => Array.from({ length: of }, (_, i) => from + i);
const studies = isMeasured
  ? seedsFrom(Number(first), Number(count)).map((seed) => [name as keyof typeof sets, seed] as const)
  : [
      ...seedsFrom(0, 8).map((seed) => ["bed", seed] as const),
      ...seedsFrom(0, 0).map((seed) => ["held-out", seed] as const),
    ];

interface Kept extends Tried {
  readonly name: string;
}
const kept = existsSync(file)
  ? readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Kept)
  : [];
const done = new Set(kept.map((t) => t.seed));
const tried: Tried[] = [...kept];

describe("no explanation is false", () => {
  test.each(studies)("%s, seed %i", { timeout: 1_800_000 }, (set, seed) => {
    if (done.has(seed)) return;
    const found: string[] = [];
    let n = seed;
    for (const make of trialsOf(sets[set], seed)) {
      if (n++ % step !== 0) continue;
      const trial = make();
      if (trial === null) continue;
      const judged = judge(trial);
      const isOpen = step <= 6 && (judged.outcome === "honest" || judged.outcome === "missed");
      const one = triedOf(trial, seed, { ...judged, repair: isOpen ? judgeRepair(trial) : null });
      const text = `${trial.kind} "${trial.name}" decimals ${trial.decimals ?? "all"}, ${trial.study.name}`;
      tried.push(one);
      found.push(JSON.stringify({ ...one, name: text }));
      if (!isMeasured) expect(one.outcome, `${text}: ${one.says}`).not.toBe("false");
    }
    if (file !== "") appendFileSync(file, found.map((line) => `${line}\n`).join(""));
  });

  test("fewer than 3 of 1000 are false, and most of what was planted is named", () => {
    const planted = tried.filter((t) => t.origin === "under a convention");
    const named = planted.filter((t) => t.outcome === "named" || t.outcome === "fitted");
    expect(tried.filter((t) => t.outcome === "false").length).toBeLessThanOrEqual(0.003 * tried.length);
    expect(named.length).toBeGreaterThan(0.5 * planted.length);
  });

  test.runIf(isMeasured)("the tables of docs/audit.md", () => {
    console.log(tablesOf(tried));
  });
});

test("the upper limit of a share is that of Clopper and Pearson", () => {
  expect(upperLimit(0, 1000)).toBeCloseTo(1 - 0.05 ** (1 / 1000), 9);
  expect(upperLimit(3, 1374)).toBeCloseTo(0.005634, 5);
});
