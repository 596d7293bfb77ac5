import { runsOf, type Conventions } from "../../metrics/index.js";
import type { Columns, ColumnVector } from "../columns.js";
import type { Kernel, KernelTables } from "./kernel.js";

/** The rows of one group: a column of numbers each, or the number of the only row. Flags may be booleans. */
type Rows<C> = { readonly [K in keyof C]: ArrayLike<number> | number | boolean };

/**
 * A kernel that computes one group after another: the rows with the same value of `by`, by which the input is sorted.
 * Each of its tables begins with that column. `compute` may give null for a table that is unread.
 * @param slow tables that take long
 */
export function byGroup<T extends KernelTables>(
  by: string,
  tables: T,
  compute: (
    rows: Columns,
    conventions: Conventions,
    isUnread: (suffix: keyof T) => boolean,
  ) => { readonly [S in keyof T]: Rows<T[S]> | null },
  slow: readonly (keyof T & string)[] = [],
): Kernel {
  const whole = Object.entries(tables).map(([suffix, types]) => [suffix, { [by]: "integer", ...types }] as const);
  return {
    tables: Object.fromEntries(whole),
    slow,
    run(input, conventions, unread = []) {
      const isUnread = (suffix: keyof T): boolean => unread.includes(suffix as string);
      const groups = input[by] as ColumnVector;
      const made = runsOf(groups).map(({ from, to }) => {
        const cut = Object.entries(input).map(([name, column]) => [name, column.subarray(from, to)] as const);
        const tables: Readonly<Record<string, Rows<object> | null>> = compute(
          Object.fromEntries(cut),
          conventions,
          isUnread,
        );
        return { group: groups[from] ?? NaN, tables };
      });
      return Object.fromEntries(
        whole.map(([suffix, types]) => {
          const parts = made.flatMap(({ group, tables: { [suffix]: rows } }) =>
            rows ? [{ [by]: group, ...rows }] : [],
          );
          return [suffix, joined(Object.keys(types), parts)];
        }),
      );
    },
  };
}

/** The rows of all groups, one after the other. */
function joined(
  names: readonly string[],
  parts: readonly Rows<Record<string, number>>[],
): Record<string, Float64Array> {
  const lengths = parts.map((rows) => Object.values(rows).find((values) => typeof values === "object")?.length ?? 1);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const columns = names.map((name) => {
    const column = new Float64Array(total);
    let at = 0;
    parts.forEach((rows, part) => {
      const [values, length] = [rows[name] ?? NaN, lengths[part] as number];
      if (typeof values === "object") column.set(values, at);
      else column.fill(Number(values), at, at + length);
      at += length;
    });
    return [name, column] as const;
  });
  return Object.fromEntries(columns);
}
