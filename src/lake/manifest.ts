/** Manifests: text and seal, what is wrong with one, and the files that it names. */
import { createHash } from "node:crypto";
import { posix } from "node:path";
import {
  isOperationName,
  isTableName,
  operationNames,
  partColumns,
  tableNames,
} from "../contract/index.js";
import { schemaCheck, jsonIn } from "../platform/index.js";
import {
  folderNameOf,
  isSnapshotName,
  keptBodiesFolder,
  keptBodyPath,
  layoutOf,
  places,
  rawName,
} from "./layout.js";
import {
  manifestFormat,
  type Manifest,
  type Part,
  type RawBody,
  type Unit,
} from "./manifest-schema.js";
import { manifestSchema } from "./manifest-schema.js";
import type { LakeStore } from "./store.js";

export const filesService = "files";

export const unnamedFile = (place: number): string => `file ${place}`;

/** A manifest under pseudonyms: file names and the mapping may name persons. */
export function manifestUnder(keyId: string, { imported: own, ...rest }: Manifest): Manifest {
  if (own === undefined) return { ...rest, pseudonyms: keyId };
  const sources = own.sources.map((one, i) => ({ ...one, name: null, path: unnamedFile(i + 1) }));
  const untaken = own.untaken?.map((one) => ({ ...one, name: unnamedFile(one.source + 1) }));
  const imported = { ...own, mapping: null, sources, ...(untaken && { untaken }) };
  return { ...rest, pseudonyms: keyId, imported };
}

export function columnsWritten(units: readonly Unit[]): Manifest["columns"] {
  const tables = new Set(units.flatMap(({ parts }) => parts.map(({ table }) => table)));
  return Object.fromEntries([...tables].map((table) => [table, partColumns(table)]));
}

export const textDigest = (whole: string) => createHash("sha256").update(whole).digest("hex");

/** JSON whose last field, `seal`, is the SHA-256 of the text without it. */
export function manifestText(value: Manifest): string {
  const seal = textDigest(JSON.stringify(value, null, 1));
  return `${JSON.stringify({ ...value, seal }, null, 1)}\n`;
}

/** Whether a text is exactly the one that was sealed. */
export function isSealed(whole: string): boolean {
  const { seal, ...value } = (jsonIn(whole) ?? {}) as Manifest & { seal: unknown };
  return seal !== undefined && whole === manifestText(value);
}

const manifestProblem = schemaCheck(manifestSchema);

function placeProblem(
  { path, table, quarantine }: Part,
  experimentId: string | null,
): string | null {
  if (!isTableName(table)) return `table must be one of ${tableNames.join(", ")}`;
  const name = places.nameOf(path);
  const isPlaced =
    (name === undefined || isSnapshotName(name)) && path === places.part(table, experimentId, name);
  if (!isPlaced) return `path is not the place of a part of ${table}: ${JSON.stringify(path)}`;
  return quarantine === null || quarantine === places.quarantine(path)
    ? null
    : `quarantine is not the place of the rows in quarantine: ${JSON.stringify(quarantine)}`;
}

/** What the registries and the layout say of the units, beyond the shape. */
function unitProblem({ units, tombstones = [] }: Manifest): string | null {
  if (!tombstones.every(({ table }) => isTableName(table)))
    return `tombstones.table must be one of ${tableNames.join(", ")}`;
  for (const [i, { operation, parts, experiment_id }] of units.entries()) {
    if (!isOperationName(operation))
      return `units.${i}.operation must be one of ${operationNames.join(", ")}`;
    for (const [j, one] of parts.entries()) {
      const problem = placeProblem(one, experiment_id);
      if (problem !== null) return `units.${i}.parts.${j}.${problem}`;
    }
  }
  return null;
}

function laterFormat(value: unknown): string | null {
  const { format, recount } = (value ?? {}) as { format?: unknown; recount?: unknown };
  if (typeof format !== "number" || !(format > manifestFormat) || typeof recount !== "string")
    return null;
  return (
    `was written by Recount ${recount} in format ${format}, and this version reads formats up ` +
    `to ${manifestFormat}: use Recount ${recount} or later`
  );
}

/** Reads the text of a manifest's file. Returns what is wrong with it, if anything is. */
export function parseManifest(whole: string): Manifest | string {
  const value = jsonIn(whole);
  if (value === undefined) return "is not JSON: the snapshot is corrupted. Run `recount verify`";
  const later = laterFormat(value);
  if (later !== null) return later;
  const problem = manifestProblem(value) ?? unitProblem(value as Manifest);
  if (problem !== null) return `is not a manifest: ${problem}`;
  return value as Manifest;
}

interface PartFile {
  readonly path: string;
  readonly key: string;
  readonly sha256: string | null;
}

export function fileKey(
  folder: string,
  { snapshot }: Pick<Part, "snapshot">,
  path: string,
): string {
  const home = snapshot === undefined ? folder : posix.join(folder, "../../snapshots", snapshot);
  return `${home}/${path}`;
}

export function bodiesOf(
  { bodies }: LakeStore,
  projectId: string,
  { snapshot, staged }: { readonly snapshot: string; readonly staged: string },
): { readonly folder: string; readonly snapshot?: string } {
  return bodies === "shared"
    ? { folder: layoutOf(projectId).raw }
    : { folder: keptBodiesFolder(staged), snapshot };
}

export function bodyKey(
  projectId: string,
  { body, snapshot }: Pick<RawBody, "body" | "snapshot">,
): string {
  const { raw, snapshots } = layoutOf(projectId);
  return snapshot === undefined
    ? `${raw}/${rawName(body)}`
    : `${snapshots}/${snapshot}/${keptBodyPath(body)}`;
}

export function filesOf(parts: readonly Part[], folder = ""): PartFile[] {
  return parts.flatMap((part) => {
    const { path, sha256, quarantine, quarantine_sha256 } = part;
    const rows = { path, sha256, key: fileKey(folder, part, path) };
    if (quarantine === null) return [rows];
    return [
      rows,
      { path: quarantine, sha256: quarantine_sha256, key: fileKey(folder, part, quarantine) },
    ];
  });
}

export function renamedExperiments({
  experiments,
}: Pick<Manifest, "experiments">): Record<string, string> {
  const named = experiments.map(({ id }) => [folderNameOf(id), id] as const);
  return Object.fromEntries(named.filter(([folder, id]) => folder !== id));
}

export function namedKeys(
  projectId: string,
  { snapshot, units, raw = [], listings = [] }: Manifest,
): string[] {
  const folder = `${layoutOf(projectId).snapshots}/${snapshot}`;
  const files = filesOf(
    units.flatMap(({ parts }) => parts),
    folder,
  );
  return [
    ...files.map(({ key }) => key),
    ...raw.map((one) => bodyKey(projectId, one)),
    ...listings.map(({ path }) => `${folder}/${path}`),
  ];
}

/** Whether every file of the parts in `folder` exists and matches its digest. */
export async function areIntact(
  store: LakeStore,
  folder: string,
  parts: readonly Part[],
): Promise<boolean> {
  for (const { key, sha256 } of filesOf(parts, folder))
    if (!(await store.holds(key, sha256))) return false;
  return true;
}
