import { describe, expect, test } from "vitest";
import type { AuditReport, AuditRow } from "../../src/audit/index.js";
import { toneOfReport } from "../../src/report/tones.js";
import { verdictLine } from "../../src/report/verdict-sentence.js";
import { reportOf, row } from "../support/audit-report.js";

type Counts = Partial<Record<AuditRow["verdict"], number>>;

interface Rest {
  readonly flags?: number;
  readonly open?: number;
  readonly shortfalls?: number;
  /** Rows that are about no number of their own. */
  readonly notes?: readonly Pick<AuditRow, "field" | "numbers">[];
  readonly ignored?: number;
  readonly lists?: AuditReport["unread"];
}

const of = (
  rows: readonly AuditRow[],
  { flags = 0, open = 0, shortfalls = 0, notes = [], ignored = 0, lists = [] }: Rest = {},
  rest: Partial<AuditReport> = {},
): AuditReport =>
  reportOf(
    [...rows, ...notes.map((note) => row("", "not_auditable", { published: null, ...note }))],
    {
      correctness: {
        ...{ compared: 5, equal: 5 - flags, compared_in: {}, different: [] },
        inconclusive: open === 0 ? [] : [{ experiment_id: "exp1", reason: "", ratings: open }],
      },
      shortfalls: Array.from({ length: shortfalls }, () => ({}) as never),
      unread: lists,
      unread_fields: ignored === 0 ? [] : [{ numbers: ignored, ignored: "as agreed" } as never],
      ...rest,
    },
  );

const rowsOf = (verdicts: Counts): AuditRow[] =>
  Object.entries(verdicts).flatMap(([verdict, count]) =>
    Array.from({ length: count }, (_, i) =>
      row(`${verdict}${i}`, verdict as AuditRow["verdict"], { explanation: "training=include" }),
    ),
  );

const unread = (field: string, numbers: number) => ({ field, numbers });

const counted: readonly [says: string, Counts, Rest][] = [
  ["The snapshot contains no published numbers.", {}, {}],
  ["The only published number follows from the ratings exactly.", { exact: 1 }, {}],
  ["All 1,046 published numbers follow from the ratings exactly.", { exact: 1046 }, {}],
  [
    "All 5 published numbers follow: 3 exactly, 2 under one stated convention.",
    { exact: 3, explained: 2 },
    {},
  ],
  [
    "All 3 published numbers follow: 1 exactly, 1 within the tolerance, 1 under a convention that nobody has stated.",
    { exact: 1, within_tolerance: 1, unstated: 1 },
    {},
  ],
  [
    "2 of 3 published numbers need a decision; the others follow from the ratings.",
    { exact: 1, inconclusive: 2 },
    {},
  ],
  ["The only published number needs a decision.", { inconclusive: 1 }, {}],
  ["All 3 published numbers need a decision.", { contradictory: 1, inconclusive: 2 }, {}],
  [
    "All 480 published numbers that were compared follow from the ratings exactly. 239 more numbers were not read.",
    { exact: 480 },
    { notes: [unread("votes", 238), unread("p", 1)] },
  ],
  [
    "1 of 3 published numbers that were compared needs a decision; the others follow from the ratings. 1 more number was not read. 1 result was not compared. 1 stated option needs a decision. 1 number is left out by the pipeline file. 1 published list was not read.",
    { exact: 2, inconclusive: 1 },
    {
      notes: [unread("votes", 1), { field: "" }, { field: "options.k" }],
      ignored: 1,
      lists: [{ list: "metrics", reason: "not_permitted" }],
    },
  ],
  [
    "No published number was compared with the ratings. 1 result was not compared. 3 correctness flags need a decision.",
    {},
    { notes: [{ field: "" }], open: 3 },
  ],
  [
    "All 2 published numbers follow from the ratings exactly. 2 correctness flags contradict the data. The snapshot is incomplete.",
    { exact: 2 },
    { flags: 2, shortfalls: 1 },
  ],
];

const board = (item: string, published: number, recomputed: number, rest: Partial<AuditRow> = {}) =>
  row(item, published === Math.round(recomputed) ? "exact" : "unexplained", {
    ...{ kind: "bradley_terry", published, recomputed, difference: published - recomputed },
    ...rest,
  });
const scale = (rest: Partial<AuditReport["scales"][number]> = {}): Partial<AuditReport> => ({
  scales: [
    {
      ...{ experiment_id: "exp1", dimension: "", groups: [] },
      ...({ direction: "higher", ground: "votes" } as const),
      ...rest,
    },
  ],
});
const rest = [board("B", 1040, 1040.1), board("C", 1035, 1034.8), board("D", 1030, 1030.2)];
const off = (items: string, rest: Partial<AuditRow> = {}): AuditRow[] =>
  Array.from(items, (item, i) => board(item, 1100 - i, 1000 + 10 * i, rest));
const ofNoMetric: Partial<AuditRow> = {
  ...{ kind: "", recomputed: null, difference: null },
  explanation: "no kind gives its numbers",
};
const mean = (rest: Partial<AuditRow>): AuditRow =>
  board("A", 4.48, 3.897, { kind: "mean", ...rest });

