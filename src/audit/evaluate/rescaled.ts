import type { Table } from "../../metrics/index.js";
import type { Relative, Rescaling } from "./scenario.js";

/** Fields on the scale of the scores themselves, and the field that replaces each when the scale is reversed. */
export const locations: Readonly<Record<string, string>> = {
  value: "value",
  mean: "mean",
  ci_low: "ci_high",
  ci_high: "ci_low",
  min: "max",
  q1: "q3",
  median: "median",
  q3: "q1",
  max: "min",
};

const widths: ReadonlySet<string> = new Set(["std", "sem"]);

/** The table relative to one item by its values of `field`; NaN if the item has none. */
export function relativeTo(table: Table, field: string, { to, as }: Relative): Table {
  const values = table.columns[field] ?? new Float64Array();
  const highest = values.reduce((most, v) => (v > most ? v : most), -Infinity);
  const reference = to === null ? highest : (values[table.items.indexOf(to)] ?? NaN);
  return rescaled(table, as === "percent" ? { scale: 100 / reference, shift: 0 } : { scale: 1, shift: -reference });
}

/** The table on another scale: locations are mapped, widths are multiplied, counts are unchanged. */
export function rescaled({ items, columns }: Table, { scale, shift }: Rescaling): Table {
  const entries = Object.entries(columns).map(([field, own]): [string, Float64Array] => {
    if (widths.has(field)) return [field, own.map((v) => Math.abs(scale) * v)];
    const opposite = locations[field];
    if (opposite === undefined) return [field, own];
    return [field, (scale < 0 ? (columns[opposite] ?? own) : own).map((v) => shift + scale * v)];
  });
  return { items, columns: Object.fromEntries(entries) };
}
