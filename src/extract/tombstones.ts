import { lakeTable, tableNames, type TableName } from "../contract/index.js";
import { keyOf, layoutOf, type LakeStore, type Manifest, type Part, type Tombstone } from "../lake/index.js";
import { quoted, text, type Warehouse } from "../warehouse/index.js";

const isComplete = ({ experiments }: Manifest) => experiments.every(({ state }) => state === "complete");

const partOf = (manifest: Manifest, table: TableName, experiment: string | null): Part | undefined =>
  manifest.units
    .filter(
      (unit) => unit.experiment_id === experiment && unit.state === "complete" && unit.misidentified === undefined,
    )
    .flatMap(({ parts }) => parts)
    .find((part) => part.table === table && part.quarantined === 0);

/**
 * Primary keys that the previous snapshot had and this one does not. Undefined unless both are complete and have the
 * same service and selection: what was not read is not deleted.
 * @param staged folder of the snapshot that is being made
 */
export async function findTombstones(
  warehouse: Warehouse,
  store: LakeStore,
  before: Manifest | null,
  after: Manifest,
  staged: string,
): Promise<Tombstone[] | undefined> {
  if (before === null || !isComplete(before) || !isComplete(after)) return undefined;
  if (before.service !== after.service) return undefined;
  if (JSON.stringify(before.selection) !== JSON.stringify(after.selection)) return undefined;
  const previous = `${layoutOf(after.project_id).snapshots}/${before.snapshot}`;
  const found: Tombstone[] = [];
  for (const table of tableNames) {
    const key = lakeTable(table).primaryKey;
    if (key === undefined) continue;
    const idsIn = (folder: string, part: Part) =>
      `select ${quoted(key)}::varchar as id from read_parquet(${text(store.locate(keyOf(folder, part, part.path)))}, hive_partitioning = false)`;
    for (const experiment of [null, ...after.experiments.map(({ id }) => id)]) {
      const was = partOf(before, table, experiment);
      const is = partOf(after, table, experiment);
      if (!was || !is || was.sha256 === is.sha256) continue;
      const rows = await warehouse.all(
        `select distinct id from (${idsIn(previous, was)}) where id not in (from (${idsIn(staged, is)}) where id is not null) order by id`,
      );
      if (rows.length > 0) found.push({ table, experiment_id: experiment, ids: rows.map(({ id }) => id as string) });
    }
  }
  return found;
}
