import type { Conventions } from "../../metrics/index.js";
import type { Columns, VectorType } from "../columns.js";

/** A table of a kernel's output: a column of numbers each, booleans as 0 and 1. */
type KernelTable = Readonly<Record<string, ArrayLike<number>>>;

interface KernelOutput {
  /** By suffix: `""` is the model's own table, any other becomes `<model>_<suffix>`. */
  readonly tables: Readonly<Record<string, KernelTable>>;
  /** Notes for the run's report: iterations, groups that did not converge … */
  readonly info: Readonly<Record<string, number>>;
}

/** A metric's sequential or iterative part: typed arrays in the query's order in, tables out. */
export interface Kernel {
  readonly tables: Readonly<Record<string, Readonly<Record<string, VectorType>>>>;
  run(input: Columns, rows: number, conventions: Conventions): KernelOutput;
}
