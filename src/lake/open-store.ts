import { objectAddress } from "../objects/index.js";
import type { Clock } from "../platform/index.js";
import { layoutOf } from "./layout.js";
import { createLocalStore } from "./local-store.js";
import { createObjectStore } from "./object-store/index.js";
import type { LakeStore, Lock } from "./store.js";

/** The store at a lake's address: `s3://bucket/folder`, or a local folder. A new kind of store is registered here. */
export function openStore(lake: string): LakeStore {
  const address = objectAddress(lake);
  if (address !== null) return createObjectStore(address);
  return createLocalStore(lake);
}

/**
 * Takes a project's lock, one writer per project, and removes or settles what a killed writer left.
 * @throws ExportError when another run holds it.
 */
export function lockProject(lake: string, projectId: string, clock?: Clock): Promise<Lock> {
  return openStore(lake).lock(layoutOf(projectId).project, clock);
}
