import { describe, expect, test } from "vitest";
import {
  judgeRepair,
  outcomes,
  repairTrials,
  type RepairOutcome,
} from "../support/audit/repair-trials.js";

/**
 * `npm run test:repairs` plants changes in made-up studies and prints the table of docs/records/audit-accuracy.md; RECOUNT_REPAIRS gives
 * the first seed and the number of seeds. `npm run test:all` tries one study of each family.
 */
const [first = 0, seeds = 0] = (process.env.RECOUNT_REPAIRS ?? "")
  .split(",")
  .filter(Boolean)
  .map(Number);
const isMeasured = seeds > 0;
/** Items, sessions and slates of a session. */
const sizes: readonly (readonly [number, number, number])[] = isMeasured
  ? [
      [3, 8, 8],
      [5, 14, 10],
    ]
  : [[5, 14, 10]];
const families = ["pairwise", "acr", "mushra", "approval"] as const;
const studies = Array.from({ length: Math.max(1, seeds) }, (_, i) => 100 * (first + i)).flatMap(
  (seed) => families.flatMap((family) => sizes.map((size, i) => [family, size, seed + i] as const)),
);

type Counts = Record<RepairOutcome, number>;
const counts = new Map<string, Counts>();

describe("the smallest difference", () => {
  test.each(studies)(
    "is not another change than the planted one: %s %j, seed %i",
    (family, size, seed) => {
      for (const make of repairTrials(family, size, seed)) {
        const trial = make();
        if (trial === null) continue;
        const outcome = judgeRepair(trial);
        const { plant, kind, decimals, finding } = trial;
        const says = finding.smallest_difference?.says ?? "";
        const text = `${outcome}: ${plant.name}, ${kind}, ${family} of ${size[0]}, decimals ${decimals ?? "all"}: ${says}`;
        if (isMeasured && outcome === "wrong") console.log(text);
        for (const key of [`${plant.origin}, ${kind}`, plant.origin]) {
          const own =
            counts.get(key) ?? (Object.fromEntries(outcomes.map((o) => [o, 0])) as Counts);
          counts.set(key, own);
          own[outcome]++;
        }
        if (plant.origin !== "ratings") expect(outcome, text).not.toBe("wrong");
      }
    },
  );

  test("is the planted one where ratings were changed, but for 3 of 100", () => {
    const { named = 0, wrong = 0 } = counts.get("ratings") ?? {};
    expect(wrong).toBeLessThanOrEqual(0.03 * (named + wrong));
  });

  test.runIf(isMeasured)("the table of docs/records/audit-accuracy.md", () => {
    const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
    console.log(
      rows
        .map(([key, own]) => `| ${[key, ...outcomes.map((o) => own[o])].join(" | ")} |`)
        .join("\n"),
    );
  });
});
