import type { Table } from "../../../metrics/index.js";
import { fitOf, type TargetFit, type Target } from "../../target/index.js";
import { log2Choose } from "../chance.js";
import { foundItems, type FoundItems } from "./found.js";

/** Items that show the numbers of others: swapped among themselves, renamed, or one copied to another. */
export function permuted(target: Target, table: Table, missed: readonly string[], fit: TargetFit): FoundItems | null {
  const free = new Set([...missed, ...fit.unpublished]);
  /** The item whose numbers each missed item shows. */
  const shown = new Map<string, string>();
  for (const item of missed) {
    const all = table.items.filter((other) => other !== item && isShownAs(target, table, item, other));
    const preferred = all.filter((other) => free.has(other));
    const [only] = preferred.length > 0 ? preferred : all;
    if (only === undefined || preferred.length > 1) return null;
    shown.set(item, only);
  }
  const [a, b] = missed;
  const origins = new Set(shown.values());
  if (a === undefined || origins.size !== shown.size) return null;
  const origin = shown.get(a) ?? "";
  // Which items show others' numbers, and whose.
  const bits = log2Choose(table.items.length, shown.size) + shown.size * Math.log2(table.items.length);
  const found = { gives: withNumbersOf(table, shown), bits };
  if (shown.size === 1) {
    if (!table.items.includes(a) && fit.unpublished.length === 1)
      return foundItems("renamed", [origin, a], `${origin} is published under the name ${a}`, found);
    return fit.unpublished.length > 0
      ? null
      : foundItems("copied", [origin, a], `${a} is published with the numbers of ${origin}`, found);
  }
  if (fit.unpublished.length > 0 || missed.some((item) => !origins.has(item))) return null;
  if (b !== undefined && shown.size === 2)
    return foundItems("exchanged", [a, b], `the numbers of ${a} and ${b} are swapped`, found);
  const moves = missed.map((item) => `${item} has those of ${shown.get(item) ?? ""}`);
  return foundItems(
    "exchanged",
    missed,
    `the numbers of ${missed.length} items are swapped: ${moves.join(", ")}`,
    found,
  );
}

/** A table in which items have the numbers of others. */
function withNumbersOf(table: Table, shown: ReadonlyMap<string, string>): Table {
  const items = [...new Set([...table.items, ...shown.keys()])];
  const from = items.map((item) => table.items.indexOf(shown.get(item) ?? item));
  const columns = Object.entries(table.columns).map(([field, column]) => [
    field,
    Float64Array.from(from, (i) => column[i] ?? NaN),
  ]);
  return { items, columns: Object.fromEntries(columns) as Table["columns"] };
}

/** Whether the published numbers of `item` are the recomputed ones of `other`. */
function isShownAs(target: Target, table: Table, item: string, other: string): boolean {
  const cells = target.cells.filter((cell) => cell.item === item).map((cell) => ({ ...cell, item: other }));
  return fitOf({ ...target, cells }, table).misses.length === 0;
}
