/** What differs between two snapshots, or between two methods over one snapshot. */
import {
  listSnapshots,
  namedSnapshot,
  readSnapshot,
  type Snapshot,
  diffManifests,
  partsByPlace,
  renamedExperiments,
  type Manifest,
} from "../lake/index.js";
import { conventionsWith, type Conventions } from "../metrics/index.js";
import { UsageError } from "../platform/index.js";
import {
  declareModels,
  openWarehouse,
  textOf,
  quoted,
  type Row,
  type TableSource,
  type Warehouse,
} from "../warehouse/index.js";
import { decisive, republished, type PublishedDiff, type Reading } from "./republished.js";
import {
  columnTypes,
  isOfExperiment,
  lakeTable,
  tableNames,
  type TableName,
} from "../contract/index.js";

/** Null: one of the snapshots has none. */
export interface NumberDiff {
  readonly experiment_id: string;
  readonly kind: string;
  readonly dimension: string;
  readonly source: string;
  readonly item: string;
  readonly before: number | null;
  readonly after: number | null;
  readonly rank_before: number | null;
  readonly rank_after: number | null;
}

export interface SnapshotDiff {
  readonly before: string;
  readonly after: string;
  readonly tables: readonly TableDiff[];
  readonly numbers: readonly NumberDiff[];
  readonly published: readonly PublishedDiff[];
}

interface DiffOptions extends Reading {
  /** Default: the snapshot before `after`. */
  readonly before?: string | undefined;
  /** Default: the newest. */
  readonly after?: string | undefined;
  /** Differing rows for each table; default: 10. */
  readonly examples?: number;
}

/** Numbers only if a row that decides them differs. @throws UsageError for a missing snapshot */
export async function diffSnapshots(
  lake: string,
  projectId: string,
  {
    before: wanted,
    after: latest,
    conventions = conventionsWith({}),
    examples = 10,
    ...shapes
  }: DiffOptions = {},
): Promise<SnapshotDiff> {
  const ids = await listSnapshots(lake, projectId);
  const afterId = latest === undefined ? ids.at(-1) : await namedSnapshot(lake, projectId, latest);
  const beforeId = wanted ?? ids[(afterId === undefined ? 0 : ids.indexOf(afterId)) - 1];
  if (beforeId === undefined || afterId === undefined)
    throw new UsageError(`${lake}: diff needs two snapshots. Name both, or export a second one.`);
  const before = await readSnapshot(lake, projectId, beforeId);
  const after = await readSnapshot(lake, projectId, afterId);
  const tables = await diffTables(before, after, examples);
  const isMoved = tables.some(({ table }) => decisive.has(table));
  const numbers = isMoved
    ? differing(
        await withModels(before, conventions, numbersOf),
        await withModels(after, conventions, numbersOf),
      )
    : [];
  const published = await republished(before, after, { conventions, ...shapes });
  return { before: before.id, after: after.id, tables, numbers, published };
}

type SnapshotNumbers = Map<string, { value: number | null; rank: number }>;

/** What `use` reads of the models, without intervals, which cost the most. */
async function withModels<T>(
  { tables }: Snapshot,
  conventions: Conventions,
  use: (warehouse: Warehouse) => Promise<T>,
): Promise<T> {
  const warehouse = await openWarehouse({ sources: tables });
  try {
    await declareModels(warehouse, {
      ...conventions,
      bradley_terry: { ...conventions.bradley_terry, rater_samples: 0 },
    });
    return await use(warehouse);
  } finally {
    warehouse.close();
  }
}

async function numbersOf(warehouse: Warehouse): Promise<SnapshotNumbers> {
  const rows = await warehouse.all(
    "select experiment_id, kind, dimension, source, item, value, rank from leaderboard",
  );
  return new Map(
    rows.map((row) => [
      JSON.stringify(
        ["experiment_id", "kind", "dimension", "source", "item"].map((name) => textOf(row, name)),
      ),
      { value: row.value as number | null, rank: Number(row.rank) },
    ]),
  );
}

