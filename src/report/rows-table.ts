import { counted, visible } from "../platform/index.js";
import { columnWidths, tableLines, textWidth } from "./table.js";

interface RowsColumn {
  readonly name: string;
  readonly isNumber: boolean;
}

type Cells = readonly (readonly unknown[])[];

/** Columns of a terminal; undefined for no limit, as for a file or another program. */
type Width = number | undefined;

/** The longest cell on a terminal, in its columns. */
const longest = 60;

/** A value in one line, with control characters escaped. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return visible(value);
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  return visible(JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner)));
}

function shortened(text: string): string {
  if (textWidth(text) <= longest) return text;
  let short = text.slice(0, longest);
  while (textWidth(short) > longest - 1) short = short.slice(0, -1);
  return `${short}…`;
}

/** A table of rows that come in several batches. Nulls are empty, numbers are aligned right. */
interface RowsTable {
  /** The names of the columns. */
  readonly header: string;
  /** The lines of some rows. A cell that is wider than its column moves the rest of its line. */
  lines(rows: Cells): string;
  /** The number of rows, and what is not shown. */
  footer(shown: number, total: number): string;
}

/** @param sample rows that decide how wide columns are, and which fit */
export function rowsTable(columns: readonly RowsColumn[], sample: Cells, width: Width): RowsTable {
  const text = width === undefined ? cell : (value: unknown) => shortened(cell(value));
  const names = columns.map(({ name }) => visible(name));
  const widths = columnWidths([names, ...sample.map((row) => row.map(text))]);
  const fitting = width === undefined ? columns.length : Math.max(1, fittingOf(widths, width));
  const specs = columns
    .slice(0, fitting)
    .map(({ isNumber }, i) => ({ head: names[i] ?? "", align: isNumber ? ("right" as const) : ("left" as const) }));
  const rendered = (lines: readonly (readonly string[])[]) => tableLines(specs, widths, lines).join("\n");
  const hidden = names.slice(fitting);
  return {
    header: rendered([names]),
    lines: (rows) => rendered(rows.map((row) => row.slice(0, fitting).map(text))),
    footer(shown, total) {
      const rows = shown < total ? `${counted(total, "row")}, ${shown} shown. Pass --rows all to see all.` : "";
      const fits = hidden.length === 1 ? "does not fit" : "do not fit";
      const missing =
        hidden.length === 0 ? "" : `${counted(hidden.length, "column")} ${fits} the terminal: ${hidden.join(", ")}.`;
      return [rows === "" ? counted(total, "row") : rows, missing].filter(Boolean).join("\n");
    },
  };
}

/** How many of the first columns fit, with two blanks between. */
function fittingOf(widths: readonly number[], width: number): number {
  let used = -2;
  const over = widths.findIndex((own) => (used += own + 2) > width);
  return over === -1 ? widths.length : over;
}

const inMarkdown = (value: unknown) => cell(value).replace(/[\\|]/g, "\\$&").replace(/[<&]/g, markup);
const markup = (character: string) => (character === "<" ? "&lt;" : "&amp;");
const markdownLine = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** The header of a Markdown table. */
export function markdownHeader(columns: readonly RowsColumn[]): string {
  const rules = columns.map(({ isNumber }) => (isNumber ? "--:" : "---"));
  return [columns.map(({ name }) => inMarkdown(name)), rules].map(markdownLine).join("\n");
}

/** Rows of a Markdown table. */
export function markdownRows(rows: Cells): string {
  return rows.map((row) => markdownLine(row.map(inMarkdown))).join("\n");
}
