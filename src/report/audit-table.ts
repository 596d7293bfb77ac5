import { attentionOf, verdicts, type AuditReport, type AuditRow } from "../audit/index.js";
import { isIntervalEnd, isKind, metricKind } from "../metrics/index.js";
import { notWholeLine } from "./export-line.js";
import { comparedTable } from "./compared-table.js";
import { counted, settings } from "../platform/index.js";
import { acceptLines, findingLines } from "./findings.js";
import { noteLines } from "./notes.js";
import { verdictText } from "./numbers.js";
import { placed, whereOf } from "./places.js";
import { resultsOf } from "./results.js";
import { renderTable, truncated } from "./table.js";

export interface AuditTableOptions {
  /** Maximum number of differences shown; the rest is counted. */
  readonly rows?: number;
}

function summaryTable(report: AuditReport): string {
  let previous = "";
  const results = resultsOf(report.rows).map(({ rows, first, experiment, places, verdicts, difference, causes }) => {
    const shown = first.experiment_id === previous ? "" : experiment;
    previous = first.experiment_id;
    const why = causes.length > 1 ? `${causes[0] ?? ""} …` : (causes[0] ?? "");
    return [shown, first.kind, whereOf(first), places, String(rows.length), verdicts, difference, why];
  });
  return renderTable(
    [
      { head: "experiment" },
      { head: "kind" },
      { head: "scope" },
      { head: "published in" },
      { head: "numbers", align: "right" },
      { head: "verdict" },
      { head: "largest difference", align: "right" },
      { head: "cause" },
    ],
    results,
  );
}

function differenceTable(report: AuditReport, limit: number): string[] {
  const off = placed(report.rows.filter((row) => attentionOf(row.verdict) > 0)).toSorted(
    (a, b) => attentionOf(b.row.verdict) - attentionOf(a.row.verdict),
  );
  if (off.length === 0) return [];
  const { shown, more } = truncated(off, limit);
  const table = comparedTable(shown, ["experiment", "kind", "scope", "published in", "item", "field"]);
  return ["", "Differences:", "", table, ...(more === null ? [] : [more]), ...errorLines(shown.map(({ row }) => row))];
}

/** What the standard errors and intervals among the rows suppose. */
function errorLines(rows: readonly AuditRow[]): string[] {
  const kinds = rows.flatMap(({ kind, field }) =>
    isKind(kind) && (field === "sem" || isIntervalEnd(kind, field)) ? [kind] : [],
  );
  return [...new Set(kinds)].flatMap((kind) => {
    const { errors } = metricKind(kind);
    return errors === undefined ? [] : [`In ${kind}, ${errors}.`];
  });
}

/** What one line says of an audit. */
export type Outcome = Pick<AuditReport, "summary" | "shortfalls"> & {
  correctness?: AuditReport["correctness"] | undefined;
};

/** The audit in one line: its numbers by verdict, and what the snapshot lacks. */
export function resultLine({ summary, shortfalls, correctness }: Outcome): string {
  const sums = verdicts.filter((v) => summary[v] > 0).map((v) => `${summary[v]} ${verdictText(v)}`);
  const total = verdicts.reduce((sum, v) => sum + summary[v], 0);
  const numbers = `Published numbers: ${total === 0 ? "none" : `${total}: ${sums.join(", ")}`}.`;
  const flags = (correctness?.compared ?? 0) - (correctness?.equal ?? 0);
  const differing = flags === 0 ? [] : [`${counted(flags, "correctness flag")} ${flags === 1 ? "differs" : "differ"}.`];
  return [numbers, ...differing, ...(shortfalls.length > 0 ? [notWholeLine(shortfalls)] : [])].join(" ");
}

/** The audit as text: one line per published result, then causes, differences and totals. */
export function renderAudit(report: AuditReport, { rows = settings.rows.default }: AuditTableOptions = {}): string {
  const total = report.rows.length;
  return [
    `Audit of snapshot ${report.snapshot}`,
    resultLine({ summary: report.summary, shortfalls: [] }),
    "",
    total === 0 ? "No published results in this snapshot." : summaryTable(report),
    ...(report.findings.length === 0 ? [] : ["", "Why:", "", ...findingLines(report)]),
    ...acceptLines(report),
    ...differenceTable(report, rows),
    ...noteLines(report, rows),
    "",
  ].join("\n");
}
