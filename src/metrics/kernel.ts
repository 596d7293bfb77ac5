/** What a kernel is: columns in, tables out, group by group. */
import type { Conventions } from "./conventions.js";
import { joined, placesByValue, runsOf } from "./numeric/arrays.js";
import type { RaterPairCounts } from "./pair-counts.js";
import type { OrderedComparisons } from "./sample.js";

export type VectorType = "integer" | "double" | "boolean";
export type ColumnVector = Int32Array | Float64Array | Int8Array;
export type Columns = Readonly<Record<string, ColumnVector>>;

/** Column types by suffix: `""` is the model's own table, any other `<model>_<suffix>`. */
type KernelTables = Readonly<Record<string, Readonly<Record<string, VectorType>>>>;

/** Booleans as 0 and 1. */
export type KernelOutput = Readonly<Record<string, Readonly<Record<string, ArrayLike<number>>>>>;

/** What a run needs beyond its rows. */
export interface KernelNeeds {
  /** Suffixes of tables that nothing reads: they have no rows. */
  readonly unread: readonly string[];
  /** Of `sourcesQuery`, for a kernel by source. */
  readonly sources?: Columns | undefined;
}

export interface Kernel {
  readonly tables: KernelTables;
  /** Suffixes of tables that take long: with many rows the kernel runs beside the engine. */
  readonly slow?: readonly string[];
  /** Whether it needs the groups of `key_sources`. */
  readonly isBySource?: boolean;
  run(input: Columns, conventions: Conventions, needs: KernelNeeds): KernelOutput;
}

/** Undefined is null. */
type GroupRows<C> = { readonly [K in keyof C]: ArrayLike<number> | number | boolean | undefined };

type Compute<T extends KernelTables> = (
  group: Group,
  conventions: Conventions,
  isUnread: (suffix: keyof T) => boolean,
) => { readonly [S in keyof T]: GroupRows<T[S]> | null };

/** A group has equal `by`, by which input is sorted; its tables begin with that column. */
export function byGroup<T extends KernelTables>(
  by: string,
  tables: T,
  compute: Compute<T>,
): Kernel {
  const own = withFirst(by, tables);
  return {
    tables: own,
    run: (input, conventions, { unread }) =>
      computed(
        own,
        groupsBy(by, input),
        (_, suffix) => unread.includes(suffix),
        conventions,
        compute,
      ),
  };
}

/**
 * By group of `key_sources`: the rows of its dimension and jobs; input is sorted by `dimension_id`.
 * @param slow tables that take long
 * @param ofWhole tables without rows for jobs
 */
export function bySource<T extends KernelTables>(
  tables: T,
  compute: Compute<T>,
  {
    slow,
    ofWhole = [],
  }: { slow: readonly (keyof T & string)[]; ofWhole?: readonly (keyof T & string)[] },
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
  Object.fromEntries(
    Object.entries(tables).map(([suffix, types]) => [suffix, { [name]: "integer", ...types }]),
  );

/** An experiment and its only job, which follows, are computed once. */
function computed<T extends KernelTables>(
  tables: KernelTables,
  groups: Iterable<Group>,
  isUnread: IsUnread,
  conventions: Conventions,
  compute: Compute<T>,
): KernelOutput {
  let last:
    | { readonly rows: Columns; readonly made: Readonly<Record<string, GroupRows<object> | null>> }
    | undefined;
  const made = Array.from(groups, (group) => {
    if (last?.rows !== group.rows)
      last = {
        rows: group.rows,
        made: compute(group, conventions, (suffix) => isUnread(group, suffix as string)),
      };
    return { group, rows: last.made };
  });
  return Object.fromEntries(
    Object.entries(tables).map(([suffix, types]) => {
      const names = Object.keys(types);
      const parts = made.flatMap(({ group, rows: { [suffix]: rows } }) =>
        rows && !isUnread(group, suffix) ? [{ [names[0] ?? ""]: group.id, ...rows }] : [],
      );
      return [suffix, inOneTable(names, parts)];
    }),
  );
}

function inOneTable(
  names: readonly string[],
  parts: readonly GroupRows<Record<string, number>>[],
): Record<string, Float64Array> {
  const lengths = parts.map(
    (rows) => Object.values(rows).find((values) => typeof values === "object")?.length ?? 1,
  );
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const columns = names.map((name) => {
    const column = new Float64Array(total);
    let at = 0;
    parts.forEach((rows, part) => {
      const values = rows[name] ?? NaN;
      const length = lengths[part]!;
      if (typeof values === "object") column.set(values, at);
      else column.fill(Number(values), at, at + length);
      at += length;
    });
    return [name, column] as const;
  });
  return Object.fromEntries(columns);
}

interface Group {
  readonly id: number;
  readonly isWhole: boolean;
  readonly rows: Columns;
}

/** Second input of `groupsBySource`: a row per group, dimension and job counted, by group. */
export const sourcesQuery = `
  select dimension_id, job_no, group_id, cast(source = '' as tinyint) as is_whole
  from key_sources
  order by group_id, job_no`;

/** Rows are sorted by `by`. */
function* groupsBy(by: string, input: Columns): Generator<Group> {
  const ids = columnNamed(input, by);
  for (const { from, to } of runsOf(ids))
    yield {
      id: ids[from]!,
      isWhole: false,
      rows: mappedColumns(input, (own) => own.subarray(from, to)),
    };
}

/** By `dimension_id`, as `input`. A row counts in its experiment and its job. */
export function* groupsBySource(input: Columns, sources: Columns): Generator<Group> {
  const { dimension_id: dimensions = noIds, job_no: jobsOf = noIds, ...values } = input;
  const runs = new Map(runsOf(dimensions).map((run) => [dimensions[run.from]!, run]));
  const ofGroup = columnNamed(sources, "dimension_id");
  const jobs = columnNamed(sources, "job_no");
  const ids = columnNamed(sources, "group_id");
  let dimension: number | null = null;
  let rows: Columns = {};
  let placesOf: ReturnType<typeof placesByJob> = () => null;
  for (const { from, to } of runsOf(ids)) {
    const run = runs.get(ofGroup[from]!);
    if (run === undefined) continue;
    if (ofGroup[from] !== dimension) {
      dimension = ofGroup[from]!;
      rows = mappedColumns(values, (own) => own.subarray(run.from, run.to));
      placesOf = placesByJob(jobsOf.subarray(run.from, run.to));
    }
    const places = placesOf(jobs.subarray(from, to));
    if (places?.length === 0) continue;
    const isWhole = columnNamed(sources, "is_whole")[from] === 1;
    yield {
      id: ids[from]!,
      isWhole,
      rows: places === null ? rows : mappedColumns(rows, (own) => valuesAt(own, places)),
    };
  }
}

function placesByJob(jobs: ColumnVector): (wanted: ColumnVector) => Int32Array | null {
  let last = 0;
  for (let i = 0; i < jobs.length; i++) if (jobs[i]! > last) last = jobs[i]!;
  const { from, places } = placesByValue(jobs, last + 1);
  return (wanted) => {
    const parts = Array.from(wanted, (job) =>
      places.subarray(from[job] ?? jobs.length, from[job + 1] ?? jobs.length),
    );
    const total = parts.reduce((sum, part) => sum + part.length, 0);
    if (total === jobs.length) return null;
    const [only = places, ...others] = parts;
    return others.length === 0 ? only : joined(parts).sort();
  };
}

function valuesAt(values: ColumnVector, places: Int32Array): ColumnVector {
  const own = new (values.constructor as new (length: number) => ColumnVector)(places.length);
  for (let i = 0; i < own.length; i++) own[i] = values[places[i]!]!;
  return own;
}

const noIds = new Int32Array(0);

const columnNamed = (columns: Columns, name: string): ColumnVector => columns[name]!;

const mappedColumns = (columns: Columns, of: (values: ColumnVector) => ColumnVector): Columns =>
  Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, of(values)]));