const wrong: readonly [
  when: string,
  says: string,
  rows: readonly AuditRow[],
  Partial<AuditReport>,
][] = [
  [
    "one main number, which has another rank",
    "A is published 9 points too high, which makes it second instead of fourth",
    [board("A", 1038, 1029.3), ...rest],
    scale(),
  ],
  [
    "one main number with the same rank",
    "A is published 9 points too low",
    [board("A", 1050, 1058.8), ...rest],
    scale(),
  ],
  [
    "lower is better",
    "A is published 9 points too high, which makes it third instead of first",
    [board("A", 1038, 1029.3), ...rest],
    scale({ direction: "lower" }),
  ],
  [
    "tied with another item",
    "A is published 9 points too high",
    [board("A", 1038, 1029), board("B", 1029, 1029)],
    scale(),
  ],
  [
    "not connected",
    "A is published 9 points too high",
    [board("A", 1038, 1029.3), ...rest],
    scale({ groups: [["A", "B"], ["C"]] }),
  ],
  [
    "no known direction",
    "A is published as 1038; 1029.3 follows",
    [board("A", 1038, 1029.3), ...rest],
    scale({ direction: null, ground: null }),
  ],
  [
    "no known kind",
    "A is published as 1038; 1029.3 follows",
    [board("A", 1038, 1029.3, { kind: "" })],
    scale(),
  ],
  [
    "of no metric, which differ from nothing",
    "no kind gives its numbers",
    off("ABCD", ofNoMetric),
    scale(),
  ],
  [
    "with its interval",
    "A is published 9 points too high, which makes it second instead of fourth; its interval does not follow either",
    [
      board("A", 1038, 1029.3),
      board("A", 1018, 1007.3, { field: "ci_low" }),
      board("A", 1059, 1050.3, { field: "ci_high" }),
      ...rest,
    ],
    scale(),
  ],
  [
    "another field",
    "Bradley-Terry, n of A",
    [board("A", 700, 714, { field: "n" }), ...rest],
    scale(),
  ],
  [
    "not published",
    "A is not published",
    [row("A", "unexplained", { published: null, difference: null }), ...rest],
    scale(),
  ],
  [
    "without a number from the ratings",
    "A gets no number from them",
    [board("A", 700, 714, { recomputed: null, under_explanation: null, difference: null })],
    scale(),
  ],
  [
    "one number in two places, in one of two experiments",
    "A in Codecs is published as 4.48 in 2 places; 3.897 follows",
    [mean({}), mean({ published_in: "metrics" }), board("B", 1, 1, { experiment_id: "exp2" })],
    {},
  ],
  ["two items", "the ratings of X and Y", [...off("XY"), ...rest], scale()],
  [
    "two ranks",
    "the ranks of X and Y",
    [...off("XY").map((one) => ({ ...one, field: "rank" })), ...rest],
    scale(),
  ],
  ["two kinds", "the numbers of X and A", [...off("X"), mean({})], scale()],
  ["more than three items", "most of all X, Y and Z", [...off("XYZW"), ...rest], scale()],
  [
    "more than three items, of which two are off by what is published",
    "most of all X and Y",
    [...off("XY"), ...rest.map((near) => ({ ...near, verdict: "unexplained" as const }))],
    scale(),
  ],
];

describe("the verdict of a report in words", () => {
  test.each(counted)("%s", (says, verdicts, beside) => {
    expect(verdictLine(of(rowsOf(verdicts), beside))).toBe(says);
  });

  test.each(wrong)("names false numbers: %s", (_when, says, rows, beside) => {
    const wrongs = rows.filter(({ verdict }) => verdict === "unexplained").length;
    const does = wrongs === 1 ? "does" : "do";
    const line = verdictLine(of(rows, {}, beside));
    expect(line).toContain(` ${does} not follow from the ratings: ${says}.`);
    expect(
      line.startsWith(rows.length === 1 ? "The only published" : `${wrongs} of ${rows.length} `),
    ).toBe(true);
  });

  test.each([
    [{ exact: 2 }, "The other 2 follow exactly."],
    [{ exact: 1 }, "The other follows exactly."],
    [
      { exact: 1, unstated: 1, inconclusive: 1 },
      "Of the other 3, 2 follow: 1 exactly, 1 under a convention that nobody has stated; 1 needs a decision.",
    ],
  ] as [Counts, string][])("says how the others follow: %j", (verdicts, says) => {
    expect(verdictLine(of([board("A", 1038, 1029), ...rowsOf(verdicts)]))).toContain(` ${says}`);
  });

  test("says which conventions are accepted", () => {
    const finding = {
      ...{ experiment_id: "exp1", kind: "percent_chosen", dimension: "", source: "" },
      ...{ published_in: ["results"], explanation: { says: "" } },
      accepted: { reason: "as agreed" },
    } as never;
    expect(verdictLine(of(rowsOf({ explained: 2 }), {}, { findings: [finding] }))).toBe(
      "All 2 published numbers follow from the ratings under one accepted convention.",
    );
  });

  test("has the tone of its exit code, and none of agreement about nothing", () => {
    const toneWith = (verdicts: Counts, beside: Rest = {}) =>
      toneOfReport(of(rowsOf(verdicts), beside));
    expect(
      [{ exact: 1 }, {}, { unstated: 1 }, { unexplained: 1, unstated: 1 }].map((one) =>
        toneWith(one),
      ),
    ).toEqual(["ok", "doubt", "doubt", "bad"]);
    expect(
      [{ open: 1 }, { flags: 1 }, { shortfalls: 1 }].map((beside) =>
        toneWith({ exact: 1 }, beside),
      ),
    ).toEqual(["doubt", "bad", "doubt"]);
  });
});
