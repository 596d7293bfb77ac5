import stringWidth from "string-width";
import { isPlain } from "../platform/index.js";

interface ColumnSpec {
  readonly head: string;
  readonly align?: "left" | "right";
}

/** Columns of a terminal that a text takes. Printable ASCII needs no look at each character, which takes 20 times as long. */
export const textWidth = (text: string): number => (/^[ -~]*$/.test(text) ? text.length : stringWidth(text));

/** Plain columns under a header, without colour or border, so that a log shows the same. */
export function renderTable(columns: readonly ColumnSpec[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map(({ head }) => head), ...rows];
  return tableLines(columns, columnWidths(lines), lines).join("\n");
}

/** In terminal cells. */
const widthOf = (text: string) => (isPlain(text) ? text.length : textWidth(text));

/** The width of each column in terminal cells: that of its widest text, at least 1. */
export function columnWidths(lines: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const cells of lines)
    cells.forEach((text, i) => {
      widths[i] = Math.max(widths[i] ?? 1, widthOf(text));
    });
  return widths;
}

/** Lines of a table whose columns have these widths; a wider text moves the rest of its line to the right. */
export function tableLines(
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
