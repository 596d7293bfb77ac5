import { describe, expect, test } from "vitest";
import { fsp } from "../../../src/platform/files.js";
import { conventionWith, type ConventionInput } from "../../../src/emulator/scoring/convention.js";
import { isCorrect } from "../../../src/emulator/simulation/raters.js";
import { population } from "../../../src/emulator/scoring/population.js";
import { kinds, score, type ScoredKind } from "../../../src/emulator/scoring/score.js";
import type { ScoredStudy } from "../../../src/emulator/scoring/population.js";

type Numbers = Record<string, number | Record<string, number>>;
interface Golden extends ScoredStudy {
  expected: Record<string, Record<string, Numbers> & { variants: Record<string, Numbers> }>;
}

const golden = async (name: string) =>
  JSON.parse(await fsp.readFile(new URL(`../../golden/${name}.json`, import.meta.url), "utf8")) as Golden;

const variants: Record<string, [ScoredKind, ConventionInput]> = {
  "percent_chosen ties=half": ["percent_chosen", { ties: { percent_chosen: "half" } }],
  "percent_chosen ties=exclude": ["percent_chosen", { ties: { percent_chosen: "exclude" } }],
  "percent_chosen training=include": ["percent_chosen", { training: "include" }],
  "percent_chosen incomplete=include": ["percent_chosen", { incomplete: "include" }],
  "mean training=include": ["mean", { training: "include" }],
  "mean incomplete=include": ["mean", { incomplete: "include" }],
  "elo k=16 initial=1000": ["elo", { elo: { k: 16, start: 1000 } }],
  "elo update=session_batch": ["elo", { elo: { update: "session_batch" } }],
  "elo ties=skip": ["elo", { elo: { ties: "skip" } }],
  "elo training=include": ["elo", { training: "include" }],
  "bayesian_elo stop_elo=1": ["bayesian_elo", { bayesian_elo: { stop_elo: 1 } }],
  "bayesian_elo a=2 b=0.05": ["bayesian_elo", { bayesian_elo: { shape: 2, rate: 0.05 } }],
  "bayesian_elo training=include": ["bayesian_elo", { training: "include" }],
  "bayesian_elo rater_quality (alpha=10 beta=2)": [
    "bayesian_elo",
    { bayesian_elo: { rater_quality: { alpha: 10, beta: 2 } } },
  ],
};

// Converged reals agree to 1e-9 relative; interval ends go through quantiles, so 1e-6 (docs/explanation/metrics.md).
function agree(
  study: ScoredStudy,
  kind: ScoredKind,
  dimension: string,
  input: ConventionInput,
  expected: Numbers,
): void {
  const convention = conventionWith(input);
  const rows = score(kind, dimension, population(study, convention), convention);
  expect(rows.map((row) => row.stimulus)).toEqual(Object.keys(expected).sort());
  for (const row of rows) {
    const value = expected[row.stimulus] as Record<string, number> | number;
    const fields = typeof value === "number" ? { value } : value;
    for (const [field, number] of Object.entries(fields)) {
      const found = row[field === "percent" ? "value" : field] as number;
      const tolerance = /^p\d|ci_/.test(field) ? 1e-6 : Number.isInteger(number) ? 1e-12 : 1e-9;
      expect(Math.abs(found - number), `${kind} ${row.stimulus} ${field}: ${found} for ${number}`).toBeLessThanOrEqual(
        tolerance * Math.max(1, Math.abs(number)),
      );
    }
  }
}

describe.each(["tiny-pairwise", "codec-preference", "two-dimensions", "mushra", "acr", "approval"])("%s", (name) => {
  test("default conventions and every variant", async () => {
    const study = await golden(name);
    let compared = 0;
    for (const [dimension, expected] of Object.entries(study.expected)) {
      for (const kind of kinds) {
        if (expected[kind] === undefined) continue;
        agree(study, kind, dimension, {}, expected[kind]);
        compared += 1;
      }
      for (const [variant, numbers] of Object.entries(expected.variants)) {
        const known = variants[variant];
        if (known === undefined) throw new Error(`no convention for ${variant}`);
        agree(study, known[0], dimension, known[1], ("scores" in numbers ? numbers.scores : numbers) as Numbers);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThanOrEqual(4);
  });
});

test("correctness cases", async () => {
  const file = await fsp.readFile(new URL("../../golden/correctness.json", import.meta.url), "utf8");
  const cases = JSON.parse(file) as { score: number | null; meta: unknown; is_correct: boolean | null }[];
  expect(cases.map(({ score, meta }) => isCorrect(score, meta))).toEqual(cases.map((c) => c.is_correct));
});
