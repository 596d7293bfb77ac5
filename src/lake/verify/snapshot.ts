import { lakeTable } from "../../contract/index.js";
import { codeOf } from "../../platform/index.js";
import type { Digest } from "../digest.js";
import { manifestName } from "../layout.js";
import { manifestProblem, type Manifest, type Part, type PartColumns, type Unit } from "../manifest.js";
import { isSealed } from "../manifest-text.js";
import { filesOf } from "../part-files.js";
import type { LakeStore } from "../store.js";
import type { FooterReader } from "./part.js";
import type { Findings } from "./problem.js";

interface Verification {
  readonly store: LakeStore;
  readonly findings: Findings;
  /** Digests of what was read, by identity: shared bytes are read once. */
  readonly digests: Map<string, Digest>;
  readonly footers: FooterReader;
}

async function digestOnce(key: string, { store, digests, findings }: Verification): Promise<Digest> {
  const identity = await store.identity(key);
  const known = digests.get(identity);
  if (known) return known;
  const digest = await store.digest(key);
  findings.files++;
  findings.bytes += digest.bytes;
  digests.set(identity, digest);
  return digest;
}

async function fileProblem(key: string, expected: string | null, verification: Verification): Promise<string | null> {
  try {
    const { sha256 } = await digestOnce(key, verification);
    return sha256 === expected ? null : `its SHA-256 is ${sha256}, the manifest says ${expected ?? "none"}`;
  } catch (error) {
    return codeOf(error) === "ENOENT" ? "is missing" : `cannot be read (${codeOf(error) ?? String(error)})`;
  }
}

async function checkPart(
  folder: string,
  part: Part,
  columns: PartColumns | undefined,
  verification: Verification,
): Promise<void> {
  const { store, findings, footers } = verification;
  for (const { path, sha256 } of filesOf([part])) {
    const file = store.locate(`${folder}/${path}`);
    const problem =
      (await fileProblem(`${folder}/${path}`, sha256, verification)) ??
      (path === part.path ? await footers.problem(file, part, columns) : null);
    if (problem !== null) findings.problems.push({ file, problem });
  }
}

/** Counts in a manifest that cannot all be true. */
function imbalance({ operation, experiment_id, elements, parts }: Unit): string[] {
  return parts
    .filter(
      ({ table, rows, quarantined, repeated = 0 }) =>
        lakeTable(table).embedded === undefined && rows + quarantined + repeated !== elements,
    )
    .map(
      ({ path }) =>
        `${operation}${experiment_id === null ? "" : ` of ${experiment_id}`}: ${path} does not account for all ${elements} elements`,
    );
}

/** Checks one snapshot: its manifest against its seal, every file against the manifest, and that there is no other. */
export async function verifySnapshot(folder: string, id: string, verification: Verification): Promise<Manifest | null> {
  const { store, findings } = verification;
  const report = (problem: string, path = manifestName) => {
    findings.problems.push({ file: store.locate(`${folder}/${path}`), problem });
  };
  const text = await store.read(`${folder}/${manifestName}`).catch(() => null);
  findings.files++;
  findings.bytes += text?.length ?? 0;
  if (text === null) {
    report("is missing or cannot be read");
    return null;
  }
  if (!isSealed(text)) {
    report("has changed since it was written: its seal does not match its text");
    return null;
  }
  const value: unknown = JSON.parse(text);
  const malformed = manifestProblem(value);
  if (malformed !== null) {
    report(malformed);
    return null;
  }
  const manifest = value as Manifest;
  if (manifest.snapshot !== id) report(`names the snapshot ${manifest.snapshot}, but is in ${id}`);
  for (const problem of manifest.units.flatMap(imbalance)) report(problem);
  const parts = manifest.units.flatMap((unit) => unit.parts);
  for (const part of parts) await checkPart(folder, part, manifest.columns?.[part.table], verification);
  const expected = new Set([manifestName, ...filesOf(parts).map(({ path }) => path)]);
  for (const path of await store.listFiles(folder)) if (!expected.has(path)) report("is not in the manifest", path);
  return manifest;
}
