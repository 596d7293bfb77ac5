import { UsageError } from "../../platform/index.js";
import { layoutOf, manifestName, rawName } from "../layout.js";
import type { Manifest } from "../manifest.js";
import { openStore } from "../open-store.js";
import { namedKeys } from "../part-files.js";
import { listSnapshots } from "../snapshot.js";
import { checkBodies } from "./bodies.js";
import { openFooterReader } from "./part.js";
import { checkPlaces } from "./places.js";
import { verifySnapshot } from "./snapshot.js";
import type { Findings, Verification } from "./verification.js";

/** The result of a verification; without problems every file matches its digest. */
interface VerifyReport extends Findings {
  readonly snapshots: readonly string[];
}

async function checkCurrent({ store, layout, report }: Verification, all: readonly string[]): Promise<void> {
  const text = await store.read(layout.current).catch(() => null);
  if (text === null) report("current", "is missing or cannot be read");
  else if (!all.some((id) => text === `${id}\n`))
    report("current", `names no snapshot: ${JSON.stringify(text.slice(0, 80))}`);
}

/** Kept bodies, and files of snapshots that are gone or were never published, that no snapshot names. */
function looseFiles({ tree, layout }: Verification, manifests: readonly Manifest[]): string[] {
  const named = new Set(manifests.flatMap((one) => namedKeys(layout.project, one)));
  const own = manifests.map(({ snapshot }) => `snapshots/${snapshot}/`);
  return [...tree].flatMap(([path, { kind, bytes }]) => {
    // It stays, so that no run that was stopped can publish there.
    if (bytes === 0 && path.endsWith(`/${manifestName}`)) return [];
    const isBody = path.startsWith("raw/") && path.endsWith(rawName(""));
    const isGone = /^snapshots\/[^./][^/]*\/./.test(path) && !own.some((folder) => path.startsWith(folder));
    return kind === "file" && (isBody || isGone) && !named.has(`${layout.project}/${path}`) ? [path] : [];
  });
}

/**
 * Checks a project of a lake without the service: that nothing else is in its folder, `current`, and of every snapshot
 * (or one) the manifest, each file's digest, row count and columns, and the kept bodies.
 * @throws UsageError when there is no such snapshot.
 */
export async function verifyProject(lake: string, projectId: string, only?: string): Promise<VerifyReport> {
  const store = openStore(lake);
  const layout = layoutOf(projectId);
  const all = await listSnapshots(lake, projectId);
  if (all.length === 0) throw new UsageError(`${store.locate(layout.project)}: no snapshot to verify.`);
  if (only !== undefined && !all.includes(only))
    throw new UsageError(`${store.locate(layout.snapshots)} has no snapshot ${only}. It has: ${all.join(", ")}.`);
  const snapshots = only === undefined ? all : [only];
  const tree = await store.tree(layout.project, ["derived", "staging"]);
  const locate = (path: string) => store.locate(`${layout.project}/${path}`);
  const problems: Findings["problems"] = [];
  const footers = await openFooterReader(lake);
  const verification: Verification = {
    ...{ store, layout, tree, footers, digests: new Map(), problems, leftovers: [], files: 1, bytes: 0 },
    report: (path, problem) => problems.push({ file: locate(path), problem }),
  };
  try {
    checkPlaces(verification);
    await checkCurrent(verification, all);
    const manifests: Manifest[] = [];
    for (const id of snapshots) {
      const manifest = await verifySnapshot(id, verification);
      if (manifest !== null) manifests.push(manifest);
    }
    await checkBodies(manifests, verification);
    if (manifests.length === all.length)
      verification.leftovers.push(...looseFiles(verification, manifests).map(locate));
  } finally {
    footers.close();
  }
  const { leftovers, files, bytes } = verification;
  return { snapshots, problems, leftovers, files, bytes };
}
