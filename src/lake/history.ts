import type { TableName } from "../contract/index.js";
import type { Manifest, Part, Tombstone } from "./manifest.js";
import { currentSnapshot, listSnapshots, openSnapshot } from "./snapshot.js";
import { shortfallsOf } from "./shortfalls.js";
import { layoutOf, rawName } from "./layout.js";
import { lockProject, openStore } from "./open-store.js";

/** Summary of a snapshot. */
interface SnapshotSummary {
  readonly id: string;
  readonly created_at: string;
  readonly experiments: number;
  /** What keeps the snapshot from being whole, one sentence each. */
  readonly shortfalls: readonly string[];
  readonly rows: number;
  readonly bytes: number;
  readonly is_current: boolean;
}

/** One table of one experiment in two snapshots; null if a snapshot lacks it. */
interface PartDifference {
  readonly table: TableName;
  readonly experiment_id: string | null;
  readonly rows_before: number | null;
  readonly rows_after: number | null;
}

interface SnapshotDifference {
  readonly before: string;
  readonly after: string;
  readonly unchanged: number;
  readonly changed: readonly PartDifference[];
  /** Deletions that the later snapshot records since its predecessor. */
  readonly tombstones: readonly Tombstone[];
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

const partsOf = ({ units }: Manifest) =>
  new Map(
    units.flatMap(({ experiment_id, parts }) => parts.map((part) => [part.path, { ...part, experiment_id }] as const)),
  );

/** The complete snapshots of a project, oldest first. */
export async function summariseSnapshots(lake: string, projectId: string): Promise<SnapshotSummary[]> {
  const current = await currentSnapshot(lake, projectId);
  const ids = await listSnapshots(lake, projectId);
  return Promise.all(
    ids.map(async (id) => {
      const { manifest } = await openSnapshot(lake, projectId, id);
      const parts = manifest.units.flatMap((unit) => unit.parts);
      return {
        id,
        created_at: manifest.created_at,
        experiments: manifest.experiments.length,
        shortfalls: shortfallsOf(manifest).map(({ message }) => message),
        rows: sum(parts.map(({ rows }) => rows)),
        bytes: sum(parts.map(({ bytes }) => bytes)),
        is_current: id === current,
      };
    }),
  );
}

/** What changed from one snapshot to another, by the digests of their parts. */
export function diffManifests(before: Manifest, after: Manifest): SnapshotDifference {
  const was = partsOf(before);
  const is = partsOf(after);
  const paths = [...new Set([...was.keys(), ...is.keys()])].toSorted();
  const isSame = (path: string) => was.get(path)?.sha256 === is.get(path)?.sha256;
  const changed = paths
    .filter((path) => !isSame(path))
    .map((path) => {
      const { table, experiment_id } = (is.get(path) ?? was.get(path)) as Part & { experiment_id: string | null };
      return { table, experiment_id, rows_before: was.get(path)?.rows ?? null, rows_after: is.get(path)?.rows ?? null };
    });
  const tombstones = after.previous === before.snapshot ? (after.tombstones ?? []) : [];
  return {
    before: before.snapshot,
    after: after.snapshot,
    unchanged: paths.length - changed.length,
    changed,
    tombstones,
  };
}

interface PruneReport {
  readonly removed: readonly string[];
  readonly kept: readonly string[];
  /** Raw bodies that no kept snapshot names. */
  readonly raw_removed: number;
}

/**
 * Removes all but the newest `keep` snapshots, with the bodies and models that belong to them alone. The current one
 * always stays. A snapshot is hidden before its files are removed, so that a crash never leaves a partial one.
 */
export async function pruneSnapshots(lake: string, projectId: string, keep: number): Promise<PruneReport> {
  const lock = await lockProject(lake, projectId);
  try {
    return await prune(lake, projectId, keep);
  } finally {
    await lock.release();
  }
}

async function prune(lake: string, projectId: string, keep: number): Promise<PruneReport> {
  const store = openStore(lake);
  const { snapshots, derived, raw } = layoutOf(projectId);
  const oldestFirst = (await summariseSnapshots(lake, projectId)).toSorted((a, b) =>
    a.created_at.localeCompare(b.created_at, "en"),
  );
  const removed = oldestFirst
    .slice(0, Math.max(0, oldestFirst.length - keep))
    .filter(({ is_current }) => !is_current)
    .map(({ id }) => id);
  for (const id of removed) {
    const hidden = `${snapshots}/.pruned-${id}`;
    await store.rename(`${snapshots}/${id}`, hidden);
    await store.sync([snapshots]);
    await store.remove(hidden);
    await store.remove(`${derived}/${id}`);
  }
  const kept = await listSnapshots(lake, projectId);
  const named = new Set<string>();
  for (const id of kept) {
    const { manifest } = await openSnapshot(lake, projectId, id);
    for (const { body } of manifest.raw ?? []) named.add(rawName(body));
  }
  const bodies = removed.length > 0 ? await store.list(raw) : [];
  const orphans = bodies.filter((name) => name.endsWith(rawName("")) && !named.has(name));
  for (const name of orphans) await store.remove(`${raw}/${name}`);
  return { removed, kept, raw_removed: orphans.length };
}
