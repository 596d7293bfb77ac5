/** Verifies a project of a lake against its manifests. */
import { isDeepStrictEqual } from "node:util";
import { lakeTable, tableNames } from "../contract/index.js";
import { codeOf, type Digest, UsageError } from "../platform/index.js";
import {
  foldersAbove,
  isLeftover,
  keptBodyPath,
  layoutOf,
  manifestName,
  rawName,
} from "./layout.js";
import type { Manifest, Part, Unit } from "./manifest-schema.js";
import { filesOf, isSealed, namedKeys, parseManifest } from "./manifest.js";
import { readRuns, type RunLine } from "./runs.js";
import { currentSnapshot, listSnapshots, namedSnapshot, openStore } from "./snapshot.js";
import { digestIn, type Entry, otherSize } from "./store.js";
import {
  checkBodies,
  type Findings,
  openFooterReader,
  requestName,
  unmatchedBodies,
  type Verification,
} from "./verify-files.js";

/** The result of a verification; without problems every file matches its digest. */
export interface VerifyReport extends Findings {
  readonly snapshots: readonly string[];
}

async function checkCurrent(
  { store, layout, report }: Verification,
  all: readonly string[],
): Promise<void> {
  const text = await store.read(layout.current).catch(() => null);
  if (text === null) report("current", "is missing or cannot be read");
  else if (!all.some((id) => text === `${id}\n`))
    report("current", `names no snapshot: ${JSON.stringify(text.slice(0, 80))}`);
}

/** A newer snapshot alone proves nothing: its export may have been killed before it was current. */
function checkOrder(
  { report }: Verification,
  current: string | null,
  manifests: readonly Manifest[],
  runs: readonly RunLine[],
): void {
  const followers = new Set([current]);
  for (let known = 0; known < followers.size;) {
    known = followers.size;
    for (const { snapshot, previous } of manifests)
      if (followers.has(previous)) followers.add(snapshot);
  }
  followers.delete(current);
  const followed = [
    ...manifests.map(({ previous }) => previous),
    ...runs.map(({ snapshot }) => snapshot),
  ];
  const later = followed.findLast((id) => followers.has(id));
  if (later)
    report(
      "current",
      `names ${current ?? ""}, but ${later} has been current after it. Write ${later} into ` +
        "it, or export",
    );
}

function looseFiles({ tree, layout }: Verification, manifests: readonly Manifest[]): string[] {
  const named = new Set(manifests.flatMap((one) => namedKeys(layout.project, one)));
  const own = manifests.map(({ snapshot }) => `snapshots/${snapshot}/`);
  return [...tree].flatMap(([path, { kind, bytes }]) => {
    // It stays, so that no run that was stopped can publish there.
    if (bytes === 0 && path.endsWith(`/${manifestName}`)) return [];
    const isBody = path.startsWith("raw/") && path.endsWith(rawName(""));
    const isGone =
      /^snapshots\/[^./][^/]*\/./.test(path) && !own.some((folder) => path.startsWith(folder));
    return kind === "file" && (isBody || isGone) && !named.has(`${layout.project}/${path}`)
      ? [path]
      : [];
  });
}

/**
 * Checks a project without the service: its places, `current`, and of every snapshot (or one) the
 * manifest, digests, row counts, columns and kept bodies. Checks again what a running writer moves.
 * @throws UsageError when there is no such snapshot.
 */
export async function verifyProject(
  lake: string,
  projectId: string,
  only?: string,
): Promise<VerifyReport> {
  for (;;) {
    const all = await listSnapshots(lake, projectId);
    const report = await verifyOnce(lake, projectId, all, only);
    if (
      report.problems.length === 0 ||
      isDeepStrictEqual(await listSnapshots(lake, projectId), all)
    )
      return report;
  }
}

async function verifyOnce(
  lake: string,
  projectId: string,
  all: readonly string[],
  only: string | undefined,
): Promise<VerifyReport> {
  const store = await openStore(lake);
  const layout = layoutOf(projectId);
  if (all.length === 0)
    throw new UsageError(`${store.locate(layout.project)}: no snapshot to verify.`);
  const snapshots = only === undefined ? all : [await namedSnapshot(lake, projectId, only)];
  const tree = await store.tree(layout.project);
  const locate = (path: string) => store.locate(`${layout.project}/${path}`);
  const problems: Findings["problems"] = [];
  const footers = await openFooterReader(lake);
  const verification: Verification = {
    store,
    layout,
    tree,
    footers,
    digests: new Map(),
    problems,
    leftovers: [],
    files: 1,
    bytes: 0,
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
    const runs = await readRuns(lake, projectId).catch(() => []);
    checkOrder(
      verification,
      await currentSnapshot(lake, projectId).catch(() => null),
      manifests,
      runs,
    );
    await checkBodies(manifests, verification);
    if (manifests.length === all.length)
      verification.leftovers.push(...looseFiles(verification, manifests).map(locate));
  } finally {
    footers.close();
  }
  const { leftovers, files, bytes } = verification;
  return { snapshots, problems, leftovers, files, bytes };
}

