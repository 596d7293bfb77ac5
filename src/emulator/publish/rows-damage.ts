import type { ScoreRow } from "../scoring/study.js";
import type { Corruption } from "./corruption.js";

/** The rows after damage done to the published numbers themselves. */
export function damagedRows(rows: ScoreRow[], corruption: Corruption): ScoreRow[] {
  switch (corruption.damage) {
    case "swap_items": {
      const other: Record<string, string> = { [corruption.a]: corruption.b, [corruption.b]: corruption.a };
      return rows.map((row) => ({ ...row, stimulus: other[row.stimulus] ?? row.stimulus }));
    }
    case "add":
      return onField(rows, corruption, (value) => value + corruption.by);
    case "scale":
      return onField(rows, corruption, (value) => value * corruption.by);
    case "drop_item":
      return rows.filter((row) => row.stimulus !== corruption.item);
    case "copy_item": {
      const from = rows.find((row) => row.stimulus === corruption.from);
      return rows.map((row) => (row.stimulus === corruption.to ? { ...from, stimulus: row.stimulus } : row));
    }
    case "rename_item":
      return rows.map((row) => (row.stimulus === corruption.from ? { ...row, stimulus: corruption.to } : row));
    default:
      return rows;
  }
}

function onField(
  rows: ScoreRow[],
  { item, field }: { item: string; field: string },
  change: (value: number) => number,
): ScoreRow[] {
  return rows.map((row) => {
    const value = row[field];
    return row.stimulus === item && typeof value === "number" ? { ...row, [field]: change(value) } : row;
  });
}
