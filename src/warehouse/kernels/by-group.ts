import type { Conventions } from "../../metrics/index.js";
import type { Columns, ColumnVector } from "../columns.js";
import type { Kernel, KernelTables } from "./kernel.js";

/** The rows of one group: a column of numbers each, or the number of the only row. Flags may be booleans. */
type Rows<C> = { readonly [K in keyof C]: ArrayLike<number> | number | boolean };

/**
 * A kernel that computes one group after another: the rows with the same value of `by`, by which the input is sorted.
 * Each of its tables begins with that column.
 */
export function byGroup<T extends KernelTables>(
  by: string,
  tables: T,
  compute: (rows: Columns, conventions: Conventions) => { readonly [S in keyof T]: Rows<T[S]> },
): Kernel {
  const whole = Object.entries(tables).map(([suffix, types]) => [suffix, { [by]: "integer", ...types }] as const);
  return {
    tables: Object.fromEntries(whole),
    run(input, conventions) {
      const out = whole.map(([suffix, types]) => [suffix, emptyColumns(Object.keys(types))] as const);
      for (const { group, from, to } of slicesOf(input[by] as ColumnVector)) {
        const cut = Object.entries(input).map(([name, column]) => [name, column.subarray(from, to)] as const);
        const made: Record<string, Rows<object>> = compute(Object.fromEntries(cut), conventions);
        for (const [suffix, columns] of out) append(columns, { [by]: group, ...made[suffix] });
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

/** Rows `from` up to but not including `to` share one group id. */
function* slicesOf(ids: ColumnVector): Generator<{ group: number; from: number; to: number }> {
  for (let from = 0; from < ids.length;) {
    const group = ids[from] as number;
    let to = from + 1;
    while (to < ids.length && ids[to] === group) to++;
    yield { group, from, to };
    from = to;
  }
}
