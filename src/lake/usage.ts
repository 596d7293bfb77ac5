import { isLeftover, layoutOf, manifestName, prunedName } from "./layout.js";
import { openStore } from "./open-store.js";
import { listSnapshots } from "./snapshot.js";

/** What the files of a project are for, by their path within it: the first that matches. */
const places = {
  interrupted: (path: string) => isLeftover(path) || path.startsWith(`snapshots/${prunedName("")}`),
  manifests: (path: string) => path.startsWith("snapshots/") && path.endsWith(`/${manifestName}`),
  quarantine: (path: string) => /^snapshots\/[^/]+\/(quarantine(\/|$)|.*\.quarantine\.jsonl$)/.test(path),
  parts: (path: string) => /^snapshots(?!\/[^/]+\/raw\/)(\/|$)/.test(path),
  bodies: (path: string) => /^(snapshots\/[^/]+\/)?raw(\/|$)/.test(path),
  models: (path: string) => /^derived(\/|$)/.test(path),
  staging: (path: string) => /^staging(\/|$)/.test(path),
  runs: (path: string) => path === "runs.jsonl",
  other: () => true,
} as const;

type Place = keyof typeof places;
const placeNames = Object.keys(places) as readonly Place[];

interface PlaceUsage {
  readonly place: Place;
  readonly files: number;
  /** With every name of a file counted. */
  readonly bytes: number;
  /** With each file counted once, at its first name, as the disk does. Folders included. */
  readonly unique_bytes: number;
}

/** The space that the files of a project use. */
export interface ProjectUsage {
  readonly project: string;
  readonly snapshots: number;
  readonly bytes: number;
  readonly unique_bytes: number;
  readonly places: readonly PlaceUsage[];
}

/** Measures the files of a project, by what they are for. */
export async function measureProject(lake: string, projectId: string): Promise<ProjectUsage> {
  const tree = await openStore(lake).tree(layoutOf(projectId).project, []);
  const found = new Map(placeNames.map((place) => [place, { place, files: 0, bytes: 0, unique_bytes: 0 }]));
  const seen = new Set<string>();
  for (const [path, { kind, bytes, identity }] of tree) {
    const own = found.get(placeNames.find((place) => places[place](path)) ?? "other");
    if (own === undefined) continue;
    own.bytes += bytes;
    if (kind !== "folder") own.files++;
    if (!seen.has(identity)) own.unique_bytes += bytes;
    seen.add(identity);
  }
  const all = [...found.values()];
  const sum = (of: "bytes" | "unique_bytes") => all.reduce((total, one) => total + one[of], 0);
  return {
    project: projectId,
    snapshots: (await listSnapshots(lake, projectId)).length,
    bytes: sum("bytes"),
    unique_bytes: sum("unique_bytes"),
    places: all.filter(({ bytes }) => bytes > 0),
  };
}
