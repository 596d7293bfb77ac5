import { createHash } from "node:crypto";
import { posix } from "node:path";
import { Type, type Static, type TSchema } from "typebox";
import {
  Enum,
  identifierPattern,
  isOperationName,
  isTableName,
  operationNames,
  partColumns,
  tableNames,
  type OperationName,
  type TableName,
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
  snapshotName,
} from "./layout.js";
import type { LakeStore } from "./store.js";

/** The format that this version writes and reads. */
export const manifestFormat = 1;

const text = Type.String();
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const digest = Type.String({ pattern: "^[0-9a-f]{64}$" });
const instant = Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$" });
const identifier = Type.String({ pattern: identifierPattern });
const snapshot = Type.String({ pattern: snapshotName });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const experimentState = Enum(["complete", "torn", "incomplete"]);

const manifestExperiment = Type.Object({
  id: identifier,
  name: text,
  type: orNull(text),
  state: experimentState,
  reason: orNull(text),
});

/** How a body was read: by the typed reader after a scan of its bytes, or element by element. The rows are the same. */
const reader = Enum(["typed", "judged"]);

/** One Parquet file of a snapshot. */
const part = Type.Object({
  table: Type.Unsafe<TableName>(Type.String()),
  /** Within the snapshot's folder, with forward slashes. */
  path: text,
  rows: count,
  /** Rows that did not fit their record. */
  quarantined: count,
  /** Rows of an answer for one source that are left out because the whole list has them too. */
  repeated: Type.Optional(count),
  /** Path of the quarantined rows within the snapshot's folder, JSON lines; null when there are none. */
  quarantine: orNull(text),
  /** SHA-256 of the file of quarantined rows. */
  quarantine_sha256: orNull(digest),
  bytes: count,
  /** SHA-256 of the file, hexadecimal. */
  sha256: digest,
  /** Fields that the contract does not know, and the number of rows that have them. */
  unknown_fields: Type.Record(text, count),
  reader,
  /** The earlier snapshot whose folder has the files, in object storage; absent if it is the part's own. */
  snapshot: Type.Optional(snapshot),
});

/** A response body that is kept. */
const rawBody = Type.Object({
  /** SHA-256 of the body, which names the file. */
  body: digest,
  /** SHA-256 and size of the compressed file. */
  sha256: digest,
  bytes: count,
  /** The snapshot whose folder has the file, in object storage; absent if it is in raw/. */
  snapshot: Type.Optional(snapshot),
});

/** A row of a list from which others are read, whose identifier is missing, malformed or that of an earlier row. */
const misidentified = Type.Object({
  /** Its place in the list, from 0. */
  element: count,
  id: orNull(text),
  reason: text,
});

/** A data check of rows; it passes with none that break its rule. */
const rowCheck = Type.Object({ name: text, severity: Enum(["error", "warning"]), rows: count });

/** The result of one request: operation × experiment. */
const unit = Type.Object({
  operation: Type.Unsafe<OperationName>(Type.String()),
  experiment_id: orNull(identifier),
  /** Path and query parameters other than project and experiment, as sent. */
  parameters: Type.Record(text, text),
  state: Enum(["complete", "not_permitted", "not_offered"]),
  status: count,
  attempts: count,
  started_at: instant,
  elapsed_ms: Type.Number(),
  etag: orNull(text),
  /** The decoded response body; null if there was none. */
  body: orNull(Type.Object({ sha256: digest, bytes: count })),
  /** Elements of the array, counted over the bytes; 1 for a single record. */
  elements: count,
  parts: Type.Array(part),
  /** How often the body repeated a secret of the export, and whether it is masked; absent if it did not. */
  secrets: Type.Optional(Type.Object({ found: count, is_masked: Type.Boolean() })),
  /** True if the body is not kept because the name of an unknown field looks like a secret; otherwise absent. */
  is_withheld: Type.Optional(Type.Literal(true)),
  /** True if a list of published numbers of the project changed even when it was read again; otherwise absent. */
  is_torn: Type.Optional(Type.Literal(true)),
  /** Published results that the previous snapshot has and this one lacks, by what they are; absent if there are none. */
  vanished: Type.Optional(Type.Object({ count, results: Type.Array(text) })),
  /** Rows by which nothing could be read, or not again; absent if there are none. */
  misidentified: Type.Optional(Type.Array(misidentified)),
});

/** Records of one table that the previous snapshot held and this one does not. Only between complete exports. */
const tombstone = Type.Object({
  table: Type.Unsafe<TableName>(Type.String()),
  experiment_id: orNull(identifier),
  ids: Type.Array(text),
});

/** Column name to DuckDB type. */
export type PartColumns = Readonly<Record<string, string>>;

const columns = Type.Record(text, Type.Record(text, text));