const knownPlaces: readonly { readonly path: RegExp; readonly kind: Entry["kind"] }[] = [
  { path: /^(snapshots|raw|derived|staging)$/, kind: "folder" },
  { path: /^snapshots\/[^./][^/]*$/, kind: "folder" },
  { path: /^raw\/[0-9a-f]{64}\.json\.gz$/, kind: "file" },
  { path: /^(current|runs\.jsonl)$/, kind: "file" },
  { path: /^\.lease\.json$/, kind: "file" },
  { path: /^\.lock\.duckdb(\.[\w.]+)?$/, kind: "file" },
];

function checkPlaces({ tree, layout, store, leftovers, report }: Verification): void {
  let judged = "";
  for (const [path, { kind }] of tree) {
    if (judged !== "" && path.startsWith(judged)) continue;
    const place = knownPlaces.find((one) => one.path.test(path));
    if (isLeftover(path)) leftovers.push(store.locate(`${layout.project}/${path}`));
    else if (place === undefined) report(path, "does not belong to a lake");
    else if (kind !== place.kind) report(path, `is a ${kind}, not a ${place.kind}`);
    // The files of a snapshot are checked against its manifest, and what is in a folder that was
    // reported goes with it.
    const isOpen = place !== undefined && /^(snapshots|raw)$/.test(path);
    if (kind === "folder" && !isOpen) judged = `${path}/`;
  }
}

async function digestOnce(
  key: string,
  { identity }: Entry,
  verification: Verification,
): Promise<Digest> {
  const { store, digests } = verification;
  const known = digests.get(identity);
  if (known) return known;
  const digest = await digestIn(store, key);
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
    return otherSize(entry.bytes, stated.bytes);
  try {
    const { sha256 } = await digestOnce(
      `${verification.layout.project}/${path}`,
      entry,
      verification,
    );
    return sha256 === stated.sha256
      ? null
      : `its SHA-256 is ${sha256}, the manifest says ${stated.sha256 ?? "none"}`;
  } catch (error) {
    return `cannot be read (${codeOf(error) ?? String(error)})`;
  }
}

async function checkPart(
  folder: string,
  part: Part,
  { columns }: Manifest,
  verification: Verification,
): Promise<void> {
  const { store, layout, footers, report } = verification;
  for (const file of filesOf([part], `${layout.project}/${folder}`)) {
    const path = file.key.slice(layout.project.length + 1);
    const isPart = file.path === part.path;
    const problem = await fileProblem(path, isPart ? part : file, verification);
    const odd =
      problem ??
      (isPart
        ? await footers.problem(
            store.locate(`${layout.project}/${path}`),
            part,
            columns[part.table],
          )
        : null);
    if (odd !== null) report(path, odd);
  }
}

function imbalance(unit: Unit): string[] {
  return unit.parts
    .filter(
      ({ table, rows, quarantined, repeated = 0 }) =>
        lakeTable(table).embedded === undefined && rows + quarantined + repeated !== unit.elements,
    )
    .map(
      ({ path }) =>
        `${requestName(unit)}: ${path} does not account for all ${unit.elements} elements`,
    );
}

const listsOfExperiments = new Set<string>(
  tableNames
    .map(lakeTable)
    .flatMap(({ scope, operation }) => (scope === "experiment" ? [operation] : [])),
);

/** Lists that were requested for some complete experiments and not for others. */
function missingUnits({ experiments, units }: Manifest): string[] {
  const complete = new Set(
    experiments.flatMap(({ id, state }) => (state === "complete" ? [id] : [])),
  );
  const lists = units.filter(
    ({ operation, experiment_id }) =>
      listsOfExperiments.has(operation) && complete.has(experiment_id ?? ""),
  );
  const requested = new Set(
    lists.map(({ operation, experiment_id }) => `${operation} of ${experiment_id ?? ""}`),
  );
  const operations = new Set(lists.map(({ operation }) => operation));
  return [...complete]
    .flatMap((id) => [...operations].map((operation) => `${operation} of ${id}`))
    .filter((one) => !requested.has(one))
    .map((one) => `has no request ${one}, although that experiment is complete`);
}

