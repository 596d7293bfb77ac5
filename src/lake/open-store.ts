import type { Clock } from "../platform/index.js";
import { layoutOf } from "./layout.js";
import { createLocalStore } from "./local-store.js";
import type { LakeStore, Lock } from "./store.js";

/** The store at a lake's address. A new kind of store is registered here; today every address is a local folder. */
export function openStore(lake: string): LakeStore {
  return createLocalStore(lake);
}

/** Takes a project's lock: one writer per project. @throws ExportError when another run holds it. */
export function lockProject(lake: string, projectId: string, clock?: Clock): Promise<Lock> {
  return openStore(lake).lock(layoutOf(projectId).lock, clock);
}
