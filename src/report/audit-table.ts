import { attentionOf, verdicts, type AuditReport, type AuditRow } from "../audit/index.js";
import { isIntervalEnd, isKind, metricKind, kinds, mainField } from "../metrics/index.js";
import { counted, groupsOf, settings } from "../platform/index.js";
import { notWholeLine } from "./lake-text.js";
import { adviceOf, contradictionNote, correctnessNote, findingLines, limitLines, noteLines } from "./findings.js";
import {
  verdictText,
  placed,
  whereOf,
  remainingText,
  shortNumber,
  differenceText,
  type PlacedRow,
  columnOfNumbers,
} from "./numbers.js";
import { resultsOf, verdictsOf, type ResultRows } from "./results.js";
import { renderTable, truncated } from "./table.js";

export interface AuditTableOptions {
  /** Maximum number of differences shown; the rest is counted. */
  readonly rows?: number;
}

/** A line of the summary: one result, or all results of an experiment whose numbers agree. */
interface ResultLine extends ResultRows {
  readonly kind: string;
  readonly scope: string;
}

function linesOfExperiment(results: readonly ResultRows[]): ResultLine[] {
  const agreeing = results.filter(({ difference, causes }) => difference === "" && causes.length === 0);
  const lines = results
    .filter((one) => agreeing.length < 2 || !agreeing.includes(one))
    .map((one): ResultLine => ({ ...one, kind: one.first.kind, scope: whereOf(one.first) }));
  const [first] = agreeing;
  if (first === undefined || agreeing.length < 2) return lines;
  const rows = agreeing.flatMap((one) => one.rows);
  const kind = `${lines.length === 0 ? "all" : "other"} ${agreeing.length} results`;
  return [...lines, { ...first, rows, kind, scope: "", places: "", verdicts: verdictsOf(rows) }];
}

