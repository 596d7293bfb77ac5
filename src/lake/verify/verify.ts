import { UsageError } from "../../platform/index.js";
import { layoutOf, rawName } from "../layout.js";
import type { Manifest } from "../manifest.js";
import { openStore } from "../open-store.js";
import { listSnapshots } from "../snapshot.js";
import type { LakeStore } from "../store.js";
import { openFooterReader } from "./part.js";
import type { Findings, LakeProblem } from "./problem.js";
import { checkRawBody } from "./raw.js";
import { verifySnapshot } from "./snapshot.js";

/** The result of a verification; without problems every file matches its digest. */
interface VerifyReport {
  readonly snapshots: readonly string[];
  readonly files: number;
  readonly bytes: number;
  readonly problems: readonly LakeProblem[];
}

async function checkCurrent(store: LakeStore, key: string, all: readonly string[], found: Findings): Promise<void> {
  const file = store.locate(key);
  const text = await store.read(key).catch(() => null);
  if (text === null) found.problems.push({ file, problem: "is missing or cannot be read" });
  else if (!all.some((id) => text === `${id}\n`))
    found.problems.push({ file, problem: `names no snapshot: ${JSON.stringify(text)}` });
}

/** Checks kept bodies against their names; those that a verified manifest names must be there. */
async function checkRaw(
  store: LakeStore,
  folder: string,
  manifests: readonly Manifest[],
  all: boolean,
  findings: Findings,
): Promise<void> {
  const recorded = new Map(
    manifests.flatMap((manifest) => manifest.raw ?? []).map(({ body, sha256 }) => [rawName(body), sha256]),
  );
  const found = await store.list(folder);
  for (const name of found.filter((one) => !one.startsWith(".") && (all || recorded.has(one)))) {
    const { problem, bytes } = await checkRawBody(store, folder, name, recorded.get(name));
    findings.files++;
    findings.bytes += bytes;
    if (problem !== null) findings.problems.push({ file: store.locate(`${folder}/${name}`), problem });
  }
  for (const name of recorded.keys()) {
    if (!found.includes(name))
      findings.problems.push({ file: store.locate(`${folder}/${name}`), problem: "is missing" });
  }
}

/**
 * Checks a project of a lake without the service: `current`, and of every snapshot (or one) the manifest, each file's
 * digest, row count and columns, and the kept bodies. @throws UsageError when there is no such snapshot.
 */
export async function verifyProject(lake: string, projectId: string, only?: string): Promise<VerifyReport> {
  const store = openStore(lake);
  const layout = layoutOf(projectId);
  const all = await listSnapshots(lake, projectId);
  if (all.length === 0) throw new UsageError(`${store.locate(layout.project)}: no snapshot to verify.`);
  if (only !== undefined && !all.includes(only))
    throw new UsageError(`${store.locate(layout.snapshots)} has no snapshot ${only}. It has: ${all.join(", ")}.`);
  const snapshots = only === undefined ? all : [only];
  const findings: Findings = { problems: [], files: 1, bytes: 0 };
  const footers = await openFooterReader();
  try {
    await checkCurrent(store, layout.current, all, findings);
    const verification = { store, findings, digests: new Map(), footers };
    const manifests: Manifest[] = [];
    for (const id of snapshots) {
      const manifest = await verifySnapshot(`${layout.snapshots}/${id}`, id, verification);
      if (manifest !== null) manifests.push(manifest);
    }
    await checkRaw(store, layout.raw, manifests, only === undefined, findings);
  } finally {
    footers.close();
  }
  return { snapshots, ...findings };
}
