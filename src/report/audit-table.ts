import { attentionOf, fewValues, verdicts, type AuditReport, type AuditRow } from "../audit/index.js";
import { fieldsOf, isKind } from "../metrics/index.js";
import { notWholeLine } from "./export-line.js";
import { counted, settings } from "../platform/index.js";
import { acceptedLines, acceptLines, findingLines } from "./findings.js";
import { remainingText, shortNumber, signedNumber, verdictText } from "./numbers.js";
import { placed, whereOf } from "./places.js";
import { renderTable, truncated } from "./table.js";

export interface AuditTableOptions {
  /** Maximum number of differences shown; the rest is counted. */
  readonly rows?: number;
}

/** The rows of one published result, with every place that publishes it with the same verdict. */
interface ResultRows {
  readonly rows: readonly AuditRow[];
  readonly places: readonly string[];
}

function groupsOf(rows: readonly AuditRow[]): ResultRows[] {
  const groups = new Map<string, AuditRow[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.experiment_id, row.kind, row.dimension, row.source, row.published_in]);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const lines = new Map<string, { rows: AuditRow[]; places: string[] }>();
  for (const own of groups.values()) {
    const [{ experiment_id, kind, dimension, source, published_in }] = own as [AuditRow];
    const key = JSON.stringify([
      experiment_id,
      kind,
      dimension,
      source,
      verdictOf(own),
      largestDifference(own),
      causesOf(own),
    ]);
    const line = lines.get(key) ?? { rows: [], places: [] };
    lines.set(key, line);
    line.rows.push(...own);
    line.places.push(published_in);
  }
  return [...lines.values()];
}

function causesOf(group: readonly AuditRow[]): string[] {
  return [...new Set(group.map((r) => r.explanation).filter((e) => e !== null))];
}

function verdictOf(group: readonly AuditRow[]): string {
  const counts = verdicts
    .map((v) => [v, group.filter((r) => r.verdict === v).length] as const)
    .filter(([, n]) => n > 0);
  const [only] = counts;
  if (counts.length === 1 && only) return verdictText(only[0]);
  return counts.map(([v, n]) => `${n} ${verdictText(v)}`).join(", ");
}

/** The largest difference of the first field that differs, with its name: fields share no unit. */
function largestDifference(group: readonly AuditRow[]): string {
  const off = group.filter((row) => row.verdict !== "exact" && row.difference !== null);
  const rank = ({ kind, field }: AuditRow): number => (isKind(kind) ? fieldsOf(kind).indexOf(field) >>> 0 : 0);
  const first = Math.min(...off.map(rank));
  const largest = off
    .filter((row) => rank(row) === first)
    .reduce<AuditRow | null>((a, b) => (a && Math.abs(a.difference ?? 0) >= Math.abs(b.difference ?? 0) ? a : b), null);
  return largest === null ? "" : `${largest.field} ${signedNumber(largest.difference)}`;
}

