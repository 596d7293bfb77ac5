import type { Clock } from "../platform/index.js";
import { isLeftover, layoutOf } from "./layout.js";
import { createLocalStore } from "./local-store.js";
import type { LakeStore, Lock } from "./store.js";

/** The store at a lake's address. A new kind of store is registered here; today every address is a local folder. */
export function openStore(lake: string): LakeStore {
  return createLocalStore(lake);
}

/**
 * Takes a project's lock, one writer per project, and removes what a killed writer left.
 * @throws ExportError when another run holds it.
 */
export async function lockProject(lake: string, projectId: string, clock?: Clock): Promise<Lock> {
  const store = openStore(lake);
  const { project, snapshots, lock } = layoutOf(projectId);
  const held = await store.lock(lock, clock);
  try {
    const hidden = (await store.list(snapshots)).map((name) => `snapshots/${name}`);
    for (const name of [...(await store.list(project)), ...hidden].filter(isLeftover))
      await store.remove(`${project}/${name}`);
    return held;
  } catch (error) {
    await held.release();
    throw error;
  }
}
