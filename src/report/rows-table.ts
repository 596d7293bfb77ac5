import { counted } from "../platform/index.js";
import { renderTable } from "./table.js";

const isNumeric = (value: unknown) => typeof value === "number" || typeof value === "bigint";

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner));
}

/** Rows of a query as a table and their number. Numbers are aligned right; nulls are empty. */
export function renderRows(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const names = Object.keys(rows[0] ?? {});
  if (names.length === 0) return "0 rows";
  const columns = names.map((head) => ({
    head,
    align: rows.every((row) => row[head] === null || isNumeric(row[head])) ? ("right" as const) : ("left" as const),
  }));
  const table = renderTable(
    columns,
    rows.map((row) => names.map((name) => cell(row[name]))),
  );
  return `${table}\n\n${counted(rows.length, "row")}`;
}