function summaryTable(report: AuditReport): string {
  const groups = groupsOf(report.rows);
  let previous = "";
  const rows = groups.map(({ rows: group, places }) => {
    const [first] = group as [AuditRow];
    const name = first.experiment_name || first.experiment_id;
    const shown = first.experiment_id === previous ? "" : name;
    previous = first.experiment_id;
    const cause = causesOf(group);
    const why = cause.length > 1 ? `${cause[0] ?? ""} …` : (cause[0] ?? "");
    return [
      shown,
      first.kind,
      whereOf(first),
      places.join(", "),
      String(group.length),
      verdictOf(group.slice(0, group.length / places.length)),
      largestDifference(group),
      why,
    ];
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
    rows,
  );
}

function differenceTable(report: AuditReport, limit: number): string[] {
  const off = placed(report.rows.filter((row) => attentionOf(row.verdict) > 0)).toSorted(
    (a, b) => attentionOf(b.row.verdict) - attentionOf(a.row.verdict),
  );
  if (off.length === 0) return [];
  const { shown, more } = truncated(off, limit);
  const table = renderTable(
    [
      { head: "experiment" },
      { head: "kind" },
      { head: "scope" },
      { head: "published in" },
      { head: "item" },
      { head: "field" },
      { head: "published", align: "right" },
      { head: "recomputed", align: "right" },
      { head: "difference", align: "right" },
      { head: "under explanation", align: "right" },
      { head: "remaining", align: "right" },
      { head: "verdict" },
    ],
    shown.map(({ row: r, places }) => [
      r.experiment_name || r.experiment_id,
      r.kind,
      whereOf(r),
      places.join(", "),
      r.item,
      r.field,
      shortNumber(r.published),
      shortNumber(r.recomputed),
      signedNumber(r.difference),
      r.under_explanation === null ? "" : shortNumber(r.under_explanation),
      remainingText(r),
      verdictText(r.verdict),
    ]),
  );
  return ["", "Differences:", "", table, ...(more === null ? [] : [more])];
}

function correctnessLines({ correctness }: AuditReport, limit: number): string[] {
  const { compared, equal, different } = correctness;
  const { shown, more } = truncated(different, limit);
  const lines = shown.map(
    (d) =>
      `  ${d.experiment_id} session ${d.session_id} slate ${d.slate_id} ${d.stimulus}: published ${d.published}, recomputed ${d.recomputed}`,
  );
  return [
    "",
    `Correctness flags: ${equal} of ${counted(compared, "rating")} agree.`,
    ...lines,
    ...(more === null ? [] : [`  ${more}`]),
  ];
}

/** Numbers published in two places that cannot be roundings of one number. */
function contradictionLines({ contradictions }: AuditReport, limit: number): string[] {
  if (contradictions.length === 0) return [];
  const { shown, more } = truncated(contradictions, limit);
  const lines = shown.map(({ experiment_id, experiment_name, kind, item, field, published, ...where }) => {
    const said = published.map((p) => `${shortNumber(p.value)} in ${p.published_in}`).join(", ");
    return `  ${experiment_name || experiment_id}, ${kind} of ${whereOf(where)}, ${item} ${field}: ${said}`;
  });
  return [
    "",
    "Published with different values in different places:",
    "",
    ...lines,
    ...(more === null ? [] : [`  ${more}`]),
  ];
}

function leftOutLines({ left_out: leftOut }: AuditReport): string[] {
  if (leftOut.length === 0) return [];
  const numbers = leftOut.reduce((sum, part) => sum + part.numbers, 0);
  const experiments = new Set(leftOut.map((part) => part.experiment_id)).size;
  return [
    `Not in this snapshot: ${counted(experiments, "experiment")}, for which the project's lists publish ${counted(numbers, "number")}.`,
  ];
}

const whyUnread: Record<AuditReport["unread"][number]["reason"], string> = {
  not_permitted: "permission denied",
  not_offered: "not offered by the service",
  not_exported: "not exported",
};

function unreadLines({ unread }: AuditReport): string[] {
  if (unread.length === 0) return [];
  const each = unread.map(
    ({ list, reason, sources }) =>
      `the list of ${list}${sources ? ` of ${sources.join(", ")}` : ""} (${whyUnread[reason]})`,
  );
  return [`Not audited: ${each.join(", ")}.`];
}

/** Results all of whose numbers agree, but that could hardly do otherwise. */
function coarseLines({ results, rows }: AuditReport): string[] {
  const idOf = (of: Pick<AuditRow, "experiment_id" | "kind" | "dimension" | "source" | "published_in">): string =>
    JSON.stringify([of.experiment_id, of.kind, of.dimension, of.source, of.published_in]);
  const differing = new Set(rows.filter((row) => attentionOf(row.verdict) > 0).map(idOf));
  const names = new Map(rows.map((row) => [row.experiment_id, row.experiment_name || row.experiment_id]));
  const coarse = results.filter((result) => result.distinguishable < fewValues && !differing.has(idOf(result)));
  if (coarse.length === 0) return [];
  const each = coarse.map(
    (r) =>
      `${r.kind} of ${names.get(r.experiment_id) ?? r.experiment_id} (${whereOf(r)}, ${r.published_in}: ${counted(r.distinguishable, "value")})`,
  );
  return [`Weak evidence, as the published decimals tell fewer than ${fewValues} values apart: ${each.join("; ")}.`];
}

/** Published fields without a definition, by kind. */
function unreadFieldLines({ unread_fields: fields }: AuditReport): string[] {
  if (fields.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { field, kind, numbers } of fields)
    counts.set(`${field} of ${kind}`, (counts.get(`${field} of ${kind}`) ?? 0) + numbers);
  const each = [...counts].map(([name, numbers]) => `${name} (${counted(numbers, "number")})`);
  return [`Fields without a definition, not audited: ${each.join(", ")}.`];
}

/** The audit as text: one line per published result, then causes, differences and totals. */
export function renderAudit(report: AuditReport, { rows = settings.rows.default }: AuditTableOptions = {}): string {
  const sums = verdicts.filter((v) => report.summary[v] > 0).map((v) => `${report.summary[v]} ${verdictText(v)}`);
  const total = report.rows.length;
  return [
    `Audit of snapshot ${report.snapshot}`,
    `Published numbers: ${total === 0 ? "none" : `${total}: ${sums.join(", ")}`}.`,
    "",
    total === 0 ? "No published results in this snapshot." : summaryTable(report),
    ...(report.findings.length === 0 ? [] : ["", "Why:", "", ...findingLines(report)]),
    ...acceptLines(report),
    ...differenceTable(report, rows),
    ...contradictionLines(report, rows),
    ...correctnessLines(report, rows),
    ...acceptedLines(report),
    ...leftOutLines(report),
    ...unreadLines(report),
    ...unreadFieldLines(report),
    ...coarseLines(report),
    ...(report.shortfalls.length > 0 ? [notWholeLine(report.shortfalls)] : []),
    "",
  ].join("\n");
}
