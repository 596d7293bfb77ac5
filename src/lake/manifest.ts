import { partColumns, type OperationName, type TableName } from "../contract/index.js";

/** How a body was read: by the typed reader after a scan of its bytes, or element by element. The rows are the same. */
export type Reader = "typed" | "judged";

/** One Parquet file of a snapshot. */
export interface Part {
  readonly table: TableName;
  /** Within the snapshot's folder, with forward slashes. What is read of a migrated manifest has the present places. */
  readonly path: string;
  readonly rows: number;
  /** Rows that did not fit their record. */
  readonly quarantined: number;
  /** Rows of an answer for one source that are left out because the whole list has them too. */
  readonly repeated?: number;
  /** Path of the quarantined rows within the snapshot's folder, JSON lines; null when there are none. */
  readonly quarantine: string | null;
  /** SHA-256 of the file of quarantined rows. */
  readonly quarantine_sha256: string | null;
  readonly bytes: number;
  /** SHA-256 of the file, hexadecimal. */
  readonly sha256: string;
  /** Fields that the contract does not know, and the number of rows that have them. */
  readonly unknown_fields: Readonly<Record<string, number>>;
  readonly reader: Reader;
  /** The earlier snapshot whose folder has the files, in object storage; absent if it is the part's own. */
  readonly snapshot?: string;
}

type UnitState = "complete" | "not_permitted" | "not_offered";

/** A response body kept under raw/. */
export interface RawBody {
  /** SHA-256 of the body, which names the file. */
  readonly body: string;
  /** SHA-256 and size of the compressed file. */
  readonly sha256: string;
  readonly bytes: number;
  /** The snapshot whose folder has the file, in object storage; absent if it is in raw/. */
  readonly snapshot?: string;
}

/** A row of a list from which others are read, whose identifier is missing, malformed or that of an earlier row. */
export interface Misidentified {
  /** Its place in the list, from 0. */
  readonly element: number;
  readonly id: string | null;
  readonly reason: string;
}

/** The result of one request: operation × experiment. */
export interface Unit {
  readonly operation: OperationName;
  readonly experiment_id: string | null;
  /** Path and query parameters other than project and experiment, as sent. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly state: UnitState;
  readonly status: number;
  readonly attempts: number;
  readonly started_at: string;
  readonly elapsed_ms: number;
  readonly etag: string | null;
  /** The decoded response body; null if there was none. */
  readonly body: { readonly sha256: string; readonly bytes: number } | null;
  /** Elements of the array, counted over the bytes; 1 for a single record. */
  readonly elements: number;
  readonly parts: readonly Part[];
  /** How often the body repeated a secret of the export, and whether it is masked; absent if it did not. */
  readonly secrets?: { readonly found: number; readonly is_masked: boolean };
  /** True if the body is not kept because the name of an unknown field looks like a secret; otherwise absent. */
  readonly is_withheld?: true;
  /** True if a list of published numbers of the project changed even when it was read again; otherwise absent. */
  readonly is_torn?: true;
  /** Rows by which nothing could be read, or not again; absent if there are none. */
  readonly misidentified?: readonly Misidentified[];
}

/** Records of one table that the previous snapshot held and this one does not. Only between complete exports. */
export interface Tombstone {
  readonly table: TableName;
  readonly experiment_id: string | null;
  readonly ids: readonly string[];
}

export type ExperimentState = "complete" | "torn" | "incomplete";

export interface ManifestExperiment {
  readonly id: string;
  readonly name: string;
  readonly type: string | null;
  readonly state: ExperimentState;
  readonly reason: string | null;
}

/**
 * The formats that this version reads; it writes the last. Format 1 has no `columns`. Before format 3, the rater of a rating
 * is an integer, and columns with JSON have that type instead of text. Before format 4, files are in `earlierPlaces`, and the
 * manifest is its file, which is not packed.
 */
export const formats = [1, 2, 3, 4] as const;
export const manifestFormat = 4;

/** Column name to DuckDB type. */
export type PartColumns = Readonly<Record<string, string>>;

/** The description of a snapshot. It is written last, so a folder without one is not a snapshot. */
export interface Manifest {
  readonly format: (typeof formats)[number];
  /** Version of Recount that wrote it. */
  readonly recount: string;
  readonly snapshot: string;
  readonly project_id: string;
  readonly service: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly elapsed_ms: number;
  readonly previous: string | null;
  readonly selection: {
    readonly ids: readonly string[];
    readonly names: readonly string[];
    readonly types: readonly string[];
  };
  readonly experiments: readonly ManifestExperiment[];
  readonly units: readonly Unit[];
  /** Columns of the parts of each table, as the contract stated them when they were written. */
  readonly columns?: Readonly<Partial<Record<TableName, PartColumns>>>;
  /** Identifies the converter; the next export reuses only parts that its own converter made. */
  readonly converter?: string;
  /** Identifies the key whose pseudonyms are in the place of raters' and sessions' identifiers; absent if there are none. */
  readonly pseudonyms?: string;
  /** Deletions since `previous`; absent when they could not be determined. */
  readonly tombstones?: readonly Tombstone[];
  /** The kept bodies of the units, each once; absent if bodies are not kept. Format 1 may list others, and says [] for none. */
  readonly raw?: readonly RawBody[];
}

/** What the file of a manifest holds since format 4. */
export interface PackedManifest {
  readonly format: number;
  /** Version of Recount that wrote the file. */
  readonly recount: string;
  /** SHA-256 of the manifest's text. */
  readonly sha256: string;
  /** The manifest's text, gzip in base64. */
  readonly packed: string;
}

/** The columns that this version writes into the tables of `units`. */
export function columnsWritten(units: readonly Unit[]): NonNullable<Manifest["columns"]> {
  const tables = new Set(units.flatMap(({ parts }) => parts.map(({ table }) => table)));
  return Object.fromEntries([...tables].map((table) => [table, partColumns(table)]));
}
