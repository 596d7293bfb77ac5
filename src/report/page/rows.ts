import { groupsOf } from "../../platform/index.js";
import { text, textOf, type Row } from "../../warehouse/index.js";

/** Rows by their experiment. */
export const byId = (rows: readonly Row[]) => grouped(rows, (row) => textOf(row, "experiment_id"));

/** Looks up the rows of a key, in their order. */
export function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): (key: string) => readonly T[] {
  const groups = groupsOf(rows, keyOf);
  return (key) => groups.get(key) ?? [];
}

/** A condition on the experiments of a query. */
export const among = (ids: readonly string[]): string =>
  ids.length === 0 ? "false" : `experiment_id in (${ids.map(text).join(", ")})`;

/** A number of a row; null stays null. */
export function numberOf(row: Row | undefined, column: string): number | null {
  const value = row?.[column];
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : null;
}

/** The dimensions of rows, in order. */
export const dimensionsOf = (rows: readonly Row[]): string[] => [
  ...new Set(rows.map((row) => textOf(row, "dimension"))),
];

/** The first `count` of a list, and how many are left out. */
export function capped<T>(all: readonly T[], count: number): { readonly shown: readonly T[]; readonly more: number } {
  return { shown: all.slice(0, count), more: Math.max(0, all.length - count) };
}
