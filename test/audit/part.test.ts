import { expect, test } from "vitest";
import { auditExitCode, partOfAudit } from "../../src/audit/index.js";
import { reportOf, row } from "../support/audit-report.js";

const flag = { slate_id: "1", session_id: "s", stimulus: "a", dimension: "" };
const report = reportOf(
  [
    row("A", "exact"),
    row("B", "unexplained"),
    row("A", "exact", { experiment_id: "exp2", kind: "elo" }),
  ],
  {
    correctness: {
      compared: 5,
      equal: 4,
      compared_in: { exp1: 3, exp2: 2 },
      different: [{ experiment_id: "exp1", ...flag, published: true, recomputed: false }],
      inconclusive: [{ experiment_id: "exp2", reason: "odd", ratings: 1 }],
    },
    accepted: ["exp1", "exp2", "*"].map((experiment) => ({
      experiment,
      kind: "*",
      convention: "training=include",
      reason: "agreed",
      numbers: 3,
      state: "does_not_hold" as const,
    })),
    left_out: [{ published_in: "metrics", experiment_id: "exp3", numbers: 4 }],
    shortfalls: [
      { kind: "torn", experiment_id: null, count: 1, message: "torn" },
      { kind: "experiment", experiment_id: "exp1", count: 1, message: "incomplete" },
    ],
  },
);

test("flags, accepted conventions and shortfalls of a part are those of its experiment", async () => {
  const part = await partOfAudit(report, { experiment: "exp2" });
  expect(part.correctness).toEqual({
    compared: 2,
    equal: 2,
    compared_in: { exp2: 2 },
    different: [],
    inconclusive: [{ experiment_id: "exp2", reason: "odd", ratings: 1 }],
  });
  expect(
    part.accepted.map(({ experiment, numbers, state }) => [experiment, numbers, state]),
  ).toEqual([
    ["exp2", 1, "not_needed"],
    ["*", 1, "not_needed"],
  ]);
  expect(part.shortfalls.map(({ message }) => message)).toEqual(["torn"]);
  expect(part.left_out).toEqual([]);
  expect(part.part?.others).toMatchObject({ exact: 1, unexplained: 1 });
  expect(auditExitCode(part.summary)).toBe(0);
  expect((await partOfAudit(report, { experiment: "exp1" })).correctness).toMatchObject({
    compared: 3,
    equal: 2,
  });
});

test("a part by kind has no flags; nothing chosen is the whole", async () => {
  const { correctness, summary } = await partOfAudit(report, { kind: "percent_chosen" });
  expect(correctness).toMatchObject({ compared: 0, equal: 0, different: [], inconclusive: [] });
  expect(summary).toMatchObject({ exact: 1, unexplained: 1 });
  expect(await partOfAudit(report, {})).toBe(report);
});