/** The ratings of an experiment that count, and their raters, under one method and another. */
interface CountedDiff {
  readonly experiment_id: string;
  readonly ratings_before: number;
  readonly ratings_after: number;
  readonly raters_before: number;
  readonly raters_after: number;
}

export interface MethodDiff {
  readonly snapshot: string;
  readonly counted: readonly CountedDiff[];
  readonly numbers: readonly NumberDiff[];
}

const countedRatings = `
  select e.id as experiment_id, cast(count(p.experiment_id) as double) as ratings,
    cast(count(distinct p.rater_no) as double) as raters
  from experiments as e left join int_population as p on p.experiment_id = e.id
  group by e.id
  order by e.id`;

/** Compares what counts, and the recomputed numbers, under two methods. @throws UsageError */
export async function diffMethods(
  lake: string,
  projectId: string,
  wanted: string | undefined,
  methods: { readonly before: Conventions; readonly after: Conventions },
): Promise<MethodDiff> {
  const snapshot = await readSnapshot(lake, projectId, wanted);
  const read = async (conventions: Conventions) =>
    withModels(snapshot, conventions, async (warehouse) => ({
      numbers: await numbersOf(warehouse),
      counted: await warehouse.all(countedRatings),
    }));
  const before = await read(methods.before);
  const after = await read(methods.after);
  const counted = before.counted.flatMap((row, i) => {
    const other = after.counted[i] ?? row;
    const one = {
      experiment_id: textOf(row, "experiment_id"),
      ratings_before: Number(row.ratings),
      ratings_after: Number(other.ratings),
      raters_before: Number(row.raters),
      raters_after: Number(other.raters),
    };
    return one.ratings_before === one.ratings_after ? [] : [one];
  });
  return { snapshot: snapshot.id, counted, numbers: differing(before.numbers, after.numbers) };
}

function differing(was: SnapshotNumbers, is: SnapshotNumbers): NumberDiff[] {
  const keys = [...new Set([...was.keys(), ...is.keys()])].sort();
  return keys.flatMap((key) => {
    const before = was.get(key);
    const after = is.get(key);
    if (
      before !== undefined &&
      after !== undefined &&
      before.value === after.value &&
      before.rank === after.rank
    )
      return [];
    const [experiment_id = "", kind = "", dimension = "", source = "", item = ""] = JSON.parse(
      key,
    ) as string[];
    return [
      {
        experiment_id,
        kind,
        dimension,
        source,
        item,
        before: before?.value ?? null,
        after: after?.value ?? null,
        rank_before: before?.rank ?? null,
        rank_after: after?.rank ?? null,
      },
    ];
  });
}

export interface TableDiff {
  readonly table: TableName;
  /**
   * Columns that identify a row; rows that share them are numbered. All columns, if the table has
   * no key.
   */
  readonly key: readonly string[];
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** Some of these rows; for a changed one, the columns that differ. */
  readonly examples: readonly RowDiff[];
}

interface RowDiff {
  readonly state: "added" | "removed" | "changed";
  readonly key: Row;
  readonly columns: Readonly<
    Record<string, { readonly before: Row[string]; readonly after: Row[string] }>
  >;
}

/** Keys of tables whose rows have no identifier of their own. */
const naturalKeys: Partial<Record<TableName, readonly string[]>> = {
  ratings: ["session_id", "slate_id", "stimulus_id", "dimension"],
  slate_ratings: ["session_id", "slate_id", "stimulus_id", "dimension"],
  results: ["kind", "dimension", "source", "asked_source"],
  metrics: [
    "experiment_id",
    "job_id",
    "leaderboard_id",
    "kind",
    "dimension",
    "source",
    "asked_source",
  ],
  leaderboards: ["id"],
  experiment_details: ["id"],
};

const primaryKeyOf = (table: TableName): readonly string[] => {
  const { primaryKey } = lakeTable(table);
  const own = primaryKey === undefined ? naturalKeys[table] : [primaryKey];
  if (own === undefined) return Object.keys(columnTypes(table));
  return isOfExperiment(table) ? ["experiment_id", ...own] : own;
};

