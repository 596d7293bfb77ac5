import { join, relative, sep } from "node:path";
import { lakeTable } from "../../contract/index.js";
import { codeOf, fsp, readText } from "../../platform/index.js";
import { digestOf } from "../digest.js";
import { manifestName } from "../layout.js";
import { isManifest, type Manifest, type Part, type Unit } from "../manifest.js";
import { isSealed } from "../manifest-text.js";
import type { FooterReader } from "./part.js";
import type { Findings } from "./problem.js";

/** Digests of files already read: hard links of one file are read once. */
export type Digests = Map<string, { sha256: string; bytes: number }>;

interface Context {
  readonly findings: Findings;
  readonly digests: Digests;
  readonly footers: FooterReader;
}

async function digestOnce(file: string, { digests, findings }: Context): Promise<{ sha256: string; bytes: number }> {
  const { dev, ino } = await fsp.stat(file);
  const key = `${dev}:${ino}`;
  const known = digests.get(key);
  if (known) return known;
  const digest = await digestOf(file);
  findings.files++;
  findings.bytes += digest.bytes;
  digests.set(key, digest);
  return digest;
}

async function checkFile(file: string, expected: string, context: Context): Promise<boolean> {
  const say = (problem: string) => context.findings.problems.push({ file, problem });
  try {
    const { sha256 } = await digestOnce(file, context);
    if (sha256 === expected) return true;
    say(`its SHA-256 is ${sha256}, the manifest says ${expected}`);
  } catch (error) {
    say(codeOf(error) === "ENOENT" ? "is missing" : `cannot be read (${codeOf(error) ?? String(error)})`);
  }
  return false;
}

async function checkPart(dir: string, part: Part, context: Context): Promise<void> {
  const file = join(dir, part.path);
  if (await checkFile(file, part.sha256, context)) {
    const problem = await context.footers.problem(file, part);
    if (problem !== null) context.findings.problems.push({ file, problem });
  }
  if (part.quarantine !== null) await checkFile(join(dir, part.quarantine), part.quarantine_sha256 ?? "", context);
}

/** Counts in a manifest that cannot all be true. */
function imbalance({ operation, experiment_id, elements, parts }: Unit): string[] {
  return parts
    .filter(({ table, rows, quarantined }) => lakeTable(table).embedded !== true && rows + quarantined !== elements)
    .map(
      ({ path }) =>
        `${operation}${experiment_id === null ? "" : ` of ${experiment_id}`}: ${path} does not account for all ${elements} elements`,
    );
}

async function filesIn(dir: string): Promise<string[]> {
  const entries = await fsp.readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

/** Checks one snapshot: its manifest against itself, every file of it, and that there is nothing else. */
export async function verifySnapshot(dir: string, id: string, context: Context): Promise<Manifest | null> {
  const { findings } = context;
  const file = join(dir, manifestName);
  const say = (problem: string, at = file) => findings.problems.push({ file: at, problem });
  const text = await readText(file).catch(() => null);
  findings.files++;
  findings.bytes += text?.length ?? 0;
  if (text === null) {
    say("is missing or cannot be read");
    return null;
  }
  if (!isSealed(text)) {
    say("is not as it was written: its seal does not fit its text");
    return null;
  }
  const manifest: unknown = JSON.parse(text);
  if (!isManifest(manifest)) {
    say("is not a manifest of this version of Recount");
    return null;
  }
  if (manifest.snapshot !== id) say(`names the snapshot ${manifest.snapshot}, but stands in ${id}`);
  for (const problem of manifest.units.flatMap(imbalance)) say(problem);
  const parts = manifest.units.flatMap((unit) => unit.parts);
  for (const part of parts) await checkPart(dir, part, context);
  const expected = new Set([
    manifestName,
    ...parts.flatMap(({ path, quarantine }) => (quarantine === null ? [path] : [path, quarantine])),
  ]);
  for (const path of await filesIn(dir)) if (!expected.has(path)) say("is not in the manifest", join(dir, path));
  return manifest;
}
