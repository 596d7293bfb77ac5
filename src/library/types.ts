/** Credentials of the service: an API key, a user with a password, or a session cookie. */
export type ServiceCredentials =
  | { readonly apiKey: string }
  | { readonly username: string; readonly password: string }
  | { readonly sessionId: string };

export interface ExportRequest {
  /** Address of the service. */
  readonly baseUrl: string;
  /** Project identifier. */
  readonly project: string;
  readonly credentials: ServiceCredentials;
  /** Folder of the lake; it is made if it does not exist. */
  readonly lake: string;
  /** Identifiers of the only experiments to export. Default: all. */
  readonly experiments?: readonly string[];
  /** Maximum number of concurrent requests, 1 to 64. Default 6. */
  readonly concurrency?: number;
  /** Keeps response bodies in the lake's raw folder. Default true. */
  readonly keepRaw?: boolean;
  /** Aborts the export; nothing is published then. */
  readonly signal?: AbortSignal;
}

export interface ExportResult {
  /** Identifier of the new snapshot. */
  readonly snapshot: string;
  /** Path of its folder. */
  readonly folder: string;
  readonly rows: number;
  readonly quarantined: number;
  /** Bytes of response bodies. */
  readonly bytes: number;
  /** What keeps the snapshot from being whole, a sentence each. */
  readonly shortfalls: readonly string[];
}

export interface ImportRequest {
  /** Path of a mapping: which files a study consists of, and what their columns are. */
  readonly mapping: string;
  /** Folder of the lake; it is made if it does not exist. */
  readonly lake: string;
  /** Aborts the import; nothing is published then. */
  readonly signal?: AbortSignal;
}

/** Which snapshot of a lake, and under which method. */
export interface SnapshotRequest {
  /** Folder of the lake. */
  readonly lake: string;
  /** Project identifier. Default: the only project of the lake. */
  readonly project?: string;
  /** Snapshot identifier. Default: the newest. */
  readonly snapshot?: string;
  /**
   * Pipeline file with conventions, tolerances, accepted conventions and shapes. Default: the
   * documented defaults.
   */
  readonly pipeline?: string;
}

/** A value of a row. Integers beyond 2^53 are bigint; instants are ISO 8601 text in UTC. */
export type Value =
  null | boolean | number | bigint | string | Uint8Array | Value[] | { [key: string]: Value };

export type QueryRow = Record<string, Value>;

/** A snapshot that is open for queries. */
export interface OpenSnapshot {
  readonly id: string;
  readonly project: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly experiments: readonly { readonly id: string; readonly name: string }[];
  /**
   * Runs SQL over the tables of the snapshot and the recomputed models, and returns every row. A
   * model is computed when a query reads it. A query opens no other file.
   */
  query(sql: string): Promise<QueryRow[]>;
  close(): void;
}

export interface RecomputeRequest extends SnapshotRequest {
  /**
   * What people read, with its data checks (`usual`, the default), all with slates, pairs and the
   * history of Elo, or only the tables of the published kinds.
   */
  readonly models?: "usual" | "all" | "published";
}

export interface RecomputeResult {
  readonly snapshot: string;
  /** Folder of the models as Parquet files, and of recount.duckdb. */
  readonly folder: string;
  /** The tables that were written. */
  readonly models: readonly string[];
  /** Data checks, those of rows first, and the number of rows that violate them: 0 passes. */
  readonly checks: readonly {
    readonly name: string;
    readonly rows: number;
    readonly severity: "error" | "warning";
  }[];
}

export interface ReportResult {
  readonly snapshot: string;
  /** As of an audit. */
  readonly exitCode: AuditResult["exitCode"];
  /** The page: HTML that needs no other file. */
  readonly html: string;
}

export interface RobustnessRequest extends SnapshotRequest {
  /** Identifier or name of an experiment. Default: all. */
  readonly experiment?: string;
  /** Metric of the ranking. Default: all that the data allow. */
  readonly kind?: string;
}

/** The audit's result for a published number (docs/explanation/audit.md, "Verdicts"). */
export type AuditVerdict =
  | "exact"
  | "within_tolerance"
  | "explained"
  | "unstated"
  | "fitted"
  | "unexplained"
  | "not_auditable"
  | "inconclusive"
  | "contradictory";

/** One published number and the recomputed one. Null: one side has no such number. */
export interface AuditedNumber {
  readonly experiment_id: string;
  readonly kind: string;
  readonly dimension: string;
  /** The list that publishes it. */
  readonly published_in: string;
  readonly item: string;
  readonly field: string;
  readonly published: number | null;
  readonly recomputed: number | null;
  readonly verdict: AuditVerdict;
  /** Why they differ; null where they do not, or nothing explains it. */
  readonly explanation: string | null;
}

export interface AuditResult {
  readonly snapshot: string;
  /** 0: everything reproduced; 1: something is unexplained; 2: needs review. */
  readonly exitCode: 0 | 1 | 2;
  /** Numbers of each verdict. */
  readonly summary: Readonly<Record<AuditVerdict, number>>;
  readonly numbers: readonly AuditedNumber[];
}
