import { layoutOf } from "./layout.js";
import type { LakeStore } from "./store.js";

/** An export by several workers: a folder of the project's `rounds`, which all of them have agreed on. */
export interface Round {
  readonly folder: string;
  /** The snapshot that it continues; null if there was none. */
  readonly previous: string | null;
  /** Instant at which its first worker started, ISO 8601 in UTC. */
  readonly created: string;
  /** The settings that all workers must have. */
  readonly terms: Readonly<Record<string, unknown>>;
}

const roundFile = "round.json";

/** The round of this name: the first worker's, or the one that another worker has started before. */
export async function joinRound(
  store: LakeStore,
  projectId: string,
  name: string,
  own: Omit<Round, "folder">,
): Promise<Round> {
  const folder = `${layoutOf(projectId).rounds}/${name}`;
  const key = `${folder}/${roundFile}`;
  for (;;) {
    if (await store.shared?.create(key, JSON.stringify(own))) return { ...own, folder };
    const text = await store.read(key);
    if (text !== null) return { ...(JSON.parse(text) as Omit<Round, "folder">), folder };
  }
}

/** The identifiers under which workers of a round have written files, each noted before its first file. */
export const runsOf = (store: LakeStore, folder: string): Promise<string[]> => store.list(`${folder}/runs`);

/** @throws an error if another run has noted the same identifier */
export async function noteRunOf(store: LakeStore, { folder }: Round, id: string): Promise<void> {
  if ((await store.shared?.create(`${folder}/runs/${id}`, `${id}\n`)) !== true)
    throw new Error(`${folder}: ${id} is noted twice`);
}

/** What a pruning does with rounds: the folders of snapshots that open ones are filling, and the rounds that are over. */
export async function roundsOf(
  store: LakeStore,
  projectId: string,
  current: string | null,
): Promise<{ readonly filling: ReadonlySet<string>; readonly over: readonly string[] }> {
  const { rounds } = layoutOf(projectId);
  const filling = new Set<string>();
  const over: string[] = [];
  for (const name of store.shared === null ? [] : await store.list(rounds)) {
    const folder = `${rounds}/${name}`;
    const runs = await runsOf(store, folder);
    const text = await store.read(`${folder}/${roundFile}`);
    const isOpen = text !== null && (JSON.parse(text) as Round).previous === current;
    if (isOpen) for (const id of runs) filling.add(id);
    // A worker of the round that made the current snapshot may still ask what became of it.
    else if (!runs.includes(current ?? "")) over.push(folder);
  }
  return { filling, over };
}