export function newTable<T extends object>(types: T) {
  const columns = Object.fromEntries(
    Object.keys(types).map((name) => [name, []]),
  ) as unknown as Record<keyof T, number[]>;
  const add = (row: { readonly [K in keyof T]?: number | undefined }): void => {
    for (const name in columns) columns[name].push(row[name] ?? NaN);
  };
  const addAll = (rows: Readonly<Record<keyof T, ArrayLike<number>>>): void => {
    for (const name in columns) columns[name].push(...Array.from(rows[name]));
  };
  return { columns, add, addAll };
}

/** `ids[local]` is the global id, ascending; memory grows with their range. */
export function localIds(columns: readonly ColumnVector[]): {
  ids: Int32Array;
  local: Int32Array[];
} {
  let smallest = columns[0]?.[0] ?? 0;
  let largest = smallest - 1;
  for (const column of columns)
    for (let i = 0; i < column.length; i++) {
      const id = column[i]!;
      if (id < smallest) smallest = id;
      if (id > largest) largest = id;
    }
  const index = new Int32Array(largest - smallest + 1).fill(-1);
  for (const column of columns)
    for (let i = 0; i < column.length; i++) index[column[i]! - smallest] = 0;
  const ids: number[] = [];
  for (let at = 0; at < index.length; at++)
    if (index[at] === 0) index[at] = ids.push(smallest + at) - 1;
  const localOf = (column: ColumnVector): Int32Array => {
    const local = new Int32Array(column.length);
    for (let i = 0; i < local.length; i++) local[i] = index[column[i]! - smallest]!;
    return local;
  };
  return { ids: Int32Array.from(ids), local: columns.map(localOf) };
}

export const isUnweighted = (weight: ArrayLike<number>): boolean => {
  for (let i = 0; i < weight.length; i++) if (weight[i] !== 1) return false;
  return true;
};

export function comparisonsIn(rows: Columns): { ids: Int32Array; games: OrderedComparisons } {
  const { ids, local } = localIds([rows.a as Int32Array, rows.b as Int32Array]);
  const [a, b] = local as [Int32Array, Int32Array];
  const weight = rows.weight as Float64Array | undefined;
  const games = {
    a,
    b,
    outcome: rows.outcome as Int8Array,
    session: rows.session as Int32Array,
    ...(weight === undefined || isUnweighted(weight) ? {} : { weight }),
  };
  return { ids, games };
}

export function pairCountsIn(rows: Columns): {
  ids: Int32Array;
  raterIds: Int32Array;
  counts: RaterPairCounts;
} {
  const { ids, local } = localIds([rows.a as Int32Array, rows.b as Int32Array]);
  const raters = localIds([rows.rater as Int32Array]);
  const counts: RaterPairCounts = {
    items: ids.length,
    a: local[0]!,
    b: local[1]!,
    raters: raters.ids.length,
    rater: raters.local[0]!,
    winsA: rows.wins_a as Float64Array,
    winsB: rows.wins_b as Float64Array,
    ties: rows.ties as Float64Array,
  };
  return { ids, raterIds: raters.ids, counts };
}
