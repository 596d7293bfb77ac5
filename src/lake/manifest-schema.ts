/** What a snapshot's manifest holds: its schema and its types. */
import { Type, type Static, type TSchema } from "typebox";
import { Enum, fileNamePattern, type OperationName, type TableName } from "../contract/index.js";
import { listingNames, snapshotName } from "./layout.js";

export const manifestFormat = 1;

const text = Type.String();
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const digest = Type.String({ pattern: "^[0-9a-f]{64}$" });
const instant = Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$" });
const identifier = Type.String({ pattern: fileNamePattern });
const snapshot = Type.String({ pattern: snapshotName });

/** A value of one type, or null: a list of two types, which makes no error for each null. */
const orNull = <T extends TSchema & { readonly type: string }>({ type, ...rest }: T) =>
  Type.Unsafe<Static<T> | null>({ ...rest, type: [type, "null"] });

const experimentState = Enum(["complete", "torn", "incomplete"]);

const manifestExperiment = Type.Object({
  id: identifier,
  name: text,
  type: orNull(text),
  state: experimentState,
  reason: orNull(text),
});

/** The typed reader reads after a scan of the bytes; rows are the same. */
const reader = Enum(["typed", "judged"]);

const part = Type.Object({
  table: Type.Unsafe<TableName>(Type.String()),
  /** Within the snapshot's folder, with forward slashes. */
  path: text,
  rows: count,
  quarantined: count,
  /** Rows of an answer for one source that are left out because the whole list has them too. */
  repeated: Type.Optional(count),
  /** Path of the quarantined rows, JSON lines; null when there are none. */
  quarantine: orNull(text),
  quarantine_sha256: orNull(digest),
  /** Of those in quarantine, without values. */
  reasons: Type.Optional(Type.Array(text)),
  bytes: count,
  sha256: digest,
  /** Fields that the contract does not know, and the number of rows that have them. */
  unknown_fields: Type.Record(text, count),
  reader,
  /** The earlier snapshot that has the files, in object storage. */
  snapshot: Type.Optional(snapshot),
});

const rawBody = Type.Object({
  /** SHA-256 of the body, which names the file. */
  body: digest,
  sha256: digest,
  bytes: count,
  snapshot: Type.Optional(snapshot),
});

const listing = Type.Object({ path: Enum(listingNames), sha256: digest, bytes: count });

const misidentified = Type.Object({
  element: count,
  id: orNull(text),
  reason: text,
});

const rowCheck = Type.Object({ name: text, severity: Enum(["error", "warning"]), rows: count });

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
  body: orNull(Type.Object({ sha256: digest, bytes: count })),
  /** Elements of the array, counted over the bytes; 1 for a single record. */
  elements: count,
  parts: Type.Array(part),
  /** Secrets of the export that the body repeated. */
  secrets: Type.Optional(Type.Object({ found: count, is_masked: Type.Boolean() })),
  /** The body is not kept: the name of an unknown field looks like a secret. */
  is_withheld: Type.Optional(Type.Literal(true)),
  /** A list of published numbers changed even when it was read again. */
  is_torn: Type.Optional(Type.Literal(true)),
  /** Published results that the previous snapshot has and this one lacks. */
  vanished: Type.Optional(Type.Object({ count, results: Type.Array(text) })),
  misidentified: Type.Optional(Type.Array(misidentified)),
});

/**
 * Records of one table that the previous snapshot held and this one does not. Only between complete
 * exports.
 */
const tombstone = Type.Object({
  table: Type.Unsafe<TableName>(Type.String()),
  experiment_id: orNull(identifier),
  ids: Type.Array(text),
});

export type PartColumns = Readonly<Record<string, string>>;

const columns = Type.Record(text, Type.Record(text, text));

/** The files that an import read, and how it read them. */
const imported = Type.Object({
  mapping: orNull(text),
  sources: Type.Array(
    Type.Object({
      name: orNull(text),
      /** Relative to the mapping; under pseudonyms `file 1`. */
      path: text,
      sha256: digest,
      bytes: count,
    }),
  ),
  lists: Type.Array(
    Type.Object({ list: text, records: count, taken: count, quarantined: count, skipped: count }),
  ),
  /** Records that every list skips, with the first: its place among `sources` and in its file. */
  untaken: Type.Optional(
    Type.Array(Type.Object({ name: text, records: count, source: count, place: text })),
  ),
});

export const manifestSchema = Type.Object({
  format: Type.Literal(manifestFormat),
  recount: text,
  snapshot,
  project_id: identifier,
  service: text,
  /** UTC. */
  created_at: instant,
  elapsed_ms: Type.Number(),
  previous: orNull(text),
  selection: Type.Object({
    ids: Type.Array(text),
    names: Type.Array(text),
    types: Type.Array(text),
  }),
  experiments: Type.Array(manifestExperiment),
  units: Type.Array(unit),
  /** Absent if an earlier version wrote it. */
  checks: Type.Optional(Type.Array(rowCheck)),
  columns: Type.Unsafe<Partial<Record<TableName, PartColumns>>>(columns),
  /** Identifies the converter; the next export reuses only parts that its own converter made. */
  converter: text,
  /** Identifies the key of the pseudonyms; absent if there are none. */
  pseudonyms: Type.Optional(text),
  /** Deletions since `previous`; absent when they could not be determined. */
  tombstones: Type.Optional(Type.Array(tombstone)),
  imported: Type.Optional(imported),
  raw: Type.Optional(Type.Array(rawBody)),
  /** Absent if an earlier version wrote it, or in a copy. */
  listings: Type.Optional(Type.Array(listing)),
});

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

export type ExperimentState = Static<typeof experimentState>;
export type ManifestExperiment = Frozen<Static<typeof manifestExperiment>>;
export type Reader = Static<typeof reader>;
export type Part = Frozen<Static<typeof part>>;
export type Imported = Frozen<Static<typeof imported>>;
export type Listing = Frozen<Static<typeof listing>>;
export type RawBody = Frozen<Static<typeof rawBody>>;
export type RowCheck = Frozen<Static<typeof rowCheck>>;
export type Misidentified = Frozen<Static<typeof misidentified>>;
export type Unit = Frozen<Static<typeof unit>>;
export type Tombstone = Frozen<Static<typeof tombstone>>;

/** The description of a snapshot. It is written last, so a folder without one is not a snapshot. */
export type Manifest = Frozen<Static<typeof manifestSchema>>;
