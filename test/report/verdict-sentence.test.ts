import { describe, expect, test } from "vitest";
import type { AuditReport, AuditRow } from "../../src/audit/index.js";
import { verdictSentence } from "../../src/report/verdict-sentence.js";
import { templatesIn, unsaid } from "../support/templates.js";

type Counts = Partial<Record<AuditRow["verdict"], number>>;

/** As much of a report as its sentence reads. */
function reportOf(
  verdicts: Counts,
  { flags = 0, shortfalls = 0 }: { flags?: number; shortfalls?: number },
): AuditReport {
  const rows = Object.entries(verdicts).flatMap(([verdict, count]) =>
    Array.from({ length: count }, () => ({ verdict })),
  );
  return {
    rows,
    summary: verdicts,
    correctness: { compared: 5, equal: 5 - flags },
    shortfalls: Array.from({ length: shortfalls }, () => ({})),
  } as unknown as AuditReport;
}

const cases: readonly [says: string, Counts, { flags?: number; shortfalls?: number }][] = [
  ["The snapshot contains no published numbers.", {}, {}],
  ["The only published number follows from the ratings exactly.", { exact: 1 }, {}],
  ["All 1,046 published numbers follow from the ratings exactly.", { exact: 1046 }, {}],
  ["All 5 published numbers follow from the ratings: 3 exactly, 2 as explained.", { exact: 3, explained: 2 }, {}],
  ["1 of 3 published numbers needs a decision; the others follow from the ratings.", { exact: 2, unstated: 1 }, {}],
  ["2 of 3 published numbers need a decision; the others follow from the ratings.", { exact: 1, inconclusive: 2 }, {}],
  ["1 of 1 published number does not follow from the ratings.", { unexplained: 1 }, {}],
  [
    "2 of 4 published numbers do not follow from the ratings. 1 more needs a decision.",
    { exact: 1, unexplained: 1, fitted: 1, unstated: 1 },
    {},
  ],
  [
    "1 of 4 published numbers does not follow from the ratings. 3 more need a decision.",
    { unexplained: 1, not_auditable: 3 },
    {},
  ],
  [
    "All 2 published numbers follow from the ratings exactly. 1 correctness flag contradicts the data.",
    { exact: 2 },
    { flags: 1 },
  ],
  [
    "All 2 published numbers follow from the ratings exactly. 2 correctness flags contradict the data. The snapshot is not whole.",
    { exact: 2 },
    { flags: 2, shortfalls: 1 },
  ],
];

describe("the verdict of a report in words", () => {
  test.each(cases)("%s", (says, verdicts, rest) => {
    expect(verdictSentence(reportOf(verdicts, rest))).toBe(says);
  });

  test("has a case for each of its texts", () => {
    const said = cases.map(([says]) => says);
    expect(unsaid(templatesIn(["report/verdict-sentence.ts"]), said)).toEqual([]);
  });
});
