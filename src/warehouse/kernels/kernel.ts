import type { Conventions } from "../../metrics/index.js";
import type { Columns, VectorType } from "../columns.js";

/** The columns of a kernel's tables. By suffix: `""` is the model's own table, any other becomes `<model>_<suffix>`. */
export type KernelTables = Readonly<Record<string, Readonly<Record<string, VectorType>>>>;

/** A column of numbers each, booleans as 0 and 1. */
export type KernelOutput = Readonly<Record<string, Readonly<Record<string, ArrayLike<number>>>>>;

/** What a run needs beyond its rows. */
export interface KernelNeeds {
  /** Tables, by suffix, that nothing reads: what only they need is left out, and they have no rows. */
  readonly unread: readonly string[];
  /** The rows of `sourcesQuery`, for a kernel by source. */
  readonly sources?: Columns | undefined;
}

/** A metric's sequential or iterative part: typed arrays in the query's order in, tables out. */
export interface Kernel {
  readonly tables: KernelTables;
  /** Tables, by suffix, that take long: from many rows on, the kernel then runs beside the engine. */
  readonly slow?: readonly string[];
  /** Whether it computes the groups of `key_sources`, and needs them. */
  readonly isBySource?: boolean;
  run(input: Columns, conventions: Conventions, needs: KernelNeeds): KernelOutput;
}