/** What the manifest of an import has instead of a service's address. */
export const filesService = "files";

/** The files that an import read, and how it read them. */
const imported = Type.Object({
  /** The mapping with its preset, as JSON; null under pseudonyms. */
  mapping: orNull(text),
  sources: Type.Array(
    Type.Object({
      /** The name under which the mapping refers to the file; null under pseudonyms. */
      name: orNull(text),
      /** As the mapping or its pattern names it, relative to the mapping; under pseudonyms `file 1`, by its place here. */
      path: text,
      sha256: digest,
      bytes: count,
    }),
  ),
  /** For each list of the mapping, what became of the records of its files. */
  lists: Type.Array(Type.Object({ list: text, records: count, taken: count, quarantined: count, skipped: count })),
  /** Records of the files of a name that every list skips, with the first: its place among `sources`, and in its file. */
  untaken: Type.Optional(Type.Array(Type.Object({ name: text, records: count, source: count, place: text }))),
});

const manifest = Type.Object({
  format: Type.Literal(manifestFormat),
  /** Version of Recount that wrote it. */
  recount: text,
  snapshot,
  project_id: identifier,
  service: text,
  /** UTC. */
  created_at: instant,
  elapsed_ms: Type.Number(),
  previous: orNull(text),
  selection: Type.Object({ ids: Type.Array(text), names: Type.Array(text), types: Type.Array(text) }),
  experiments: Type.Array(manifestExperiment),
  units: Type.Array(unit),
  /** What the data checks of rows found before they were published; absent if an earlier version wrote it. */
  checks: Type.Optional(Type.Array(rowCheck)),
  /** Columns of the parts of each table, as the contract stated them when they were written. */
  columns: Type.Unsafe<Partial<Record<TableName, PartColumns>>>(columns),
  /** Identifies the converter; the next export reuses only parts that its own converter made. */
  converter: text,
  /** Identifies the key whose pseudonyms replace raters' and sessions' identifiers; absent if there are none. */
  pseudonyms: Type.Optional(text),
  /** Deletions since `previous`; absent when they could not be determined. */
  tombstones: Type.Optional(Type.Array(tombstone)),
  /** What an import read; absent if a service was read. */
  imported: Type.Optional(imported),
  /** The kept bodies of the units, each once; absent if bodies are not kept. */
  raw: Type.Optional(Type.Array(rawBody)),
});

/** What files are called under pseudonyms, by their place from 1: they may be named by persons. */
export const unnamedFile = (place: number): string => `file ${place}`;

/** A manifest under pseudonyms: neither the names of an import's files nor its mapping, which may name persons. */
export function manifestUnder(keyId: string, { imported: own, ...rest }: Manifest): Manifest {
  if (own === undefined) return { ...rest, pseudonyms: keyId };
  const sources = own.sources.map((one, i) => ({ ...one, name: null, path: unnamedFile(i + 1) }));
  const untaken = own.untaken?.map((one) => ({ ...one, name: unnamedFile(one.source + 1) }));
  const imported = { ...own, mapping: null, sources, ...(untaken && { untaken }) };
  return { ...rest, pseudonyms: keyId, imported };
}

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

export type ExperimentState = Static<typeof experimentState>;
export type ManifestExperiment = Frozen<Static<typeof manifestExperiment>>;
export type Reader = Static<typeof reader>;
export type Part = Frozen<Static<typeof part>>;
export type Imported = Frozen<Static<typeof imported>>;
export type RawBody = Frozen<Static<typeof rawBody>>;
export type RowCheck = Frozen<Static<typeof rowCheck>>;
export type Misidentified = Frozen<Static<typeof misidentified>>;
export type Unit = Frozen<Static<typeof unit>>;
export type Tombstone = Frozen<Static<typeof tombstone>>;

/** The description of a snapshot. It is written last, so a folder without one is not a snapshot. */
export type Manifest = Frozen<Static<typeof manifest>>;

/** The columns that this version writes into the tables of `units`. */
export function columnsWritten(units: readonly Unit[]): Manifest["columns"] {
  const tables = new Set(units.flatMap(({ parts }) => parts.map(({ table }) => table)));
  return Object.fromEntries([...tables].map((table) => [table, partColumns(table)]));
}

const textDigest = (whole: string) => createHash("sha256").update(whole).digest("hex");

/** The text of a manifest's file: JSON whose last field, `seal`, is the SHA-256 of the text without it. */
export function manifestText(value: Manifest): string {
  return `${JSON.stringify({ ...value, seal: textDigest(JSON.stringify(value, null, 1)) }, null, 1)}\n`;
}

/** Whether a text is exactly the one that was sealed. */
export function isSealed(whole: string): boolean {
  const { seal, ...value } = (jsonIn(whole) ?? {}) as Manifest & { seal: unknown };
  return seal !== undefined && whole === manifestText(value);
}

