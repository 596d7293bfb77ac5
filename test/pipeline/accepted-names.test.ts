import { expect, it } from "vitest";
import { conventionProblem } from "../../src/audit/explain/names.js";
import { readPipeline } from "../../src/pipeline/index.js";
import { temporaryLake } from "../support/export-to-lake.js";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

it.each([
  [
    "elo",
    "trainings=include",
    /^"trainings=include" is no convention of elo\. Did you mean training=include\? Known/,
  ],
  ["elo", "training=maybe", /Known here: training=include, training=exclude, training=only\.$/],
  [
    "elo",
    "k=17",
    /Known here: k=4, .*k=40\. For another, set conventions: \{ elo: \{ k: 17 \} \}\.$/,
  ],
  ["elo", "start=blue", /^"start=blue" is no convention of elo\. /],
  ["mean", "k=16", /^"k=16" is no convention of mean\./],
  [
    "*",
    "nonsense",
    /^"nonsense" is no convention of any metric\. Known here: training, incomplete, /,
  ],
  ["bradley_terry", "unit=elp", /^"unit=elp" is no .* Did you mean unit=elo\? .*unit=natural, /],
  ["bradley_terry", "unit=elo_1114@elm fit=ridge", null],
  ["elo", "start=1480", null],
  ["mean", "start=1480", /^"start=1480" is no convention of mean\./],
  ["mean", "shift=-5", /^"shift=-5" is no convention of mean\./],
  ["elo", "training=include k=16 job=abc start=1500", null],
  ["mean", "relative=the best one rounding=truncate", null],
  ["mean", "scale=0.01", null],
  ["*", "k=16", null],
])("of %s: %s", (kind, convention, problem) => {
  if (problem === null) expect(conventionProblem(kind, convention)).toBeNull();
  else expect(conventionProblem(kind, convention)).toMatch(problem);
});

it("a pipeline that accepts a convention that no audit finds is refused before anything runs", async () => {
  const folder = temporaryLake();
  const file = join(folder, "p.yaml");
  const accept = "[{ experiment: x, kind: elo, convention: K=16, reason: r }]";
  for (const text of [`accept: ${accept}`, `projects: { A: { accept: ${accept} } }`]) {
    writeFileSync(file, text);
    await expect(readPipeline(file, {})).rejects.toMatchObject({
      exitCode: 4,
      message: expect.stringContaining(
        'p.yaml: accept of x, convention: "K=16" is no convention of elo.',
      ) as string,
    });
  }
  rmSync(folder, { recursive: true });
});
