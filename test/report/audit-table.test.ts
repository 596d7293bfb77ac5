import { describe, expect, test } from "vitest";
import type { AuditReport, AuditRow } from "../../src/audit/index.js";
import { renderAudit } from "../../src/report/index.js";
import * as shared from "../support/audit-report.js";

const row = (
  item: string,
  published: number,
  recomputed: number,
  rest: Partial<AuditRow> = {},
): AuditRow => ({
  ...shared.row(item, published === recomputed ? "exact" : "unexplained"),
  experiment_name: "Codec preference",
  ...{ published, recomputed, difference: published - recomputed },
  ...rest,
});

const flag = {
  experiment_id: "exp1",
  session_id: "s",
  slate_id: "7",
  stimulus: "a",
  dimension: "",
};
const correctness = {
  compared: 10,
  equal: 9,
  compared_in: {},
  different: [{ ...flag, published: true, recomputed: null }],
  inconclusive: [],
};
const reportOf = (rows: AuditRow[]): AuditReport => shared.reportOf(rows, { correctness });

describe("renderAudit", () => {
  test("lists experiments by the numbers in their names", () => {
    const names = ["round 10", "round 9", "round 1"];
    const rows = names.map((name) =>
      row("a", 75, 75, { experiment_id: name, experiment_name: name }),
    );
    const places = names.map((name) => renderAudit(reportOf(rows)).indexOf(`${name} `));
    expect(places.toSorted((x, y) => y - x)).toEqual(places);
  });

  const three = reportOf([
    row("a", 75, 75),
    row("b", 45.9, 45.806),
    row("c", 12, 12, { dimension: "motion", source: "job2" }),
  ]);

  test("prints a sentence, a line for each experiment and for each cause", () => {
    expect(renderAudit(three)).toBe(
      `Audit of snapshot s1
1 of 3 published numbers does not follow from the ratings: b is published as 45.9; 45.81 follows. The other 2 follow exactly. 1 correctness flag contradicts the data.

experiment        results  numbers  verdict
Codec preference        2        3  2 exact, 1 unexplained

Findings:

- Codec preference, percent_chosen (results): 1 number unexplained

Correctness flags: 9 of 10 ratings agree.
  exp1 session s slate 7 a: published true, recomputed null
Pass -v for all results and differences.
`,
    );
  });

  test("has the most urgent experiment first, then the order of names and identifiers", () => {
    const rows = ["z", "b", "a", "a"].map((experiment_name, i) =>
      row("x", 1, i, { experiment_name, experiment_id: String(9 - i) }),
    );
    for (const isVerbose of [false, true])
      expect(renderAudit(reportOf(rows), { isVerbose })).toMatch(/\na .*\na .*\nz .*\nb /);
  });

  test("prints every result, and every difference, on request", () => {
    expect(renderAudit(three, { isVerbose: true })).toContain(
      `
experiment        metric          scope         published in  numbers  verdict                 largest difference  cause
Codec preference  percent_chosen  all           results             2  1 exact, 1 unexplained        value +0.094
Codec preference  percent_chosen  motion, job2  results             1  exact
`,
    );
    expect(renderAudit(three, { isVerbose: true })).toContain(
      `Differences:

Codec preference, percent_chosen, all (results):
item  field  published  recomputed  difference  under explanation  remaining  verdict
b     value       45.9      45.806      +0.094                                unexplained
`,
    );
  });

  test("prints nothing wider than the terminal", () => {
    const long = "a".repeat(300);
    const rows = [
      row(long, 1, 2, { experiment_name: "An experiment of many words ".repeat(9) }),
      row("b", 3, 4, {
        explanation: "why ".repeat(99),
        published_in: long,
        verdict: "not_auditable",
      }),
    ];
    for (const isVerbose of [false, true]) {
      const lines = renderAudit(reportOf(rows), { isVerbose, width: 60 }).split("\n");
      expect(lines.filter((line) => line.length > 60)).toEqual([]);
    }
  });

  test("truncates long lists and counts the rest", () => {
    const rows = Array.from({ length: 30 }, (_, i) => row(`item${i}`, i + 1, i));
    expect(renderAudit(reportOf(rows), { rows: 5, isVerbose: true })).toContain("… and 25 more");
  });

  test("says what the errors and intervals that it shows suppose", () => {
    const printed = renderAudit(reportOf([row("a", 4, 3, { kind: "stats", field: "ci_high" })]), {
      isVerbose: true,
    });
    expect(printed).toContain(
      "In stats, sem, ci_low and ci_high suppose that ratings are independent of each other;",
    );
    const ofMean = reportOf([row("a", 4, 3, { kind: "stats", field: "mean" })]);
    expect(renderAudit(ofMean, { isVerbose: true })).not.toContain("suppose");
  });
});

describe("the explanation lines", () => {
  const finding = {
    experiment_id: "exp1",
    kind: "percent_chosen",
    dimension: "",
    source: "",
    published_in: ["results"],
    explanation: null,
    verdict: "unexplained" as const,
    accepted: null,
    nearest: null,
    smallest_difference: null,
    renamed: [],
    stated: [],
    tried: 21,
    untried: [],
  };

  test("name the convention, what it contradicts, and indistinguishable alternatives", () => {
    const explanation = {
      name: "ties=half k=16",
      says: "a tie is half a win for each and k is 16",
      bits: { evidence: 60, cost: 12, margin: 3 },
      unstated: "ties=half k=16",
      contradicts: ["k=32"],
      reproduced: 7,
      of: 8,
      differing: 8,
      matched: 7,
      mixed: [],
      rivals: ["training=include k=15"],
    };
    expect(
      renderAudit({
        ...reportOf([row("a", 1, 2, { under_explanation: 2, remaining: -1 })]),
        findings: [{ ...finding, verdict: "explained", explanation }],
      }),
    ).toContain(
      "Codec preference, percent_chosen: a: 1 published, 2 recomputed (−1). 7 of 8 numbers match when a tie is half a win for each and k is 16, although the published options state k=32 (ties=half k=16). " +
        "The published numbers cannot distinguish it from: training=include k=15.",
    );
  });

  test("state the smallest change where no convention explains the numbers", () => {
    const smallest = {
      change: "copied",
      ids: ["a", "b"],
      says: "b is published with the numbers of a",
    } as const;
    expect(
      renderAudit({
        ...reportOf([row("a", 1, 2)]),
        findings: [{ ...finding, smallest_difference: smallest }],
      }),
    ).toContain(
      "Codec preference, percent_chosen: no convention explains them (21 tried); b is published with the numbers of a.",
    );
  });
});
