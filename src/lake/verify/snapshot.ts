import { dirname } from "node:path/posix";
import { lakeTable, tableNames } from "../../contract/index.js";
import { codeOf, type Digest } from "../../platform/index.js";
import { keptBodyPath, manifestName } from "../layout.js";
import { isSealed, parseManifest, type Manifest, type Part, type Unit } from "../manifest.js";
import { filesOf } from "../part-files.js";
import type { Entry } from "../store.js";
import { requestOf, unmatchedBodies } from "./bodies.js";
import type { Verification } from "./verification.js";

async function digestOnce(key: string, { identity }: Entry, verification: Verification): Promise<Digest> {
  const { store, digests } = verification;
  const known = digests.get(identity);
  if (known) return known;
  const digest = await store.digest(key);
  verification.files++;
  verification.bytes += digest.bytes;
  digests.set(identity, digest);
  return digest;
}

async function fileProblem(
  path: string,
  stated: { readonly sha256: string | null; readonly bytes?: number },
  verification: Verification,
): Promise<string | null> {
  const entry = verification.tree.get(path);
  if (entry === undefined) return "is missing";
  if (entry.kind !== "file") return `is a ${entry.kind}, not a file`;
  if (stated.bytes !== undefined && stated.bytes !== entry.bytes)
    return `has ${entry.bytes} bytes, the manifest says ${stated.bytes}`;
  try {
    const { sha256 } = await digestOnce(`${verification.layout.project}/${path}`, entry, verification);
    return sha256 === stated.sha256 ? null : `its SHA-256 is ${sha256}, the manifest says ${stated.sha256 ?? "none"}`;
  } catch (error) {
    return `cannot be read (${codeOf(error) ?? String(error)})`;
  }
}

async function checkPart(folder: string, part: Part, { columns }: Manifest, verification: Verification): Promise<void> {
  const { store, layout, footers, report } = verification;
  for (const file of filesOf([part], `${layout.project}/${folder}`)) {
    const path = file.key.slice(layout.project.length + 1);
    const isPart = file.path === part.path;
    const problem = await fileProblem(path, isPart ? part : file, verification);
    const odd =
      problem ??
      (isPart ? await footers.problem(store.locate(`${layout.project}/${path}`), part, columns[part.table]) : null);
    if (odd !== null) report(path, odd);
  }
}

/** Counts in a manifest that cannot all be true. */
function imbalance(unit: Unit): string[] {
  return unit.parts
    .filter(
      ({ table, rows, quarantined, repeated = 0 }) =>
        lakeTable(table).embedded === undefined && rows + quarantined + repeated !== unit.elements,
    )
    .map(({ path }) => `${requestOf(unit)}: ${path} does not account for all ${unit.elements} elements`);
}

const listsOfExperiments = new Set<string>(
  tableNames.map(lakeTable).flatMap(({ scope, operation }) => (scope === "experiment" ? [operation] : [])),
);

/** Lists that were requested for some complete experiments and not for others. */
function missingUnits({ experiments, units }: Manifest): string[] {
  const complete = new Set(experiments.flatMap(({ id, state }) => (state === "complete" ? [id] : [])));
  const lists = units.filter(
    ({ operation, experiment_id }) => listsOfExperiments.has(operation) && complete.has(experiment_id ?? ""),
  );
  const requested = new Set(lists.map(({ operation, experiment_id }) => `${operation} of ${experiment_id ?? ""}`));
  const operations = new Set(lists.map(({ operation }) => operation));
  return [...complete]
    .flatMap((id) => [...operations].map((operation) => `${operation} of ${id}`))
    .filter((one) => !requested.has(one))
    .map((one) => `has no request ${one}, although that experiment is complete`);
}

function twice(paths: readonly string[]): string[] {
  const seen = new Set<string>();
  return paths.filter((path) => seen.has(path) || !seen.add(path));
}

/** What in a manifest contradicts itself. */
function contradictions(manifest: Manifest, id: string, project: string): string[] {
  const parts = manifest.units.flatMap((unit) => unit.parts);
  const tables = [...new Set(parts.map(({ table }) => table))];
  return [
    ...(manifest.snapshot === id ? [] : [`names the snapshot ${manifest.snapshot}, but is in ${id}`]),
    ...(manifest.project_id === project ? [] : [`names the project ${manifest.project_id}, but is in ${project}`]),
    ...manifest.units.flatMap(imbalance),
    ...twice(parts.map(({ path }) => path)).map((path) => `lists ${path} twice`),
    ...tables.filter((table) => manifest.columns[table] === undefined).map((table) => `states no columns for ${table}`),
    ...missingUnits(manifest),
    ...unmatchedBodies(manifest),
  ];
}

/** A manifest, if it is there; reports what prevents reading it. */
async function readManifest(path: string, verification: Verification): Promise<Manifest | null> {
  const { store, layout, tree, report } = verification;
  const kind = tree.get(path)?.kind;
  const text = kind === "file" ? await store.read(`${layout.project}/${path}`).catch(() => null) : null;
  verification.files++;
  verification.bytes += text?.length ?? 0;
  if (text === null) {
    report(path, kind === undefined || kind === "file" ? "is missing or cannot be read" : `is a ${kind}, not a file`);
    return null;
  }
  if (!isSealed(text)) {
    report(path, "has changed since it was written: its seal does not match its text");
    return null;
  }
  const read = await parseManifest(text);
  if (typeof read !== "string") return read.manifest;
  report(path, read);
  return null;
}

/** Files, and the folders above them, by their paths. */
function placesOf(files: readonly string[]): Map<string, Entry["kind"]> {
  const found = new Map<string, Entry["kind"]>();
  for (const path of files) {
    found.set(path, "file");
    for (let up = dirname(path); up !== "."; up = dirname(up)) found.set(up, "folder");
  }
  return found;
}

/** Checks one snapshot: its manifest against its seal, every file against the manifest, and that there is no other. */
export async function verifySnapshot(id: string, verification: Verification): Promise<Manifest | null> {
  const { layout, tree, report } = verification;
  const folder = `snapshots/${id}`;
  const manifest = await readManifest(`${folder}/${manifestName}`, verification);
  if (manifest === null) return null;
  for (const problem of contradictions(manifest, id, layout.project)) report(`${folder}/${manifestName}`, problem);
  const parts = manifest.units.flatMap((unit) => unit.parts);
  for (const part of parts) await checkPart(folder, part, manifest, verification);
  const own = filesOf(
    parts.filter(({ snapshot }) => snapshot === undefined),
    folder,
  );
  const bodies = (manifest.raw ?? []).filter(({ snapshot }) => snapshot === id).map(({ body }) => keptBodyPath(body));
  const expected = placesOf([manifestName, ...own.map(({ path }) => path), ...bodies]);
  for (const [path, { kind }] of tree) {
    if (!path.startsWith(`${folder}/`)) continue;
    const name = path.slice(folder.length + 1);
    const place = expected.get(name);
    if (place === undefined) report(path, "is not in the manifest");
    else if (place === "folder" && kind !== "folder") report(path, `is a ${kind}, not a folder`);
  }
  return manifest;
}