function summaryTable(report: AuditReport): string {
  const results = [...groupsOf(resultsOf(report.rows), ({ first }) => first.experiment_id).values()].flatMap(
    linesOfExperiment,
  );
  const isRepeated = ({ first }: ResultLine, i: number) => results[i - 1]?.first.experiment_id === first.experiment_id;
  return renderTable(
    [
      { head: "experiment", cell: (one, i) => (isRepeated(one, i) ? "" : one.experiment) },
      { head: "kind", cell: ({ kind }) => kind },
      { head: "scope", cell: ({ scope }) => scope },
      { head: "published in", cell: ({ places }) => places },
      { head: "numbers", align: "right", cell: ({ rows }) => String(rows.length) },
      { head: "verdict", cell: ({ verdicts }) => verdicts },
      { head: "largest difference", align: "right", cell: ({ difference }) => difference },
      { head: "cause", cell: ({ causes: [first = "", ...others] }) => (others.length > 0 ? `${first} …` : first) },
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
  const table = comparedTable(shown, Object.keys(about) as (keyof typeof about)[]);
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
export type AuditOutcome = Pick<AuditReport, "summary" | "shortfalls"> & {
  correctness?: AuditReport["correctness"] | undefined;
};

/** The audit in one line: its numbers by verdict, and what the snapshot lacks. */
export function resultLine({ summary, shortfalls, correctness }: AuditOutcome): string {
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
  const advice = adviceOf(report);
  const contradictions = contradictionNote(report, rows);
  return [
    `Audit of snapshot ${report.snapshot}`,
    resultLine({ summary: report.summary, shortfalls: [] }),
    "",
    total === 0 ? "No published results in this snapshot." : summaryTable(report),
    ...(report.findings.length === 0 ? [] : ["", "Why:", "", ...findingLines(report)]),
    ...(advice === null ? [] : ["", advice.says, "", ...advice.yaml]),
    ...differenceTable(report, rows),
    ...(contradictions === null ? [] : ["", ...noteLines(contradictions)]),
    "",
    ...noteLines(correctnessNote(report, rows)),
    ...limitLines(report),
    "",
  ].join("\n");
}

/** What a table says about a compared number, by the head of its column. */
const about = {
  experiment: ({ row }: PlacedRow) => row.experiment_name || row.experiment_id,
  kind: ({ row }: PlacedRow) => row.kind,
  scope: ({ row }: PlacedRow) => whereOf(row),
  "published in": ({ places }: PlacedRow) => places.join(", "),
  item: ({ row }: PlacedRow) => row.item,
  field: ({ row }: PlacedRow) => row.field,
};

const numbers = {
  published: ({ row }: PlacedRow) => shortNumber(row.published),
  recomputed: ({ row }: PlacedRow) => shortNumber(row.recomputed),
  difference: ({ row }: PlacedRow) => (row.verdict === "exact" ? "" : differenceText(row)),
  "under explanation": ({ row }: PlacedRow) =>
    row.under_explanation === null ? "" : shortNumber(row.under_explanation),
  remaining: ({ row }: PlacedRow) => remainingText(row),
};

/** A table of compared numbers: the columns with these heads, the numbers, and the verdict. */
export function comparedTable(rows: readonly PlacedRow[], heads: readonly (keyof typeof about)[]): string {
  return renderTable(
    [
      ...heads.map((head) => ({ head, cell: about[head] })),
      ...Object.entries(numbers).map(([head, cell]) => ({ head, cell, align: "right" as const })),
      { head: "verdict", cell: ({ row }) => verdictText(row.verdict) },
    ],
    rows,
  );
}

/** The kinds that rank the items of an experiment, preferred first. */
const ranking = kinds
  .filter((kind) => metricKind(kind).ranks !== undefined)
  .toSorted((a, b) => (metricKind(a).ranks ?? 0) - (metricKind(b).ranks ?? 0));

interface LeaderboardTable {
  readonly experiment_id: string;
  readonly experiment_name: string;
  readonly dimension: string;
  readonly kind: string;
  /** Best first, by the recomputed number. */
  readonly rows: readonly AuditRow[];
}

/** One leaderboard per experiment and dimension, from the preferred kind that it publishes. */
function leaderboardsOf(report: AuditReport): LeaderboardTable[] {
  const isMain = ({ kind, field }: AuditRow) => ranking.some((each) => each === kind && mainField(each) === field);
  const main = report.rows.filter((row) => row.source === "" && row.published_in === "results" && isMain(row));
  const boards = groupsOf(main, ({ experiment_id, dimension }) => JSON.stringify([experiment_id, dimension]));
  return [...boards.values()].flatMap((all) => {
    const kind = ranking.find((k) => all.some((row) => row.kind === k));
    const rows = all
      .filter((row) => row.kind === kind)
      .toSorted((a, b) => (b.recomputed ?? -Infinity) - (a.recomputed ?? -Infinity));
    const [first] = rows;
    if (first === undefined || kind === undefined) return [];
    const { experiment_id, experiment_name, dimension } = first;
    return [{ experiment_id, experiment_name, dimension, kind, rows }];
  });
}

/** Each leaderboard as a table: rank, item, published and recomputed number. */
export function renderLeaderboards(report: AuditReport, limit = 10): string {
  return leaderboardsOf(report)
    .map((board) => {
      const { shown, more } = truncated(board.rows, limit);
      const published = columnOfNumbers(shown.map((row) => row.published));
      const recomputed = columnOfNumbers(shown.map((row) => row.recomputed));
      const table = renderTable(
        [
          { head: "#", align: "right", cell: (_, i) => String(i + 1) },
          { head: "item", cell: ({ item }) => item },
          { head: "published", align: "right", cell: (_, i) => published[i] ?? "" },
          { head: "recomputed", align: "right", cell: (_, i) => recomputed[i] ?? "" },
          { head: "verdict", cell: ({ verdict }) => verdictText(verdict) },
        ],
        shown,
      );
      const title = `${board.experiment_name || board.experiment_id}${board.dimension === "" ? "" : `, ${board.dimension}`}: ${board.kind}`;
      return [title, "", table, ...(more === null ? [] : [more]), ""].join("\n");
    })
    .join("\n");
}
