import { describe, expect, test } from "vitest";
import type { AuditReport, AuditRow } from "../../src/audit/index.js";
import { toneOfReport, verdictSentence } from "../../src/report/verdict-sentence.js";

type Counts = Partial<Record<AuditRow["verdict"], number>>;

/** What a report has beside its compared numbers. */
interface Rest {
  readonly flags?: number;
  /** Ratings whose flags cannot be compared. */
  readonly open?: number;
  readonly shortfalls?: number;
  /** Rows that are about no number of their own. */
  readonly notes?: readonly Pick<AuditRow, "field" | "numbers">[];
  readonly ignored?: number;
  readonly lists?: AuditReport["unread"];
}

/** As much of a report as its sentence reads. */
function reportOf(
  verdicts: Counts,
  { flags = 0, open = 0, shortfalls = 0, notes = [], ignored = 0, lists = [] }: Rest,
): AuditReport {
  const rows = Object.entries(verdicts).flatMap(([verdict, count]) =>
    Array.from({ length: count }, () => ({ item: "A", field: "value", verdict })),
  );
  return {
    rows: [...rows, ...notes.map((note) => ({ item: "", verdict: "not_auditable", ...note }))],
    correctness: {
      compared: 5,
      equal: 5 - flags,
      inconclusive: open === 0 ? [] : [{ ratings: open }],
    },
    shortfalls: Array.from({ length: shortfalls }, () => ({})),
    unread: lists,
    unread_fields: ignored === 0 ? [] : [{ numbers: ignored, ignored: "as agreed" }],
  } as unknown as AuditReport;
}

const unread = (field: string, numbers: number) => ({ field, numbers });

const cases: readonly [says: string, Counts, Rest][] = [
  ["The snapshot contains no published numbers.", {}, {}],
  ["The only published number follows from the ratings exactly.", { exact: 1 }, {}],
  ["All 1,046 published numbers follow from the ratings exactly.", { exact: 1046 }, {}],
  [
    "All 5 published numbers follow from the ratings: 3 exactly, 2 as explained.",
    { exact: 3, explained: 2 },
    {},
  ],
  [
    "1 of 3 published numbers needs a decision; the others follow from the ratings.",
    { exact: 2, unstated: 1 },
    {},
  ],
  [
    "2 of 3 published numbers need a decision; the others follow from the ratings.",
    { exact: 1, inconclusive: 2 },
    {},
  ],
  ["The only published number needs a decision.", { unstated: 1 }, {}],
  ["All 3 published numbers need a decision.", { unstated: 1, inconclusive: 2 }, {}],
  ["1 of 1 published number does not follow from the ratings.", { unexplained: 1 }, {}],
  [
    "All 480 published numbers that were compared follow from the ratings exactly. 239 more numbers were not read.",
    { exact: 480 },
    { notes: [unread("votes", 238), unread("p", 1)] },
  ],
  [
    "1 of 3 published numbers that were compared needs a decision; the others follow from the ratings. 1 more number was not read. 1 result was not compared. 1 stated option needs a decision. 1 number is left out by the pipeline file. 1 published list was not read.",
    { exact: 2, unstated: 1 },
    {
      notes: [unread("votes", 1), { field: "" }, { field: "options.k" }],
      ignored: 1,
      lists: [{ list: "metrics", reason: "not_permitted" }],
    },
  ],
  [
    "The only published number that was compared follows from the ratings exactly. 2 results were not compared. 2 stated options need a decision. 2 numbers are left out by the pipeline file. 2 published lists were not read.",
    { exact: 1 },
    {
      notes: [{ field: "" }, { field: "" }, { field: "options.k" }, { field: "options.alpha" }],
      ignored: 2,
      lists: [
        { list: "metrics", reason: "not_permitted" },
        { list: "rubrics", reason: "not_offered" },
      ],
    },
  ],
  [
    "No published number was compared with the ratings. 1 result was not compared. 3 correctness flags need a decision.",
    {},
    { notes: [{ field: "" }], open: 3 },
  ],
  [
    "The snapshot contains no published numbers. 1 correctness flag needs a decision.",
    {},
    { open: 1 },
  ],
  [
    "2 of 4 published numbers do not follow from the ratings. 1 more needs a decision.",
    { exact: 1, unexplained: 2, unstated: 1 },
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
    "All 2 published numbers follow from the ratings exactly. 2 correctness flags contradict the data. The snapshot is incomplete.",
    { exact: 2 },
    { flags: 2, shortfalls: 1 },
  ],
];

describe("the verdict of a report in words", () => {
  test.each(cases)("%s", (says, verdicts, rest) => {
    expect(verdictSentence(reportOf(verdicts, rest))).toBe(says);
  });

  test("has the tone of its exit code, and none of agreement about nothing", () => {
    const toneWith = (verdicts: Counts, rest: Rest = {}) =>
      toneOfReport({ ...reportOf(verdicts, rest), summary: verdicts as AuditReport["summary"] });
    expect(
      [{ exact: 1 }, {}, { unstated: 1 }, { unexplained: 1, unstated: 1 }].map((one) =>
        toneWith(one),
      ),
    ).toEqual([...["ok", "doubt", "doubt", "bad"]]);
    expect(
      [{ open: 1 }, { flags: 1 }, { shortfalls: 1 }].map((rest) => toneWith({ exact: 1 }, rest)),
    ).toEqual([...["doubt", "bad", "doubt"]]);
  });
});