function strangeUnits({ experiments, units }: Manifest): string[] {
  const listed = new Set<string | null>([null, ...experiments.map(({ id }) => id)]);
  return units.flatMap((unit) => [
    ...(listed.has(unit.experiment_id)
      ? []
      : [`has ${requestName(unit)}, which is not among its experiments`]),
    ...(unit.state === "complete" || (unit.parts.length === 0 && unit.elements === 0)
      ? []
      : [`says that ${requestName(unit)} was refused (${unit.state}), and what it answered`]),
  ]);
}

function twice(paths: readonly string[]): string[] {
  const seen = new Set<string>();
  return paths.filter((path) => seen.has(path) || !seen.add(path));
}

function contradictions(manifest: Manifest, id: string, project: string): string[] {
  const parts = manifest.units.flatMap((unit) => unit.parts);
  const tables = [...new Set(parts.map(({ table }) => table))];
  return [
    ...(manifest.snapshot === id
      ? []
      : [`names the snapshot ${manifest.snapshot}, but is in ${id}`]),
    ...(manifest.project_id === project
      ? []
      : [`names the project ${manifest.project_id}, but is in ${project}`]),
    ...manifest.units.flatMap(imbalance),
    ...(manifest.imported?.lists ?? [])
      .filter(
        ({ records, taken, quarantined, skipped }) => taken + quarantined + skipped !== records,
      )
      .map(
        ({ list, records }) =>
          `${list}: rows, quarantine and skipped rows are not its ${records} records`,
      ),
    ...twice(parts.map(({ path }) => path)).map((path) => `lists ${path} twice`),
    ...tables
      .filter((table) => manifest.columns[table] === undefined)
      .map((table) => `states no columns for ${table}`),
    ...missingUnits(manifest),
    ...strangeUnits(manifest),
    ...unmatchedBodies(manifest),
  ];
}

async function manifestOnDisk(path: string, verification: Verification): Promise<Manifest | null> {
  const { store, layout, tree, report } = verification;
  const kind = tree.get(path)?.kind;
  const text =
    kind === "file" ? await store.read(`${layout.project}/${path}`).catch(() => null) : null;
  verification.files++;
  verification.bytes += text?.length ?? 0;
  if (text === null) {
    report(
      path,
      kind === undefined || kind === "file"
        ? "is missing or cannot be read"
        : `is a ${kind}, not a file`,
    );
    return null;
  }
  if (!isSealed(text)) {
    report(path, "has changed since it was written: its seal does not match its text");
    return null;
  }
  const read = parseManifest(text);
  if (typeof read !== "string") return read;
  report(path, read);
  return null;
}

function placesOfFiles(files: readonly string[]): Map<string, Entry["kind"]> {
  const found = new Map<string, Entry["kind"]>();
  for (const path of files) {
    found.set(path, "file");
    for (const folder of foldersAbove(path)) found.set(folder, "folder");
  }
  return found;
}

async function verifySnapshot(id: string, verification: Verification): Promise<Manifest | null> {
  const { layout, tree, report } = verification;
  const folder = `snapshots/${id}`;
  const manifest = await manifestOnDisk(`${folder}/${manifestName}`, verification);
  if (manifest === null) return null;
  for (const problem of contradictions(manifest, id, layout.project))
    report(`${folder}/${manifestName}`, problem);
  const parts = manifest.units.flatMap((unit) => unit.parts);
  for (const part of parts) await checkPart(folder, part, manifest, verification);
  const { listings = [] } = manifest;
  for (const listing of listings) {
    const path = `${folder}/${listing.path}`;
    const problem = await fileProblem(path, listing, verification);
    if (problem !== null) report(path, problem);
  }
  const own = filesOf(
    parts.filter(({ snapshot }) => snapshot === undefined),
    folder,
  );
  const bodies = (manifest.raw ?? [])
    .filter(({ snapshot }) => snapshot === id)
    .map(({ body }) => keptBodyPath(body));
  const named = [...own, ...listings].map(({ path }) => path);
  const expected = placesOfFiles([manifestName, ...named, ...bodies]);
  for (const [path, { kind }] of tree) {
    if (!path.startsWith(`${folder}/`)) continue;
    const name = path.slice(folder.length + 1);
    const place = expected.get(name);
    if (place === undefined) report(path, "is not in the manifest");
    else if (place === "folder" && kind !== "folder") report(path, `is a ${kind}, not a folder`);
  }
  return manifest;
}