const schemaProblem = schemaCheck(manifest);

/** The files of a part have the names that follow from its table and experiment: none is outside its snapshot. */
function placeProblem({ path, table, quarantine }: Part, experimentId: string | null): string | null {
  if (!isTableName(table)) return `table must be one of ${tableNames.join(", ")}`;
  const name = places.nameOf(path);
  const isPlaced = (name === undefined || isSnapshotName(name)) && path === places.part(table, experimentId, name);
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
    if (!isOperationName(operation)) return `units.${i}.operation must be one of ${operationNames.join(", ")}`;
    for (const [j, one] of parts.entries()) {
      const problem = placeProblem(one, experiment_id);
      if (problem !== null) return `units.${i}.parts.${j}.${problem}`;
    }
  }
  return null;
}

function laterFormat(value: unknown): string | null {
  const { format, recount } = (value ?? {}) as { format?: unknown; recount?: unknown };
  if (typeof format !== "number" || !(format > manifestFormat) || typeof recount !== "string") return null;
  return `was written by Recount ${recount} in format ${format}, and this version reads formats up to ${manifestFormat}: use Recount ${recount} or later`;
}

/** Reads the text of a manifest's file, with its SHA-256. Returns what is wrong with it, if anything is. */
export async function parseManifest(
  whole: string,
): Promise<{ readonly manifest: Manifest; readonly sha256: string } | string> {
  const value = jsonIn(whole);
  if (value === undefined) return "is not JSON: the snapshot is corrupted. Run `recount verify`";
  const later = laterFormat(value);
  if (later !== null) return later;
  const problem = (await schemaProblem(value)) ?? unitProblem(value as Manifest);
  if (problem !== null) return `is not a manifest: ${problem}`;
  return { manifest: value as Manifest, sha256: textDigest(whole) };
}

interface PartFile {
  /** Within the snapshot's folder. */
  readonly path: string;
  readonly key: string;
  readonly sha256: string | null;
}

/** The key of a file of a part, by its path within the folder of the snapshot, staged or published. */
export function keyOf(folder: string, { snapshot }: Pick<Part, "snapshot">, path: string): string {
  const home = snapshot === undefined ? folder : posix.join(folder, "../../snapshots", snapshot);
  return `${home}/${path}`;
}

/** The folder for the bodies that a new snapshot keeps, and the snapshot that has it, if not all share one. */
export function bodiesOf(
  { bodies }: LakeStore,
  projectId: string,
  { snapshot, staged }: { readonly snapshot: string; readonly staged: string },
): { readonly folder: string; readonly snapshot?: string } {
  return bodies === "shared" ? { folder: layoutOf(projectId).raw } : { folder: keptBodiesFolder(staged), snapshot };
}

/** The key of a kept body. */
export function bodyKey(projectId: string, { body, snapshot }: Pick<RawBody, "body" | "snapshot">): string {
  const { raw, snapshots } = layoutOf(projectId);
  return snapshot === undefined ? `${raw}/${rawName(body)}` : `${snapshots}/${snapshot}/${keptBodyPath(body)}`;
}

/** The files of parts of the snapshot in `folder`: their rows, and quarantined rows if there are any. */
export function filesOf(parts: readonly Part[], folder = ""): PartFile[] {
  return parts.flatMap((part) => {
    const { path, sha256, quarantine, quarantine_sha256 } = part;
    const rows = { path, sha256, key: keyOf(folder, part, path) };
    if (quarantine === null) return [rows];
    return [rows, { path: quarantine, sha256: quarantine_sha256, key: keyOf(folder, part, quarantine) }];
  });
}

/** The experiments whose folders have other names, by name of the folder. */
export function renamedExperiments({ experiments }: Pick<Manifest, "experiments">): Record<string, string> {
  const named = experiments.map(({ id }) => [folderNameOf(id), id] as const);
  return Object.fromEntries(named.filter(([folder, id]) => folder !== id));
}

/** The keys of all files that a manifest names, its own excepted. */
export function namedKeys(projectId: string, { snapshot, units, raw = [] }: Manifest): string[] {
  const folder = `${layoutOf(projectId).snapshots}/${snapshot}`;
  const files = filesOf(
    units.flatMap(({ parts }) => parts),
    folder,
  );
  return [...files.map(({ key }) => key), ...raw.map((one) => bodyKey(projectId, one))];
}

/** Whether every file of the parts in `folder` exists and matches its digest. */
export async function areIntact(store: LakeStore, folder: string, parts: readonly Part[]): Promise<boolean> {
  for (const { key, sha256 } of filesOf(parts, folder)) if (!(await store.holds(key, sha256))) return false;
  return true;
}
