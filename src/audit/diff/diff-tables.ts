import { columnTypes, isOfExperiment, lakeTable, tableNames, type TableName } from "../../contract/index.js";
import { diffManifests, partsByPlace, type Manifest, type Snapshot } from "../../lake/index.js";
import { openWarehouse, quoted, type Row, type TableSource, type Warehouse } from "../../warehouse/index.js";

/** How the rows of a table differ between two snapshots, by key. */
export interface TableDiff {
  readonly table: TableName;
  /** Columns that identify a row; rows that share them are numbered. All columns, if the table has no key. */
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
  readonly columns: Readonly<Record<string, { readonly before: Row[string]; readonly after: Row[string] }>>;
}

/** Keys of tables whose rows have no identifier of their own. */
const naturalKeys: Partial<Record<TableName, readonly string[]>> = {
  ratings: ["session_id", "slate_id", "stimulus_id", "dimension"],
  slate_ratings: ["session_id", "slate_id", "stimulus_id", "dimension"],
  results: ["kind", "dimension", "source", "asked_source"],
  metrics: ["experiment_id", "job_id", "leaderboard_id", "kind", "dimension", "source", "asked_source"],
  leaderboards: ["id"],
  experiment_details: ["id"],
};

const keyOf = (table: TableName): readonly string[] => {
  const { primaryKey } = lakeTable(table);
  const own = primaryKey === undefined ? naturalKeys[table] : [primaryKey];
  if (own === undefined) return Object.keys(columnTypes(table));
  return isOfExperiment(table) ? ["experiment_id", ...own] : own;
};

/** The tables that differ. Parts with equal digests are not read. */
export async function diffTables(before: Snapshot, after: Snapshot, examples: number): Promise<TableDiff[]> {
  const changed = new Set(diffManifests(before.manifest, after.manifest).changed.map(({ table }) => table));
  const sources = tableNames
    .filter((table) => changed.has(table))
    .flatMap((table): [string, TableSource][] => [
      [`before_${table}`, sourceOf(before, after.manifest, table)],
      [`after_${table}`, sourceOf(after, before.manifest, table)],
    ]);
  const warehouse = await openWarehouse({ sources: Object.fromEntries(sources) });
  try {
    const diffs: TableDiff[] = [];
    for (const table of tableNames) if (changed.has(table)) diffs.push(await diffTable(warehouse, table, examples));
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
  return { files: own.map(([, { path }]) => snapshot.locate(path)), columns: columnTypes(table) };
}

async function diffTable(warehouse: Warehouse, table: TableName, limit: number): Promise<TableDiff> {
  const key = keyOf(table);
  const columns = Object.keys(columnTypes(table));
  const keys = key.map(quoted).join(", ");
  const numbered = (name: string) =>
    `select *, row_number() over (partition by ${keys} order by ${columns.map(quoted).join(", ")}) as _nth from ${quoted(name)}`;
  const same = [...key, "_nth"].map((name) => `b.${quoted(name)} is not distinct from a.${quoted(name)}`).join(" and ");
  const differ = columns.map((name) => `b.${quoted(name)} is distinct from a.${quoted(name)}`).join(" or ");
  const joined = `
    with b as (${numbered(`before_${table}`)}), a as (${numbered(`after_${table}`)}),
    paired as (
      select case when b._nth is null then 'added' when a._nth is null then 'removed' else 'changed' end as state,
        ${columns.map((name) => `b.${quoted(name)} as ${quoted(`b.${name}`)}, a.${quoted(name)} as ${quoted(`a.${name}`)}`).join(", ")}
      from b full join a on ${same}
      where b._nth is null or a._nth is null or ${differ}
    )`;
  const counts = await warehouse.all(`${joined} select state, count(*) as n from paired group by state`);
  const count = (state: RowDiff["state"]) => Number(counts.find((row) => row.state === state)?.n ?? 0);
  const rows = await warehouse.all(`${joined} from paired order by all limit ${limit}`);
  const examples = rows.map((row): RowDiff => {
    const state = row.state as RowDiff["state"];
    const side = state === "removed" ? "b" : "a";
    const differing = columns.filter((name) => JSON.stringify(row[`b.${name}`]) !== JSON.stringify(row[`a.${name}`]));
    return {
      state,
      key: Object.fromEntries(key.map((name) => [name, row[`${side}.${name}`] ?? null])),
      columns:
        state === "changed"
          ? Object.fromEntries(
              differing.map((name) => [name, { before: row[`b.${name}`] ?? null, after: row[`a.${name}`] ?? null }]),
            )
          : {},
    };
  });
  return { table, key, added: count("added"), removed: count("removed"), changed: count("changed"), examples };
}
