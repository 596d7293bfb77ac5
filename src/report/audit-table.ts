import { attentionOf, numbersIn, verdicts, type AuditReport, type AuditRow } from "../audit/index.js";
import { isIntervalEnd, isKind, metricKind, kinds, mainField } from "../metrics/index.js";
import { counted, groupsOf, settings } from "../platform/index.js";
import { notWholeLine } from "./lake-text.js";
import {
  adviceOf,
  contradictionNote,
  correctnessNote,
  findingLines,
  limitLines,
  noteLines,
  undecidedLines,
} from "./findings.js";
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
import { flagSentences, verdictSentence } from "./verdict-sentence.js";
import { renderTable, truncated, wrapped } from "./table.js";

export interface AuditTableOptions {
  /** Maximum number of experiments, findings and differences shown; the rest is counted. */
  readonly rows?: number;
  /** Whether every result and difference is shown too. */
  readonly isVerbose?: boolean;
  /** Columns of the terminal; default: no limit. */
  readonly width?: number;
}

/** Every result that differs, in a table for each experiment; the others are counted. */
function resultTables(report: AuditReport, width: number): string[] {
  const results = [...groupsOf(resultsOf(report.rows), ({ first }) => first.experiment_id).values()];
  return results.flatMap((own) => {
    const agreeing = own.filter(({ difference, causes }) => difference === "" && causes.length === 0);
    const others = own.filter((one) => !agreeing.includes(one));
    const which = others.length > 0 ? "other " : agreeing.length > 1 ? "all " : "";
    const text = `${which}${counted(agreeing.length, "result")}: ${verdictsOf(agreeing.flatMap(({ rows }) => rows))}`;
    const { experiment } = own[0];
    if (others.length === 0) return [wrapped(`${experiment}, ${text}`, width)];
    return ["", wrapped(`${experiment}:`, width), resultTable(others, width), ...(agreeing.length === 0 ? [] : [text])];
  });
}

const resultTable = (results: readonly ResultRows[], width: number): string =>
  renderTable(
    [
      { head: "kind", cell: ({ first }) => first.kind },
      { head: "scope", cell: ({ first }) => whereOf(first) },
      { head: "published in", cell: ({ places }) => places },
      { head: "numbers", align: "right", cell: ({ rows }) => String(numbersIn(rows)) },
      { head: "verdict", cell: ({ verdicts }) => verdicts },
      { head: "largest difference", align: "right", cell: ({ difference }) => difference },
      { head: "cause", cell: ({ causes: [first = "", ...others] }) => (others.length > 0 ? `${first} …` : first) },
    ],
    results,
    width,
  );

/** The numbers that differ, a table for each result. */
function differenceTables(report: AuditReport, limit: number, width: number): string[] {
  const off = placed(report.rows.filter((row) => attentionOf(row.verdict) > 0)).toSorted(
    (a, b) => attentionOf(b.row.verdict) - attentionOf(a.row.verdict),
  );
  if (off.length === 0) return [];
  const { shown, more } = truncated(off, limit);
  const resultOf = ({ row, places }: PlacedRow): string =>
    `${row.experiment_name || row.experiment_id}, ${row.kind}, ${whereOf(row)} (${places.join(", ")}):`;
  const tables = [...groupsOf(shown, resultOf)].flatMap(([result, rows]) => [
    "",
    wrapped(result, width),
    comparedTable(rows, ["item", "field"], width),
  ]);
  const notes = [...(more === null ? [] : [more]), ...errorLines(shown.map(({ row }) => row))];
  return ["", "Differences:", ...tables, ...notes.map((line) => wrapped(line, width))];
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
  const flags = correctness === undefined ? [] : flagSentences(correctness);
  return [numbers, ...flags, ...(shortfalls.length > 0 ? [notWholeLine(shortfalls)] : [])].join(" ");
}

