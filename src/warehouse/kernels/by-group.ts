import type { Conventions } from "../../metrics/index.js";
import type { Columns } from "../columns.js";
import { groupsBy, groupsBySource, type Group } from "./groups.js";
import type { Kernel, KernelOutput, KernelTables } from "./kernel.js";

/** The rows of one group: a column of numbers each, or the number of the only row. Flags may be booleans. */
type Rows<C> = { readonly [K in keyof C]: ArrayLike<number> | number | boolean };

/** Gives the rows of one group in each table, or null for a table that is unread. */
type Compute<T extends KernelTables> = (
  group: Group,
  conventions: Conventions,
  isUnread: (suffix: keyof T) => boolean,
) => { readonly [S in keyof T]: Rows<T[S]> | null };

/**
 * A kernel that computes one group after another: the rows with the same value of `by`, by which the input is sorted.
 * Each of its tables begins with that column.
 */
export function byGroup<T extends KernelTables>(by: string, tables: T, compute: Compute<T>): Kernel {
  const own = withFirst(by, tables);
  return {
    tables: own,
    run: (input, conventions, { unread }) =>
      computed(own, groupsBy(by, input), (_, suffix) => unread.includes(suffix), conventions, compute),
  };
}

/**
 * The same for the groups of `key_sources`: each has the rows of its dimension and jobs, in the input's order, which is
 * by `dimension_id` first.
 * @param slow tables that take long
 * @param ofWhole tables that have no rows for jobs
 */
export function bySource<T extends KernelTables>(
  tables: T,
  compute: Compute<T>,
  { slow, ofWhole = [] }: { slow: readonly (keyof T & string)[]; ofWhole?: readonly (keyof T & string)[] },
): Kernel {
  const own = withFirst("group_id", tables);
  return {
    tables: own,
    slow,
    isBySource: true,
    run: (input, conventions, { unread, sources = {} }) => {
      const isUnread: IsUnread = ({ isWhole }, suffix) =>
        unread.includes(suffix) || (!isWhole && ofWhole.includes(suffix));
      return computed(own, groupsBySource(input, sources), isUnread, conventions, compute);
    },
  };
}

type IsUnread = (group: Group, suffix: string) => boolean;

const withFirst = (name: string, tables: KernelTables): KernelTables =>
  Object.fromEntries(Object.entries(tables).map(([suffix, types]) => [suffix, { [name]: "integer", ...types }]));

/** Groups with the same rows are computed once: an experiment, which comes first, and the only job that it has. */
function computed<T extends KernelTables>(
  tables: KernelTables,
  groups: Iterable<Group>,
  isUnread: IsUnread,
  conventions: Conventions,
  compute: Compute<T>,
): KernelOutput {
  let last: { readonly rows: Columns; readonly made: Readonly<Record<string, Rows<object> | null>> } | undefined;
  const made = Array.from(groups, (group) => {
    if (last?.rows !== group.rows)
      last = { rows: group.rows, made: compute(group, conventions, (suffix) => isUnread(group, suffix as string)) };
    return { group, rows: last.made };
  });
  return Object.fromEntries(
    Object.entries(tables).map(([suffix, types]) => {
      const names = Object.keys(types);
      const parts = made.flatMap(({ group, rows: { [suffix]: rows } }) =>
        rows && !isUnread(group, suffix) ? [{ [names[0] ?? ""]: group.id, ...rows }] : [],
      );
      return [suffix, joined(names, parts)];
    }),
  );
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
