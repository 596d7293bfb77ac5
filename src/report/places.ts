import type { AuditRow } from "../audit/index.js";

/** A row with every place that publishes its number. */
export interface PlacedRow {
  readonly row: AuditRow;
  readonly places: readonly string[];
}

/** The source of a number: "job a", "jobs a, b", or "" for a whole experiment. */
export function sourceText(source: string): string {
  if (source === "") return "";
  return source.includes(",") ? `jobs ${source.replaceAll(",", ", ")}` : `job ${source}`;
}

/** Dimension and source, or "all" for the whole experiment. */
export function whereOf({ dimension, source }: Pick<AuditRow, "dimension" | "source">): string {
  return [dimension, sourceText(source)].filter((t) => t !== "").join(", ") || "all";
}

/** Merges equal numbers from several places into one row. */
export function placed(rows: readonly AuditRow[]): PlacedRow[] {
  const merged = new Map<string, { row: AuditRow; places: string[] }>();
  for (const row of rows) {
    const key = JSON.stringify({ ...row, published_in: null });
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { row, places: [row.published_in] });
    else if (!known.places.includes(row.published_in)) known.places.push(row.published_in);
  }
  return [...merged.values()];
}