/** The tables that differ. Parts with equal digests are not read. */
async function diffTables(
  before: Snapshot,
  after: Snapshot,
  examples: number,
): Promise<TableDiff[]> {
  const changed = new Set(
    diffManifests(before.manifest, after.manifest).changed.map(({ table }) => table),
  );
  const sources = tableNames
    .filter((table) => changed.has(table))
    .flatMap((table): [string, TableSource][] => [
      [`before_${table}`, sourceOf(before, after.manifest, table)],
      [`after_${table}`, sourceOf(after, before.manifest, table)],
    ]);
  const warehouse = await openWarehouse({ sources: Object.fromEntries(sources) });
  try {
    const diffs: TableDiff[] = [];
    for (const table of tableNames)
      if (changed.has(table)) diffs.push(await diffTable(warehouse, table, examples));
    return diffs.filter((one) => one.added + one.removed + one.changed > 0);
  } finally {
    warehouse.close();
  }
}

/** The parts of a table that another snapshot does not have in the same place. */
function sourceOf(snapshot: Snapshot, other: Manifest, table: TableName): TableSource {
  const known = partsByPlace(other);
  const own = [...partsByPlace(snapshot.manifest)].filter(
    ([place, part]) => part.table === table && known.get(place)?.sha256 !== part.sha256,
  );
  const files = own.map(([, { path }]) => snapshot.locate(path));
  return { files, columns: columnTypes(table), renamed: renamedExperiments(snapshot.manifest) };
}

async function diffTable(
  warehouse: Warehouse,
  table: TableName,
  limit: number,
): Promise<TableDiff> {
  const key = primaryKeyOf(table);
  const columns = Object.keys(columnTypes(table));
  const keys = key.map(quoted).join(", ");
  const numbered = (name: string) =>
    `select *, row_number() over (partition by ${keys} order by ` +
    `${columns.map(quoted).join(", ")}) as _nth from ${quoted(name)}`;
  const same = [...key, "_nth"]
    .map((name) => `b.${quoted(name)} is not distinct from a.${quoted(name)}`)
    .join(" and ");
  const differ = columns
    .map((name) => `b.${quoted(name)} is distinct from a.${quoted(name)}`)
    .join(" or ");
  const joined = `
    with b as (${numbered(`before_${table}`)}), a as (${numbered(`after_${table}`)}),
    paired as (
      select
        case
          when b._nth is null then 'added' when a._nth is null then 'removed' else 'changed'
        end as state,
        ${columns
          .map(
            (name) =>
              `b.${quoted(name)} as ${quoted(`b.${name}`)}, a.${quoted(name)} as ` +
              quoted(`a.${name}`),
          )
          .join(", ")}
      from b full join a on ${same}
      where b._nth is null or a._nth is null or ${differ}
    )`;
  const counts = await warehouse.all(
    `${joined} select state, count(*) as n from paired group by state`,
  );
  const count = (state: RowDiff["state"]) =>
    Number(counts.find((row) => row.state === state)?.n ?? 0);
  const rows = await warehouse.all(`${joined} from paired order by all limit ${limit}`);
  const examples = rows.map((row): RowDiff => {
    const state = row.state as RowDiff["state"];
    const side = state === "removed" ? "b" : "a";
    const differing = columns.filter(
      (name) => JSON.stringify(row[`b.${name}`]) !== JSON.stringify(row[`a.${name}`]),
    );
    return {
      state,
      key: Object.fromEntries(key.map((name) => [name, row[`${side}.${name}`] ?? null])),
      columns:
        state === "changed"
          ? Object.fromEntries(
              differing.map((name) => [
                name,
                { before: row[`b.${name}`] ?? null, after: row[`a.${name}`] ?? null },
              ]),
            )
          : {},
    };
  });
  return {
    table,
    key,
    added: count("added"),
    removed: count("removed"),
    changed: count("changed"),
    examples,
  };
}
