import { diffSnapshots, type SnapshotDiff } from "../../../audit/index.js";
import { diffManifests, listSnapshots, readManifest, type Manifest } from "../../../lake/index.js";
import type { Conventions } from "../../../metrics/index.js";
import { limits } from "../limits.js";
import type { ChangeData } from "./report-data.js";

/** What differs from the snapshot before; null if there is none, or it is no longer in the lake. */
export async function changesSince(
  lake: string,
  after: Manifest,
  conventions: Conventions,
): Promise<ChangeData | null> {
  const { previous, project_id } = after;
  if (previous === null || !(await listSnapshots(lake, project_id)).includes(previous)) return null;
  const before = await readManifest(lake, project_id, previous);
  const isSmall = [before, after].every((manifest) => rowsOf(manifest) <= limits.comparedRows);
  const snapshots = { before: previous, after: after.snapshot };
  const diff = isSmall ? await diffSnapshots(lake, project_id, { ...snapshots, conventions, examples: 0 }) : null;
  return changesOf(before, after, diff);
}

const rowsOf = ({ units }: Manifest): number =>
  units.flatMap(({ parts }) => parts).reduce((sum, { rows }) => sum + rows, 0);

/** The differences with the names of the experiments. `diff`: by row and number; null if they are too many to compare. */
function changesOf(before: Manifest, after: Manifest, diff: SnapshotDiff | null): ChangeData {
  const { changed, unchanged, tombstones } = diffManifests(before, after);
  const names = new Map([...before.experiments, ...after.experiments].map(({ id, name }) => [id, name || id]));
  const nameOf = (id: string | null): string => (id === null ? "" : (names.get(id) ?? id));
  return {
    before: before.snapshot,
    unchanged,
    changed: changed.map(({ table, experiment_id, rows_before, rows_after }) => ({
      table,
      experiment: nameOf(experiment_id),
      before: rows_before,
      after: rows_after,
    })),
    deleted: tombstones.map(({ table, experiment_id, ids }) => ({
      table,
      experiment: nameOf(experiment_id),
      ids: ids.length,
    })),
    diff: diff && {
      tables: diff.tables.map(({ table, added, removed, changed: differing }) => ({
        table,
        added,
        removed,
        changed: differing,
      })),
      numbers: diff.numbers.map((number) => ({ ...number, experiment: nameOf(number.experiment_id) })),
    },
  };
}
