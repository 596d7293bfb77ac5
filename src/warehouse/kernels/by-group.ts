import type { Conventions } from "../../metrics/index.js";
import type { Columns, ColumnVector } from "../columns.js";
import type { Kernel, KernelTables } from "./kernel.js";

/** The rows of one group: a column of numbers each, or the number of the only row. Flags may be booleans. */
type GroupRows<T extends KernelTables> = {
  readonly [S in keyof T]: { readonly [C in keyof T[S]]: ArrayLike<number> | number | boolean };
};

/**
 * A kernel that computes one group after another: the rows with the same value of `by`, by which the input is sorted.
 * Each of its tables begins with that column.
 */
export function byGroup<T extends KernelTables>(
  by: string,
  tables: T,
  compute: (rows: Columns, conventions: Conventions) => GroupRows<T>,
): Kernel {
  const whole = Object.fromEntries(
    Object.entries(tables).map(([suffix, types]) => [suffix, { [by]: "integer", ...types } as const]),
  );
  return {
    tables: whole,
    run(input, conventions) {
      const out = Object.fromEntries(
        Object.entries(whole).map(([suffix, types]) => [suffix, emptyColumns(Object.keys(types))]),
      );
      for (const { group, from, to } of slicesOf(input[by] as ColumnVector)) {
        const cut = Object.entries(input).map(([name, column]) => [name, column.subarray(from, to)] as const);
        for (const [suffix, made] of Object.entries(compute(Object.fromEntries(cut), conventions)))
          append(out[suffix] ?? {}, { [by]: group, ...made });
      }
      return out;
    },
  };
}

const emptyColumns = (names: readonly string[]) =>
  Object.fromEntries(names.map((name): [string, number[]] => [name, []]));

function append(
  columns: Record<string, number[]>,
  rows: Readonly<Record<string, ArrayLike<number> | number | boolean>>,
) {
  const count = Object.values(rows).find((values) => typeof values === "object")?.length ?? 1;
  for (const [name, column] of Object.entries(columns)) {
    const values = rows[name] as ArrayLike<number> | number | boolean;
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
