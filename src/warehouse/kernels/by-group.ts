import { runsOf, type Conventions } from "../../metrics/index.js";
import type { Columns, ColumnVector } from "../columns.js";
import type { Kernel, KernelTables } from "./kernel.js";

/** The rows of one group: a column of numbers each, or the number of the only row. Flags may be booleans. */
type Rows<C> = { readonly [K in keyof C]: ArrayLike<number> | number | boolean };

/**
 * A kernel that computes one group after another: the rows with the same value of `by`, by which the input is sorted.
 * Each of its tables begins with that column. `compute` may give null for a table that is unread.
 */
export function byGroup<T extends KernelTables>(
  by: string,
  tables: T,
  compute: (
    rows: Columns,
    conventions: Conventions,
    isUnread: (suffix: keyof T) => boolean,
  ) => { readonly [S in keyof T]: Rows<T[S]> | null },
): Kernel {
  const whole = Object.entries(tables).map(([suffix, types]) => [suffix, { [by]: "integer", ...types }] as const);
  return {
    tables: Object.fromEntries(whole),
    run(input, conventions, unread = []) {
      const isUnread = (suffix: keyof T): boolean => unread.includes(suffix as string);
      const out = whole.map(([suffix, types]) => [suffix, emptyColumns(Object.keys(types))] as const);
      const groups = input[by] as ColumnVector;
      for (const { from, to } of runsOf(groups)) {
        const cut = Object.entries(input).map(([name, column]) => [name, column.subarray(from, to)] as const);
        const made: Record<string, Rows<object> | null> = compute(Object.fromEntries(cut), conventions, isUnread);
        for (const [suffix, columns] of out)
          if (made[suffix] !== null) append(columns, { [by]: groups[from] ?? NaN, ...made[suffix] });
      }
      return Object.fromEntries(out);
    },
  };
}

const emptyColumns = (names: readonly string[]) =>
  Object.fromEntries(names.map((name): [string, number[]] => [name, []]));

function append(columns: Record<string, number[]>, rows: Rows<Record<string, number>>): void {
  const count = Object.values(rows).find((values) => typeof values === "object")?.length ?? 1;
  for (const [name, column] of Object.entries(columns)) {
    const values = rows[name] ?? NaN;
    for (let i = 0; i < count; i++) column.push(typeof values === "object" ? (values[i] as number) : Number(values));
  }
}
