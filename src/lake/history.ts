/** Snapshots of a project side by side, with their sizes. */
import { sumOf } from "../platform/index.js";
import type { TableName } from "../contract/index.js";
import { layoutOf, rawName } from "./layout.js";
import type { Manifest, Part, Tombstone } from "./manifest-schema.js";
import { namedKeys } from "./manifest.js";
import { shortfallsOf } from "./shortfalls.js";
import { currentSnapshot, listSnapshots, openStore, readManifest } from "./snapshot.js";
import { entriesBelow, type Entry, sizeOfAll } from "./store.js";

export interface SnapshotSummary {
  readonly id: string;
  readonly created_at: string;
  readonly experiments: number;
  readonly shortfalls: readonly string[];
  readonly rows: number;
  /** With the bytes that other snapshots share. */
  readonly bytes: number;
  readonly raw_bytes: number;
  readonly models_bytes: number;
  /** Bytes of files, bodies and models that belong to no other snapshot. */
  readonly own_bytes: number;
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
  readonly tombstones: readonly Tombstone[];
}

const isBody = (key: string) => key.endsWith(rawName(""));

interface PlacedPart extends Part {
  readonly experiment_id: string | null;
}

export const partsByPlace = ({ units }: Manifest): ReadonlyMap<string, PlacedPart> =>
  new Map(
    units.flatMap(({ experiment_id, parts }) =>
      parts.map((part) => [part.path, { ...part, experiment_id }]),
    ),
  );

/** The complete snapshots of a project, oldest first, with their sizes. */
export async function summariseSnapshots(
  lake: string,
  projectId: string,
): Promise<SnapshotSummary[]> {
  const store = await openStore(lake);
  const { snapshots, derived, raw } = layoutOf(projectId);
  const current = await currentSnapshot(lake, projectId);
  const ids = await listSnapshots(lake, projectId);
  const manifests = await Promise.all(ids.map((id) => readManifest(lake, projectId, id)));
  const keys = manifests.map((one) => namedKeys(projectId, one));
  const users = new Map<string, number>();
  for (const key of keys.flat()) users.set(key, (users.get(key) ?? 0) + 1);
  const found = new Map<string, Entry>();
  const folders = new Map(ids.map((id): [string, string[]] => [id, []]));
  for (const folder of [snapshots, raw])
    for (const [path, entry] of await store.tree(folder)) {
      const key = `${folder}/${path}`;
      found.set(key, { ...entry, links: Math.max(entry.links, users.get(key) ?? 1) });
      if (folder === snapshots) folders.get(path.split("/")[0] ?? "")?.push(key);
    }
  return Promise.all(
    manifests.map(async (manifest, i) => {
      const id = ids[i] ?? "";
      const models = await entriesBelow(store, derived, (name) => name === id);
      const all = [...new Set([...(folders.get(id) ?? []), ...(keys[i] ?? [])])];
      const entriesAt = (some: readonly string[]) => some.flatMap((key) => found.get(key) ?? []);
      const bodies = entriesAt(all.filter(isBody));
      const files = entriesAt(all.filter((key) => !isBody(key)));
      const parts = manifest.units.flatMap((unit) => unit.parts);
      return {
        id,
        created_at: manifest.created_at,
        experiments: manifest.experiments.length,
        shortfalls: shortfallsOf(manifest).map(({ message }) => message),
        rows: sumOf(parts.map(({ rows }) => rows)),
        bytes: sizeOfAll(files).bytes,
        raw_bytes: sizeOfAll(bodies).bytes,
        models_bytes: sizeOfAll(models).bytes,
        own_bytes: sizeOfAll([...files, ...models, ...bodies]).own_bytes,
        is_current: id === current,
      };
    }),
  );
}

export function diffManifests(before: Manifest, after: Manifest): SnapshotDifference {
  const was = partsByPlace(before);
  const is = partsByPlace(after);
  const paths = [...new Set([...was.keys(), ...is.keys()])].toSorted();
  const isSame = (path: string) => was.get(path)?.sha256 === is.get(path)?.sha256;
  const changed = paths
    .filter((path) => !isSame(path))
    .map((path) => {
      const { table, experiment_id } = (is.get(path) ?? was.get(path)) as PlacedPart;
      return {
        table,
        experiment_id,
        rows_before: was.get(path)?.rows ?? null,
        rows_after: is.get(path)?.rows ?? null,
      };
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
