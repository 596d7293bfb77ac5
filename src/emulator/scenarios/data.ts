import { changed, defineScenario } from "./scenario.js";

export const quarantine = defineScenario({
  name: "quarantine",
  description: "One rating has text in place of its score.",
  options: {
    faults: [{ operation: "listRatings", experiment: changed, fault: { kind: "wrong_type", row: 10, field: "score" } }],
  },
  ends: { exitCode: 2, shows: "inconclusive" },
});

/** An experiment with one job is read as its results, those of the job, and both again; if they differ, once more. */
const firstReads = Array.from({ length: 1000 }, (_, i) => 1 + 4 * i);

export const tornRead = defineScenario({
  name: "torn-read",
  description: "The results of an experiment change each time they are read.",
  options: {
    faults: [
      { operation: "listResults", experiment: changed, nth: firstReads, fault: { kind: "short_list", rows: 3 } },
    ],
  },
  ends: { exitCode: 2, shows: "1 torn or incomplete experiment" },
});

export const goneExperiment = defineScenario({
  name: "gone-experiment",
  description: "The ratings of one experiment answer 404.",
  options: { faults: [{ operation: "listRatings", experiment: changed, fault: { kind: "status", status: 404 } }] },
  ends: { exitCode: 2, shows: "inconclusive" },
});

export const emptyRatings = defineScenario({
  name: "empty-ratings",
  description: "The list of ratings of one experiment is empty, and its slates have their ratings.",
  options: { faults: [{ operation: "listRatings", experiment: changed, fault: { kind: "empty_list" } }] },
  ends: { exitCode: 3, shows: "--allow-shrink" },
});

export const lostRaters = defineScenario({
  name: "lost-raters",
  description: "The list of raters of one experiment has only its first row.",
  options: { faults: [{ operation: "listRaters", experiment: changed, fault: { kind: "short_list", rows: 1 } }] },
  ends: { exitCode: 3, shows: "--allow-shrink" },
});

export const newField = defineScenario({
  name: "new-field",
  description: "Ratings have fields that the interface does not have.",
  options: { faults: [{ operation: "listRatings", fault: { kind: "unknown_fields" } }] },
  ends: { exitCode: 0, shows: "exact" },
});

export const olderShape = defineScenario({
  name: "older-shape",
  description: "Records come in the shape of version 0.7.5, without some fields.",
  options: { faults: [{ fault: { kind: "older_shape", from_row: 0 } }] },
  ends: { exitCode: 0, shows: "exact" },
});
