import { verdicts, type AuditReport, type AuditRow, type Verdict } from "../audit/index.js";
import { findingLines } from "./findings.js";
import { counted, shortNumber, signedNumber } from "./numbers.js";
import { renderTable, truncated } from "./table.js";

export interface AuditTableOptions {
  /** Rows of the list of differences before it is cut, with a count of the rest. */
  readonly rows?: number;
}

const words: Record<Verdict, string> = {
  exact: "exact",
  within_tolerance: "within tolerance",
  explained: "explained",
  unexplained: "unexplained",
  not_auditable: "not auditable",
  inconclusive: "inconclusive",
};

/** A dimension and a source where they are not the empty default. */
function whereOf({ dimension, source }: AuditRow): string {
  return [dimension === "" ? "" : dimension, source === "" ? "" : `job ${source}`].filter((t) => t !== "").join(", ") || "all";
}

/** Consecutive rows of one published result. */
function groupsOf(rows: readonly AuditRow[]): AuditRow[][] {
  const groups = new Map<string, AuditRow[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.experiment_id, row.kind, row.dimension, row.source]);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}

function verdictOf(group: readonly AuditRow[]): string {
  const counts = verdicts.map((v) => [v, group.filter((r) => r.verdict === v).length] as const).filter(([, n]) => n > 0);
  const [only] = counts;
  if (counts.length === 1 && only) return words[only[0]];
  return counts.map(([v, n]) => `${n} ${words[v]}`).join(", ");
}

/** Of the main field where it differs at all, since a count and a rating have no common unit. */
function largestDifference(group: readonly AuditRow[]): number | null {
  const off = group.filter((row) => row.verdict !== "exact");
  const main = off.filter((row) => row.field === "value" || row.field === "mean" || row.field === "wins");
  let largest: number | null = null;
  for (const { difference } of main.length > 0 ? main : off) {
    if (difference !== null && (largest === null || Math.abs(difference) > Math.abs(largest))) largest = difference;
  }
  return largest;
}

function summaryTable(report: AuditReport): string {
  const groups = groupsOf(report.rows);
  let previous = "";
  const rows = groups.map((group) => {
    const [first] = group as [AuditRow];
    const name = first.experiment_name || first.experiment_id;
    const shown = first.experiment_id === previous ? "" : name;
    previous = first.experiment_id;
    const cause = [...new Set(group.map((r) => r.explanation).filter((e) => e !== null))];
    const why = cause.length > 1 ? `${cause[0] ?? ""} …` : (cause[0] ?? "");
    return [shown, first.kind, whereOf(first), String(group.length), verdictOf(group), signedNumber(largestDifference(group)), why];
  });
  return renderTable(
    [
      { head: "experiment" },
      { head: "kind" },
      { head: "of" },
      { head: "numbers", align: "right" },
      { head: "verdict" },
      { head: "largest difference", align: "right" },
      { head: "because" },
    ],
    rows,
  );
}

function differenceTable(report: AuditReport, limit: number): string[] {
  const agreed: readonly Verdict[] = ["exact", "within_tolerance"];
  const rank = (row: AuditRow): number => ["unexplained", "inconclusive", "not_auditable", "explained"].indexOf(row.verdict);
  const off = report.rows.filter((row) => !agreed.includes(row.verdict)).toSorted((a, b) => rank(a) - rank(b));
  if (off.length === 0) return [];
  const { shown, more } = truncated(off, limit);
  const table = renderTable(
    [
      { head: "experiment" },
      { head: "kind" },
      { head: "of" },
      { head: "item" },
      { head: "field" },
      { head: "published", align: "right" },
      { head: "recomputed", align: "right" },
      { head: "difference", align: "right" },
      { head: "verdict" },
    ],
    shown.map((r) => [
      r.experiment_name || r.experiment_id,
      r.kind,
      whereOf(r),
      r.item,
      r.field,
      shortNumber(r.published),
      shortNumber(r.recomputed),
      signedNumber(r.difference),
      words[r.verdict],
    ]),
  );
  return ["", "What differs:", "", table, ...(more === null ? [] : [more])];
}

function correctnessLines({ correctness }: AuditReport, limit: number): string[] {
  const { compared, equal, different } = correctness;
  const { shown, more } = truncated(different, limit);
  const lines = shown.map(
    (d) =>
      `  ${d.experiment_id} session ${d.session_id} slate ${d.slate_id} ${d.stimulus}: published ${d.published}, recomputed ${d.recomputed}`,
  );
  return ["", `Correctness flags: ${equal} of ${counted(compared, "rating")} agree.`, ...lines, ...(more === null ? [] : [`  ${more}`])];
}

/** The audit as a person reads it: each published result in a line, then what differs, then the sums. */
export function renderAudit(report: AuditReport, { rows = 20 }: AuditTableOptions = {}): string {
  const sums = verdicts.filter((v) => report.summary[v] > 0).map((v) => `${report.summary[v]} ${words[v]}`);
  const total = report.rows.length;
  return [
    `Audit of snapshot ${report.snapshot}`,
    "",
    total === 0 ? "No published results in this snapshot." : summaryTable(report),
    ...(report.findings.length === 0 ? [] : ["", "Why:", "", ...findingLines(report)]),
    ...differenceTable(report, rows),
    ...correctnessLines(report, rows),
    `Published numbers: ${total === 0 ? "none" : `${total}: ${sums.join(", ")}`}.`,
    "",
  ].join("\n");
}