/** One line for each experiment: its results, and its numbers by verdict. Those that differ most come first if not all fit. */
function experimentTable({ rows }: AuditReport, limit: number, width: number): string[] {
  const all = [...groupsOf(rows, ({ experiment_id }) => experiment_id).values()];
  const worst = (own: readonly AuditRow[]): number => Math.max(...own.map(({ verdict }) => attentionOf(verdict)));
  const sorted = all.length > limit ? all.toSorted((a, b) => worst(b) - worst(a)) : all;
  const { shown, more } = truncated(sorted, limit);
  const resultsIn = (own: readonly AuditRow[]): number =>
    new Set(own.map((row) => JSON.stringify([row.kind, row.dimension, row.source]))).size;
  const table = renderTable(
    [
      { head: "experiment", cell: ([first]) => first.experiment_name || first.experiment_id },
      { head: "results", align: "right", cell: (own) => String(resultsIn(own)) },
      { head: "numbers", align: "right", cell: (own) => String(numbersIn(own)) },
      { head: "verdict", cell: verdictsOf },
    ],
    shown,
    width,
  );
  return [table, ...(more === null ? [] : [more])];
}

/** What a person can do about an audit that is not green: accept a convention, or look closer. */
function nextLines(report: AuditReport, limit: number, width: number): string[] {
  const advice = adviceOf(report);
  const open = report.findings.find(({ verdict }) => verdict === "unexplained" || verdict === "fitted");
  const { shown, more } = truncated(advice?.yaml ?? [], limit);
  return [
    ...(advice === null ? [] : ["", wrapped(advice.says, width), "", ...shown, ...(more === null ? [] : [more])]),
    ...(open === undefined
      ? []
      : ["", `To look closer: recount explain ${quotedForShell(open.experiment_id)} ${open.kind}`]),
  ];
}

const quotedForShell = (text: string): string =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The audit as text: a sentence, a line for each experiment and each finding, and what to do next; or all of its tables. */
export function renderAudit(
  report: AuditReport,
  { rows = settings.rows.default, isVerbose = false, width = Infinity }: AuditTableOptions = {},
): string {
  const contradictions = contradictionNote(report, rows);
  const findings = truncated([...findingLines(report), ...undecidedLines(report)], isVerbose ? Infinity : rows);
  const isGreen = report.rows.every(({ verdict }) => attentionOf(verdict) === 0);
  const notes = [
    ...(contradictions === null ? [] : ["", ...noteLines(contradictions)]),
    "",
    ...noteLines(correctnessNote(report, rows)),
    ...limitLines(report),
    ...(isVerbose || isGreen ? [] : ["Pass -v for all results and differences."]),
  ];
  const tables = isVerbose ? resultTables(report, width) : experimentTable(report, rows, width);
  return [
    `Audit of snapshot ${report.snapshot}`,
    wrapped(verdictSentence(report), width),
    ...(report.rows.length === 0 ? [] : ["", ...tables]),
    ...(findings.shown.length === 0 ? [] : ["", "Findings:", ""]),
    ...findings.shown.map((line) => wrapped(`- ${line}`, width, "  ")),
    ...(findings.more === null ? [] : [findings.more]),
    ...nextLines(report, isVerbose ? Infinity : rows, width),
    ...(isVerbose ? differenceTables(report, rows, width) : []),
    ...notes.map((line) => wrapped(line, width, "  ")),
    "",
  ].join("\n");
}

/** What a table says about a compared number, by the head of its column. */
const about = {
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
export function comparedTable(
  rows: readonly PlacedRow[],
  heads: readonly (keyof typeof about)[],
  width = Infinity,
): string {
  return renderTable(
    [
      ...heads.map((head) => ({ head, cell: about[head] })),
      ...Object.entries(numbers).map(([head, cell]) => ({ head, cell, align: "right" as const })),
      { head: "verdict", cell: ({ row }) => verdictText(row.verdict) },
    ],
    rows,
    width,
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
