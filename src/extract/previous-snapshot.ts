// What the previous snapshot offers a new one for reuse.
import {
  areIntact,
  currentSnapshot,
  filesOf,
  layoutOf,
  readManifest,
  type LakeStore,
  type Manifest,
  type Part,
  type Unit,
} from "../lake/index.js";
import { messageOf, type Log, keyOf, version } from "../platform/index.js";

type RequestKey = Pick<Unit, "operation" | "experiment_id" | "parameters">;

export const requestKey = ({ operation, experiment_id, parameters }: RequestKey): string =>
  keyOf(
    operation,
    experiment_id,
    Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** What was complete, of the same service, project and converter, and masked as now. */
export interface PreviousSnapshot {
  /** Null when there is none, or it is corrupted. */
  readonly manifest: Manifest | null;
  unit(request: RequestKey, paths: readonly string[]): Unit | undefined;
  part(path: string): Part | undefined;
  /** If this version found an experiment complete with the same rows in these parts. */
  wasComplete(experimentId: string, parts: readonly Part[]): boolean;
  isIntact(parts: readonly Part[]): Promise<boolean>;
  /** Links into `folder`, or references, if the store has no links. */
  reuse(parts: readonly Part[], folder: string): Promise<Part[]>;
}

async function previousManifest(
  lake: string,
  projectId: string,
  log: Log,
): Promise<Manifest | null> {
  const id = await currentSnapshot(lake, projectId);
  if (id === null) return null;
  try {
    return await readManifest(lake, projectId, id);
  } catch (error) {
    log.warn(`The previous snapshot is not reused: ${messageOf(error)}`);
    return null;
  }
}

/** @param own the service, the converter and the masking whose parts can be reused */
export async function openPreviousSnapshot(
  store: LakeStore,
  lake: string,
  projectId: string,
  own: Pick<Manifest, "service"> & { readonly converter: string; readonly maskSecrets: boolean },
  log: Log,
): Promise<PreviousSnapshot> {
  const manifest = await previousManifest(lake, projectId, log);
  const folder = `${layoutOf(projectId).snapshots}/${manifest?.snapshot ?? ""}`;
  const isUsable = ({ state, body, secrets, is_withheld }: Unit) =>
    state === "complete" &&
    body !== null &&
    is_withheld === undefined &&
    (secrets === undefined || secrets.is_masked === own.maskSecrets);
  const isReusable =
    manifest?.converter === own.converter &&
    manifest.service === own.service &&
    manifest.project_id === projectId;
  const usable = isReusable ? manifest.units.filter(isUsable) : [];
  const units = new Map(usable.map((unit) => [requestKey(unit), unit]));
  const parts = new Map(
    usable.flatMap((unit) => unit.parts.map((part) => [part.path, part] as const)),
  );
  const known = manifest?.recount === version ? manifest.experiments : [];
  const complete = new Set(known.flatMap(({ id, state }) => (state === "complete" ? [id] : [])));
  return {
    manifest,
    unit(request, paths) {
      const unit = units.get(requestKey(request));
      const isSame =
        unit?.parts.length === paths.length && unit.parts.every(({ path }) => paths.includes(path));
      return isSame ? unit : undefined;
    },
    part: (path) => parts.get(path),
    wasComplete: (id, now) =>
      complete.has(id) &&
      now.every(({ path, sha256, quarantined }) => {
        const was = parts.get(path);
        return was?.sha256 === sha256 && was.quarantined === quarantined;
      }),
    isIntact: (some) => areIntact(store, folder, some),
    async reuse(some, target) {
      const reused: Part[] = [];
      for (const part of some) {
        let isLinked = true;
        for (const { path, key } of part.snapshot === undefined ? filesOf([part], folder) : [])
          isLinked = (await store.link(key, `${target}/${path}`)) && isLinked;
        reused.push(isLinked ? part : { ...part, snapshot: manifest?.snapshot ?? "" });
      }
      return reused;
    },
  };
}
