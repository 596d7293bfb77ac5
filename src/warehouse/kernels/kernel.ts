import type { Conventions } from "../../metrics/index.js";
import type { Columns, VectorType } from "../columns.js";

/** A table of a kernel's output: a column of numbers each, booleans as 0 and 1. */
type KernelTable = Readonly<Record<string, ArrayLike<number>>>;

/** By suffix: `""` is the model's own table, any other becomes `<model>_<suffix>`. */
type KernelOutput = Readonly<Record<string, KernelTable>>;

/** A metric's sequential or iterative part: typed arrays in the query's order in, tables out. */
export interface Kernel {
  readonly tables: Readonly<Record<string, Readonly<Record<string, VectorType>>>>;
  run(input: Columns, conventions: Conventions): KernelOutput;
}
