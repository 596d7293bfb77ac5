/** Which snapshots retention keeps, and the removal of the others. */
import { byText, type Clock, systemClock } from "../platform/index.js";
import { isOldScratch, isSnapshotName, keptName, layoutOf, rawName } from "./layout.js";
import type { Manifest } from "./manifest-schema.js";
import { namedKeys } from "./manifest.js";
import { shortenRuns } from "./runs.js";
import { shortfallsOf } from "./shortfalls.js";
import {
  currentSnapshot,
  listSnapshots,
  lockProject,
  openStore,
  readManifest,
} from "./snapshot.js";
import { entriesBelow, type LakeStore, namesIn, sizeOfAll } from "./store.js";

export interface Pruning {
  readonly removed: readonly string[];
  readonly kept: readonly string[];
  readonly models_removed: readonly string[];
  /** Raw bodies that no kept snapshot names. */
  readonly raw_removed: number;
  readonly freed_bytes: number;
}

interface PruneOptions {
  readonly isDryRun?: boolean;
  /** True if the caller holds the project's lock. */
  readonly isLocked?: boolean;
  readonly store?: LakeStore;
  readonly clock?: Clock;
}

/** A folder of models, or one that is being written: its snapshot. */
const derivedFrom = (name: string) => /^\.?(\d{8}T\d+Z-[0-9a-f]+)(\.tmp(-.*)?)?$/.exec(name)?.[1];

/** A snapshot is hidden before its files are removed: a crash never leaves a partial one. */
export async function pruneSnapshots(
  lake: string,
  projectId: string,
  retention: Retention,
  { isDryRun = false, isLocked = false, store: given, clock = systemClock }: PruneOptions = {},
): Promise<Pruning> {
  const store = given ?? (await openStore(lake));
  const lock = isLocked || isDryRun ? null : await lockProject(lake, projectId);
  try {
    const plan = await planPruning(lake, projectId, retention, store, clock.now());
    if (!isDryRun) {
      await carryOut(plan, store);
      await shortenRuns(lake, projectId, clock.now());
    }
    return plan.pruning;
  } finally {
    await lock?.release();
  }
}

interface PruningPlan {
  readonly pruning: Pruning;
  readonly folders: readonly string[];
  readonly named: ReadonlySet<string>;
  readonly keys: readonly string[];
}

async function planPruning(
  lake: string,
  projectId: string,
  retention: Retention,
  store: LakeStore,
  now: Date,
): Promise<PruningPlan> {
  const { snapshots, derived, raw } = layoutOf(projectId);
  const current = await currentSnapshot(lake, projectId);
  const manifests = new Map<string, Manifest>();
  for (const id of await listSnapshots(lake, projectId))
    manifests.set(id, await readManifest(lake, projectId, id));
  const newestFirst = [...manifests]
    .toSorted(([, a], [, b]) => byText(b.created_at, a.created_at))
    .map(([id, one]) => ({
      id,
      created_at: one.created_at,
      isWhole: shortfallsOf(one).length === 0,
    }));
  const chosen = retained(newestFirst, retention);
  const ids = newestFirst.map(({ id }) => id);
  const kept = ids.filter((id) => chosen.has(id) || id === current);
  const removed = ids.filter((id) => !kept.includes(id)).toReversed();
  const withModels = kept
    .toSorted((a, b) => Number(b === current) - Number(a === current))
    .slice(0, retention.models);
  const folders = (await namesIn(store, derived)).filter((name) => {
    const id = derivedFrom(name);
    return id === undefined
      ? isOldScratch(name, now)
      : !(id === name ? withModels : kept).includes(id);
  });
  const results = `${derived}/${keptName}`;
  // Of models that go.
  const notes = (await namesIn(store, results)).filter((name) => {
    const [id] = /\d{8}T\d+Z-[0-9a-f]+$/.exec(name) ?? [];
    return id !== undefined && !withModels.includes(id);
  });
  const named = new Set(
    kept.flatMap((id) => manifests.get(id) ?? []).flatMap((one) => namedKeys(projectId, one)),
  );
  const bodies = (await namesIn(store, raw)).filter(
    (name) => name.endsWith(rawName("")) && !named.has(`${raw}/${name}`),
  );
  // Never published, or removed while others need files of it.
  const unpublished = (await namesIn(store, snapshots)).filter(
    (id) => isSnapshotName(id) && !manifests.has(id),
  );
  const going = [...removed, ...unpublished];
  const gone = { [snapshots]: going, [derived]: folders, [results]: notes, [raw]: bodies };
  const entries = await Promise.all(
    Object.entries(gone).map(([folder, names]) => {
      const those = new Set(names);
      return entriesBelow(store, folder, (name) => those.has(name));
    }),
  );
  return {
    folders: going.map((id) => `${snapshots}/${id}`),
    named,
    keys: [
      ...folders.map((name) => `${derived}/${name}`),
      ...notes.map((name) => `${results}/${name}`),
      ...bodies.map((name) => `${raw}/${name}`),
    ],
    pruning: {
      removed,
      kept: kept.toReversed(),
      models_removed: folders.filter((name) => derivedFrom(name) === name),
      raw_removed: bodies.length,
      freed_bytes: sizeOfAll(entries.flat().filter(({ identity }) => !named.has(identity)))
        .own_bytes,
    },
  };
}

async function carryOut({ folders, named, keys }: PruningPlan, store: LakeStore): Promise<void> {
  for (const folder of folders) await store.retract(folder, named);
  for (const key of keys) await store.remove(key);
}

interface DatedSnapshot {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly isWhole: boolean;
}

/** The rule keeps one snapshot of each of the newest periods, in UTC. */
const periods = {
  last: ({ id }: DatedSnapshot) => id,
  daily: ({ created_at }: DatedSnapshot) => created_at.slice(0, 10),
  monthly: ({ created_at }: DatedSnapshot) => created_at.slice(0, 7),
  yearly: ({ created_at }: DatedSnapshot) => created_at.slice(0, 4),
} as const;

type Period = keyof typeof periods;
const periodNames = Object.keys(periods) as readonly Period[];

/** As in restic, `daily: 30` keeps one of each of the newest 30 days that have any. */
export interface Retention extends Readonly<Partial<Record<Period, number | undefined>>> {
  /** Newest snapshots whose models are kept, the current one first; undefined: all. */
  readonly models?: number | undefined;
}

export const defaultRetention = {
  last: 7,
  daily: 30,
  monthly: 12,
  models: 1,
} as const satisfies Retention;

/**
 * One snapshot of each of the newest `count` periods: the newest that is whole, or else the newest.
 */
function keptBy(newestFirst: readonly DatedSnapshot[], period: Period, count: number): string[] {
  const chosen = new Map<string, DatedSnapshot>();
  for (const one of newestFirst) {
    const name = periods[period](one);
    const newer = chosen.get(name);
    if (newer === undefined || (one.isWhole && !newer.isWhole)) chosen.set(name, one);
  }
  return [...chosen.values()].slice(0, count).map(({ id }) => id);
}

export function retained(
  newestFirst: readonly DatedSnapshot[],
  retention: Retention,
): ReadonlySet<string> {
  return new Set(
    periodNames.flatMap((period) => keptBy(newestFirst, period, retention[period] ?? 0)),
  );
}
