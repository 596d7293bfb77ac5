/** The console: blocks as text, and rows of a query as they come. */
import stringWidth from "string-width";
import { counted, isPlain, joinParts, visible, visibleLines } from "../platform/index.js";
import {
  tabled,
  type Block,
  type PlainCell,
  type TableColumn,
  type TableBlock,
} from "./document.js";

/**
 * Columns of a terminal that a text takes. Printable ASCII needs no look at each character, which
 * takes 20 times as long.
 */
export const textWidth = (text: string): number =>
  isPlain(text) ? text.length : stringWidth(text);

/** Columns of a line of prose, also in a wider terminal. */
const readable = 100;

/**
 * Blocks as lines of at most `width` terminal columns. Prose is broken at blanks, and its lines
 * after the first begin with `indent`. Tables have a header in small letters, without colour or
 * border, so that a log shows the same. Control characters are escaped, so a name cannot forge a
 * line.
 */
export function printed(block: Block, width?: number, indent = ""): string {
  const prose = width === undefined ? Infinity : Math.min(width, readable);
  const lines = (one: Block): string[] => {
    if (one === null || one === false) return [];
    if (typeof one === "string") return [wrapped(visible(one), prose, indent)];
    if ("bullets" in one)
      return one.bullets.map((line) => wrapped(visible(`- ${line}`), prose, "  "));
    if ("code" in one) return one.code.map(visibleLines);
    if ("columns" in one) return tableText(one, width);
    return one.flatMap(lines);
  };
  return lines(block).join("\n");
}

const inConsole = (cell: PlainCell): string =>
  cell === null || cell === undefined || cell === false ? "" : visible(String(cell));

/** Beyond `width` the texts that are aligned left are shortened, the widest first. */
function tableText({ columns, lines }: TableBlock, width = Infinity): string[] {
  const heads = columns.map(({ head }) => inConsole(head).toLowerCase());
  const texts = [heads, ...lines.map((cells) => cells.map(inConsole))];
  const areNumbers = columns.map(({ as }) => as === "num");
  const widths = fittedTo(width, areNumbers, columnWidths(texts));
  const fitted = texts.map((cells) => cells.map((text, i) => fitTo(text, widths[i])));
  return tableLines(areNumbers, widths, fitted).map((line) => fitTo(line, width));
}

export const renderTable = <T>(rows: readonly T[], columns: readonly TableColumn<T>[]): string =>
  printed(tabled(rows, columns));

const narrowest = 8;

function fittedTo(
  width: number,
  areNumbers: readonly boolean[],
  widths: readonly number[],
): number[] {
  const cappedAt = (most: number): number[] =>
    widths.map((own, i) => (areNumbers[i] ? own : Math.min(own, most)));
  const totalOf = (all: readonly number[]): number => all.reduce((sum, own) => sum + own + 2, -2);
  let most = Math.min(width, Math.max(...widths));
  while (most > narrowest && totalOf(cappedAt(most)) > width) most--;
  return cappedAt(most);
}

export function wrapped(text: string, width: number, indent = ""): string {
  if (textWidth(text) <= width) return text;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<=\S) (?=\S)/)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && textWidth(longer) > width) {
      lines.push(line);
      line = fitTo(indent + word, width);
    } else line = fitTo(longer, width);
  }
  return [...lines, line].join("\n");
}

function columnWidths(lines: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const cells of lines)
    cells.forEach((text, i) => {
      widths[i] = Math.max(widths[i] ?? 1, textWidth(text));
    });
  return widths;
}

/** A text wider than its column moves the rest of its line to the right. */
function tableLines(
  areNumbers: readonly boolean[],
  widths: readonly number[],
  lines: readonly (readonly string[])[],
): string[] {
  return lines.map((cells) =>
    cells
      .map((text, i) => {
        const blanks = " ".repeat(Math.max(0, (widths[i] ?? 0) - textWidth(text)));
        return areNumbers[i] ? blanks + text : text + blanks;
      })
      .join("  ")
      .trimEnd(),
  );
}

interface RowsColumn {
  readonly name: string;
  readonly isNumber: boolean;
}

type RowCells = readonly (readonly unknown[])[];

/** Columns of a terminal; undefined for no limit, as for a file or another program. */
type Width = number | undefined;

/** The longest cell on a terminal, in its columns. */
const widestCell = 60;

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return visible(value);
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
    return String(value);
  return visible(
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === "bigint" ? String(inner) : inner,
    ),
  );
}

function roundedCell(value: unknown): unknown {
  if (typeof value !== "number" || Number.isInteger(value)) return value;
  return Math.abs(value) < 1e5 ? Number(value.toPrecision(6)) : Math.round(value);
}

function fitTo(text: string, most = widestCell): string {
  if (textWidth(text) <= most) return text;
  let short = text.slice(0, most);
  while (textWidth(short) > most - 1) short = short.slice(0, -1);
  return `${short}…`;
}

/** Rows that come in several batches. Nulls are empty, numbers are aligned right. */
interface RowsTable {
  readonly header: string;
  lines(rows: RowCells): string;
  footer(shown: number, total: number): string;
}

/** @param sample rows that decide how wide columns are, and which fit */
export function rowsTable(
  columns: readonly RowsColumn[],
  sample: RowCells,
  width: Width,
): RowsTable {
  const text =
    width === undefined ? cellText : (value: unknown) => fitTo(cellText(roundedCell(value)));
  const names = columns.map(({ name }) => visible(name));
  const widths = columnWidths([names, ...sample.map((row) => row.map(text))]);
  const fitting = width === undefined ? columns.length : Math.max(1, fittingOf(widths, width));
  const areNumbers = columns.map(({ isNumber }) => isNumber);
  const rendered = (lines: readonly (readonly string[])[]) =>
    tableLines(
      areNumbers,
      widths,
      lines.map((cells) => cells.slice(0, fitting)),
    ).join("\n");
  const hidden = names.slice(fitting);
  return {
    header: rendered([names]),
    lines: (rows) => rendered(rows.map((row) => row.map(text))),
    footer(shown, total) {
      const rows = counted(total, "row");
      const fits = hidden.length === 1 ? "does not fit" : "do not fit";
      return joinParts(
        [
          shown < total ? `${rows}, ${shown} shown. Pass --rows all to see all.` : rows,
          hidden.length > 0 &&
            `${counted(hidden.length, "column")} ${fits} the terminal: ${hidden.join(", ")}.`,
        ],
        "\n",
      );
    },
  };
}

function fittingOf(widths: readonly number[], width: number): number {
  let used = -2;
  const over = widths.findIndex((own) => (used += own + 2) > width);
  return over === -1 ? widths.length : over;
}

const inMarkdown = (text: string) => text.replace(/[\\|]/g, "\\$&").replace(/[<&]/g, markup);
const markup = (character: string) => (character === "<" ? "&lt;" : "&amp;");
export const markdownLine = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

export function markdownHeader(columns: readonly RowsColumn[]): string {
  const rules = columns.map(({ isNumber }) => (isNumber ? "--:" : "---"));
  return [columns.map(({ name }) => inMarkdown(name)), rules].map(markdownLine).join("\n");
}

/** Rows of a Markdown table. @param longest characters of a cell that are shown */
export function markdownRows(rows: RowCells, longest = Infinity): string {
  const shown = (value: unknown) => {
    const text = cellText(value);
    if (text.length <= longest) return inMarkdown(text);
    return `${inMarkdown(text.slice(0, longest))}… (${counted(text.length, "character")})`;
  };
  return rows.map((row) => markdownLine(row.map(shown))).join("\n");
}
