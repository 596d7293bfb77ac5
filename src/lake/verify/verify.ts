import { join } from "node:path";
import { UsageError, exists, fsp, readText } from "../../platform/index.js";
import { layoutOf, type Layout } from "../layout.js";
import type { Manifest } from "../manifest.js";
import { listSnapshots } from "../snapshot.js";
import { openFooterReader } from "./part.js";
import type { Findings, Problem } from "./problem.js";
import { rawProblem } from "./raw.js";
import { verifySnapshot, type Digests } from "./snapshot.js";

/** What a verification looked at and what it found; no problem means that every byte is as it was written. */
export interface VerifyReport {
  readonly snapshots: readonly string[];
  readonly files: number;
  readonly bytes: number;
  readonly problems: readonly Problem[];
}

async function checkCurrent({ current }: Layout, all: readonly string[], { problems }: Findings): Promise<void> {
  const text = await readText(current).catch(() => null);
  if (text === null) problems.push({ file: current, problem: "is missing or cannot be read" });
  else if (!all.some((id) => text === `${id}\n`))
    problems.push({ file: current, problem: `names no snapshot: ${JSON.stringify(text)}` });
}

/** Raw bodies by their names; those that a verified manifest names must be there. */
async function checkRaw(
  { raw }: Layout,
  manifests: readonly Manifest[],
  everything: boolean,
  findings: Findings,
): Promise<void> {
  const recorded = new Map(
    manifests.flatMap((manifest) => manifest.raw ?? []).map(({ body, sha256 }) => [`${body}.json.gz`, sha256]),
  );
  const found = (await exists(raw)) ? await fsp.readdir(raw) : [];
  for (const name of found.filter((one) => !one.startsWith(".") && (everything || recorded.has(one)))) {
    const file = join(raw, name);
    const problem = await rawProblem(file, name, recorded.get(name));
    findings.files++;
    findings.bytes += (await fsp.stat(file)).size;
    if (problem !== null) findings.problems.push({ file, problem });
  }
  for (const name of recorded.keys())
    if (!found.includes(name)) findings.problems.push({ file: join(raw, name), problem: "is missing" });
}

/**
 * Re-checks a project of a lake without the service: `current`, and of every snapshot (or the one asked for) the manifest,
 * each file's digest, row count and schema, and the raw bodies. @throws UsageError when there is no such snapshot.
 */
export async function verifyProject(lake: string, projectId: string, only?: string): Promise<VerifyReport> {
  const layout = layoutOf(lake, projectId);
  const all = await listSnapshots(lake, projectId);
  if (all.length === 0) throw new UsageError(`${layout.project}: no snapshot to verify.`);
  if (only !== undefined && !all.includes(only))
    throw new UsageError(`${layout.snapshots} has no snapshot ${only}. It has: ${all.join(", ")}.`);
  const snapshots = only === undefined ? all : [only];
  const findings: Findings = { problems: [], files: 1, bytes: 0 };
  const digests: Digests = new Map();
  const footers = await openFooterReader();
  try {
    await checkCurrent(layout, all, findings);
    const manifests: Manifest[] = [];
    for (const id of snapshots) {
      const manifest = await verifySnapshot(join(layout.snapshots, id), id, { findings, digests, footers });
      if (manifest !== null) manifests.push(manifest);
    }
    await checkRaw(layout, manifests, only === undefined, findings);
  } finally {
    footers.close();
  }
  return { snapshots, ...findings };
}
