import Table from "cli-table3";

export interface ColumnSpec {
  readonly head: string;
  readonly align?: "left" | "right";
}

const line = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
};

/** Plain columns under a header, without colour or border, so that a log shows the same. */
export function renderTable(columns: readonly ColumnSpec[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: columns.map((c) => c.head),
    colAligns: columns.map((c) => c.align ?? "left"),
    chars: { ...line, left: "", right: "", mid: "", "left-mid": "", "mid-mid": "", "right-mid": "", middle: "  " },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split("\n")
    .map((text) => text.trimEnd())
    .join("\n");
}

/** The first `limit` rows, and a line with the number of the others; null when there are none. */
export function truncated<T>(
  rows: readonly T[],
  limit: number,
): { readonly shown: readonly T[]; readonly more: string | null } {
  if (rows.length <= limit) return { shown: rows, more: null };
  return { shown: rows.slice(0, limit), more: `… and ${rows.length - limit} more` };
}
