import type { Conventions } from "../../metrics/index.js";
import type { Columns, VectorType } from "../columns.js";

/** The columns of a kernel's tables. By suffix: `""` is the model's own table, any other becomes `<model>_<suffix>`. */
export type KernelTables = Readonly<Record<string, Readonly<Record<string, VectorType>>>>;

/** A column of numbers each, booleans as 0 and 1. */
export type KernelOutput = Readonly<Record<string, Readonly<Record<string, ArrayLike<number>>>>>;

/** A metric's sequential or iterative part: typed arrays in the query's order in, tables out. */
export interface Kernel {
  readonly tables: KernelTables;
  /** Tables, by suffix, that take long: from many rows on, the kernel then runs beside the engine. */
  readonly slow?: readonly string[];
  /** @param unread tables, by suffix, that nothing reads: what only they need is left out, and they have no rows */
  run(input: Columns, conventions: Conventions, unread?: readonly string[]): KernelOutput;
}
