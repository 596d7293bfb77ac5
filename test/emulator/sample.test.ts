import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { initialState } from "../../src/emulator/sample/sample.js";

test("the sample project is the same on every machine", async () => {
  const { projects } = await initialState();
  const studies = [...projects.values()].flatMap((project) => [...project.studies.values()]);
  const ratings = studies.flatMap(({ slates }) => slates.flatMap((slate) => slate.ratings));
  expect(ratings).toHaveLength(19_391);
  // Math.exp and Math.log may differ in the last bit between engines; answers are whole numbers, so they do not show it.
  const answers = ratings.map(({ score, rater_id, stimulus, dimension, is_training }) => [
    score,
    rater_id,
    stimulus,
    dimension,
    is_training,
  ]);
  expect(createHash("sha256").update(JSON.stringify(answers)).digest("hex").slice(0, 16)).toBe(
    "30355fa9bcf2a51a",
  );
});

test("no session was updated before it was completed", async () => {
  const { projects } = await initialState();
  const studies = [...projects.values()].flatMap((project) => [...project.studies.values()]);
  const ends = studies
    .flatMap(({ sessions }) => [...sessions.values()])
    .flatMap(({ date_completed: end, date_updated: updated }) =>
      end === null ? [] : [Date.parse(updated) - Date.parse(end)],
    );
  expect(ends.length).toBeGreaterThan(500);
  expect(Math.min(...ends)).toBeGreaterThanOrEqual(0);
});
