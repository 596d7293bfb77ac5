import stringWidth from "string-width";
import { isPlain, counted, visible } from "../platform/index.js";

/** How a column looks. */
interface ColumnSpec {
  readonly head: string;
  readonly align?: "left" | "right" | undefined;
}

/** A column of a table: its head, and what it shows of a row. */
export interface TextColumn<T> extends ColumnSpec {
  readonly cell: (row: T, i: number) => string;
}

/** Columns of a terminal that a text takes. Printable ASCII needs no look at each character, which takes 20 times as long. */
export const textWidth = (text: string): number => (/^[ -~]*$/.test(text) ? text.length : stringWidth(text));

/**
 * Plain columns under a header, without colour or border, so that a log shows the same. Beyond `width` terminal columns
 * the texts that are aligned left are shortened, the widest first.
 */
export function renderTable<T>(columns: readonly TextColumn<T>[], rows: readonly T[], width = Infinity): string {
  const texts = [columns.map(({ head }) => head), ...rows.map((row, i) => columns.map(({ cell }) => cell(row, i)))];
  const widths = fittedTo(width, columns, columnWidths(texts));
  const lines = texts.map((cells) => cells.map((text, i) => shortened(text, widths[i])));
  return tableLines(columns, widths, lines)
    .map((line) => shortened(line, width))
    .join("\n");
}

/** Fewest columns of a shortened text. */
const narrowest = 8;

function fittedTo(width: number, columns: readonly ColumnSpec[], widths: readonly number[]): number[] {
  const capped = (most: number): number[] =>
    widths.map((own, i) => (columns[i]?.align === "right" ? own : Math.min(own, most)));
  const totalOf = (all: readonly number[]): number => all.reduce((sum, own) => sum + own + 2, -2);
  let most = Math.min(width, Math.max(...widths));
  while (most > narrowest && totalOf(capped(most)) > width) most--;
  return capped(most);
}

/** Prose in lines of at most `width` terminal columns, broken at blanks; lines after the first begin with `indent`. */
export function wrapped(text: string, width: number, indent = ""): string {
  if (textWidth(text) <= width) return text;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<=\S) (?=\S)/)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && textWidth(longer) > width) {
      lines.push(line);
      line = shortened(indent + word, width);
    } else line = shortened(longer, width);
  }
  return [...lines, line].join("\n");
}

/** In terminal cells. */
const widthOf = (text: string) => (isPlain(text) ? text.length : textWidth(text));

/** The width of each column in terminal cells: that of its widest text, at least 1. */
function columnWidths(lines: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const cells of lines)
    cells.forEach((text, i) => {
      widths[i] = Math.max(widths[i] ?? 1, widthOf(text));
    });
  return widths;
}

/** Lines of a table whose columns have these widths; a wider text moves the rest of its line to the right. */
function tableLines(
  columns: readonly ColumnSpec[],
  widths: readonly number[],
  lines: readonly (readonly string[])[],
): string[] {
  return lines.map((cells) =>
    columns
      .map(({ align }, i) => {
        const text = cells[i] ?? "";
        const blanks = " ".repeat(Math.max(0, (widths[i] ?? 0) - widthOf(text)));
        return align === "right" ? blanks + text : text + blanks;
      })
      .join("  ")
      .trimEnd(),
  );
}

/** The first `limit` rows, and a line with the number of the others; null when there are none. */
export function truncated<T>(
  rows: readonly T[],
  limit: number,
): { readonly shown: readonly T[]; readonly more: string | null } {
  if (rows.length <= limit) return { shown: rows, more: null };
  return { shown: rows.slice(0, limit), more: `… and ${rows.length - limit} more` };
}

interface RowsColumn {
  readonly name: string;
  readonly isNumber: boolean;
}

type RowCells = readonly (readonly unknown[])[];

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

/** A number with 6 significant digits, or without decimals; everything else as it is. */
function rounded(value: unknown): unknown {
  if (typeof value !== "number" || Number.isInteger(value)) return value;
  return Math.abs(value) < 1e5 ? Number(value.toPrecision(6)) : Math.round(value);
}

function shortened(text: string, most = longest): string {
  if (textWidth(text) <= most) return text;
  let short = text.slice(0, most);
  while (textWidth(short) > most - 1) short = short.slice(0, -1);
  return `${short}…`;
}

/** A table of rows that come in several batches. Nulls are empty, numbers are aligned right. */
interface RowsTable {
  /** The names of the columns. */
  readonly header: string;
  /** The lines of some rows. A cell that is wider than its column moves the rest of its line. */
  lines(rows: RowCells): string;
  /** The number of rows, and what is not shown. */
  footer(shown: number, total: number): string;
}

/** @param sample rows that decide how wide columns are, and which fit */
export function rowsTable(columns: readonly RowsColumn[], sample: RowCells, width: Width): RowsTable {
  const text = width === undefined ? cell : (value: unknown) => shortened(cell(rounded(value)));
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

const inMarkdown = (text: string) => text.replace(/[\\|]/g, "\\$&").replace(/[<&]/g, markup);
const markup = (character: string) => (character === "<" ? "&lt;" : "&amp;");
const markdownLine = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** The header of a Markdown table. */
export function markdownHeader(columns: readonly RowsColumn[]): string {
  const rules = columns.map(({ isNumber }) => (isNumber ? "--:" : "---"));
  return [columns.map(({ name }) => inMarkdown(name)), rules].map(markdownLine).join("\n");
}

/** Rows of a Markdown table. @param longest characters of a cell that are shown */
export function markdownRows(rows: RowCells, longest = Infinity): string {
  const shown = (value: unknown) => {
    const text = cell(value);
    if (text.length <= longest) return inMarkdown(text);
    return `${inMarkdown(text.slice(0, longest))}… (${counted(text.length, "character")})`;
  };
  return rows.map((row) => markdownLine(row.map(shown))).join("\n");
}
