import { join } from "node:path";
import type { TableName } from "../contract/index.js";
import { layoutOf, type Manifest, type Part, type Tombstone } from "../lake/index.js";
import { text, type Warehouse } from "../warehouse/index.js";

/** Tables whose records have an identity of their own. */
const identified: readonly TableName[] = ["experiments", "datasets", "rubrics", "jobs", "sessions", "slates", "raters"];

const isComplete = ({ experiments }: Manifest) => experiments.every(({ state }) => state === "complete");

const partOf = (manifest: Manifest, table: TableName, experiment: string | null): Part | undefined =>
  manifest.units
    .filter(({ experiment_id, state }) => experiment_id === experiment && state === "complete")
    .flatMap(({ parts }) => parts)
    .find((part) => part.table === table && part.quarantined === 0);

export interface TombstoneSources {
  readonly lake: string;
  /** Folder of the snapshot under way. */
  readonly staged: string;
}

/**
 * Identifiers that the previous snapshot held and this one does not. Undefined unless both are complete and made
 * with the same selection: what was not read is not deleted.
 */
export async function tombstones(
  warehouse: Warehouse,
  before: Manifest | null,
  after: Manifest,
  { lake, staged }: TombstoneSources,
): Promise<Tombstone[] | undefined> {
  if (before === null || !isComplete(before) || !isComplete(after)) return undefined;
  if (JSON.stringify(before.selection) !== JSON.stringify(after.selection)) return undefined;
  const previous = join(layoutOf(lake, after.project_id).snapshots, before.snapshot);
  const found: Tombstone[] = [];
  for (const table of identified) {
    for (const experiment of [null, ...after.experiments.map(({ id }) => id)]) {
      const was = partOf(before, table, experiment);
      const is = partOf(after, table, experiment);
      if (!was || !is || was.sha256 === is.sha256) continue;
      const ids = (path: string) =>
        `select id::varchar as id from read_parquet(${text(path)}, hive_partitioning = false)`;
      const rows = await warehouse.all(
        `select distinct id from (${ids(join(previous, was.path))}) where id not in (from (${ids(join(staged, is.path))}) where id is not null) order by id`,
      );
      if (rows.length > 0) found.push({ table, experiment_id: experiment, ids: rows.map(({ id }) => id as string) });
    }
  }
  return found;
}
