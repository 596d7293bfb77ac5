/** An audit on the console: its tables, findings and what to do next. */
import {
  attentionOf,
  numbersIn,
  resultKey,
  type AuditReport,
  type AuditRow,
} from "../audit/index.js";
import { isOfInterval, isKind, metricKind } from "../metrics/index.js";
import {
  firstLines,
  firstOf,
  groupsOf,
  joinParts,
  settings,
  sumOf,
  thousands,
} from "../platform/index.js";
import { notWholeLine } from "./lake-text.js";
import {
  adviceOf,
  causeLines,
  contradictionNote,
  correctnessNote,
  limitLines,
  noteLines,
} from "./findings.js";
import {
  verdictCounts,
  verdictText,
  whereOf,
  remainingText,
  underExplanation,
  shortNumber,
  signedDifference,
} from "./numbers.js";
import { judgedNumbers, type JudgedNumber, type JudgedRow } from "./judged.js";
import { column, tabled, type Block, type TableBlock } from "./document.js";
import {
  experimentName,
  experimentsOf,
  resultColumns,
  mergedResults,
  verdictsOf,
} from "./results.js";
import { flagSentences, verdictLine } from "./verdict-sentence.js";
import { printed } from "./table.js";

interface AuditTableOptions {
  /** Maximum number of experiments, findings and differences shown; the rest is counted. */
  readonly rows?: number;
  readonly isVerbose?: boolean;
  /** Columns of the terminal; default: no limit. */
  readonly width?: number;
}

const needsAttention = ({ row }: JudgedRow): boolean => attentionOf(row.verdict) > 0;

function differenceTables(report: AuditReport, limit: number): Block {
  const off = judgedNumbers(report, needsAttention)
    .filter(needsAttention)
    .toSorted((a, b) => attentionOf(b.row.verdict) - attentionOf(a.row.verdict));
  if (off.length === 0) return null;
  const { shown, note } = firstOf(off, limit);
  const resultOf = ({ row, places }: JudgedNumber): string =>
    `${experimentName(row)}, ${row.kind}, ${whereOf(row)} (${places.join(", ")}):`;
  const tables = [...groupsOf(shown, resultOf)].map(([result, rows]) => [
    "",
    result,
    comparedTable(rows, ["item", "field"]),
  ]);
  return ["", "Differences:", tables, note, errorLines(shown.map(({ row }) => row))];
}

/** What the standard errors and intervals among the rows suppose. */
function errorLines(rows: readonly AuditRow[]): string[] {
  const kinds = rows.flatMap(({ kind, field }) =>
    isKind(kind) && (field === "sem" || isOfInterval(kind, field)) ? [kind] : [],
  );
  return [...new Set(kinds)].flatMap((kind) => {
    const { errors } = metricKind(kind);
    return errors === undefined ? [] : [`In ${kind}, ${errors}.`];
  });
}

type AuditOutcome = Pick<AuditReport, "summary" | "shortfalls"> & {
  correctness?: AuditReport["correctness"] | undefined;
};

export function resultLine({ summary, shortfalls, correctness }: AuditOutcome): string {
  const total = sumOf(Object.values(summary));
  const numbers = `Published numbers: ${
    total === 0 ? "none" : `${thousands(total)} (${verdictCounts(summary)})`
  }.`;
  const flags = correctness && flagSentences(correctness);
  return joinParts([numbers, flags, shortfalls.length > 0 && notWholeLine(shortfalls)], " ");
}

function experimentTable({ rows: all }: AuditReport, limit: number): Block {
  const { shown, note } = firstOf(experimentsOf(all), limit);
  const table = tabled(shown, [
    column.plain("Experiment", ({ name }) => name),
    column.num("Results", ({ rows }) => new Set(rows.map(resultKey)).size),
    column.num("Numbers", ({ rows }) => numbersIn(rows)),
    column.plain("Verdict", ({ rows }) => verdictsOf(rows)),
  ]);
  return [table, note];
}

function nextLines(report: AuditReport, limit: number): Block {
  const advice = adviceOf(report);
  const open = report.findings.find(({ verdict }) => verdict === "unexplained");
  return [
    advice && ["", advice.says, "", { code: firstLines(advice.yaml, limit) }],
    open !== undefined && [
      "",
      {
        code: [
          `To look closer: recount explain ${quotedForShell(open.experiment_id)} ${open.kind}`,
        ],
      },
    ],
  ];
}

const quotedForShell = (text: string): string =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

export function renderAudit(
  report: AuditReport,
  { rows = settings.rows.default, isVerbose = false, width }: AuditTableOptions = {},
): string {
  const contradictions = noteLines(contradictionNote(report, rows));
  const findings = firstOf(causeLines(report), isVerbose ? Infinity : rows);
  const isGreen = report.rows.every((row) => attentionOf(row.verdict) === 0);
  const notes = [
    contradictions.length > 0 && ["", contradictions],
    "",
    noteLines(correctnessNote(report, rows)),
    limitLines(report),
    !isVerbose && !isGreen && "Pass -v for all results and differences.",
  ];
  const tables = isVerbose
    ? tabled(mergedResults(report.rows), resultColumns)
    : experimentTable(report, rows);
  const text: Block = [
    `Audit of snapshot ${report.snapshot}`,
    verdictLine(report),
    report.rows.length > 0 && ["", tables],
    findings.shown.length > 0 && ["", "Findings:", ""],
    { bullets: findings.shown },
    findings.note,
    nextLines(report, isVerbose ? Infinity : rows),
    isVerbose && differenceTables(report, rows),
  ];
  return [printed(text, width), printed(notes, width, "  "), ""].join("\n");
}

const comparedHeads = {
  "published in": column.plain("Published in", (one: JudgedNumber) => one.places.join(", ")),
  item: column.plain("Item", ({ row }: JudgedNumber) => row.item),
  field: column.plain("Field", ({ row }: JudgedNumber) => row.field),
};

export const comparedTable = (
  rows: readonly JudgedNumber[],
  heads: readonly (keyof typeof comparedHeads)[],
): TableBlock =>
  tabled(rows, [
    ...heads.map((head) => comparedHeads[head]),
    column.num("Published", ({ row }) => shortNumber(row.published)),
    column.num("Recomputed", ({ row }) => shortNumber(row.recomputed)),
    column.num("Difference", ({ row }) => row.verdict !== "exact" && signedDifference(row)),
    column.num("Under explanation", ({ row }) => {
      const under = underExplanation(row);
      return under !== null && shortNumber(under);
    }),
    column.num("Remaining", ({ row }) => remainingText(row)),
    column.plain("Verdict", ({ row }) => verdictText(row.verdict)),
  ]);
