import { diffSnapshots, type SnapshotDiff } from "../../audit/index.js";
import { diffManifests, listSnapshots, readManifest, type Manifest } from "../../lake/index.js";
import type { Conventions } from "../../metrics/index.js";
import { limits } from "./html.js";

/** What changed since the snapshot before. */
export type ChangeData = ReturnType<typeof changesOf>;

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

/**
 * The differences with the names of the experiments.
 * @param diff rows by key, and recomputed numbers and ranks that moved; null if the snapshots are too large to compare so
 */
function changesOf(before: Manifest, after: Manifest, diff: SnapshotDiff | null) {
  const { changed, unchanged, tombstones } = diffManifests(before, after);
  const names = new Map([...before.experiments, ...after.experiments].map(({ id, name }) => [id, name || id]));
  const named = <T extends { readonly experiment_id: string | null }>(one: T) => {
    const id = one.experiment_id;
    return { ...one, experiment: id === null ? "" : (names.get(id) ?? id) };
  };
  return {
    before: before.snapshot,
    unchanged,
    changed: changed.map(named),
    deleted: tombstones.map(named),
    diff: diff && { tables: diff.tables, numbers: diff.numbers.map(named) },
  };
}
