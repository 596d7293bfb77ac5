/** The requests and results of the library. */

export type ServiceCredentials =
  | { readonly apiKey: string }
  | { readonly username: string; readonly password: string }
  | { readonly sessionId: string };

export interface ExportRequest {
  readonly baseUrl: string;
  readonly project: string;
  readonly credentials: ServiceCredentials;
  /** Folder; it is made if it does not exist. */
  readonly lake: string;
  /** Identifiers. Default: all. */
  readonly experiments?: readonly string[];
  /** Requests at a time, 1 to 64. Default 6. */
  readonly concurrency?: number;
  /** Keeps response bodies. Default true. */
  readonly keepRaw?: boolean;
  /** Nothing is published then. */
  readonly signal?: AbortSignal;
}

export interface ExportResult {
  readonly snapshot: string;
  readonly folder: string;
  readonly rows: number;
  readonly quarantined: number;
  readonly bytes: number;
  /** What keeps the snapshot from being whole. */
  readonly shortfalls: readonly string[];
}

export interface ImportRequest {
  readonly mapping: string;
  readonly lake: string;
  readonly signal?: AbortSignal;
}

export interface SnapshotRequest {
  readonly lake: string;
  /** Default: the only project of the lake. */
  readonly project?: string;
  /** Default: the newest. */
  readonly snapshot?: string;
  /** Path. Default: the documented conventions. */
  readonly pipeline?: string;
}

/** Integers beyond 2^53 are bigint; instants are ISO 8601 text in UTC. */
export type Value =
  null | boolean | number | bigint | string | Uint8Array | Value[] | { [key: string]: Value };

export type QueryRow = Record<string, Value>;

export interface OpenSnapshot {
  readonly id: string;
  readonly project: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly experiments: readonly { readonly id: string; readonly name: string }[];
  /** Models are computed when a query reads them. It opens no other file. */
  query(sql: string): Promise<QueryRow[]>;
  close(): void;
}

export interface RecomputeRequest extends SnapshotRequest {
  /** Default: `usual`. */
  readonly models?: "usual" | "all" | "published";
}

export interface RecomputeResult {
  readonly snapshot: string;
  readonly folder: string;
  readonly models: readonly string[];
  /** 0 passes. */
  readonly checks: readonly {
    readonly name: string;
    readonly rows: number;
    readonly severity: "error" | "warning";
  }[];
}

export interface ReportResult {
  readonly snapshot: string;
  readonly exitCode: AuditResult["exitCode"];
  readonly html: string;
}

export interface RobustnessRequest extends SnapshotRequest {
  /** Identifier or name. Default: all. */
  readonly experiment?: string;
  /** `bradley_terry` or `mean`. Default: those that the data allow. */
  readonly kind?: string;
}

export type AuditVerdict =
  | "exact"
  | "within_tolerance"
  | "explained"
  | "unstated"
  | "unexplained"
  | "not_auditable"
  | "inconclusive"
  | "contradictory";

/** Null: one side has no such number. */
export interface AuditedNumber {
  readonly experiment_id: string;
  readonly kind: string;
  readonly dimension: string;
  readonly published_in: string;
  readonly item: string;
  readonly field: string;
  readonly published: number | null;
  readonly recomputed: number | null;
  readonly verdict: AuditVerdict;
  readonly explanation: string | null;
}

export interface AuditResult {
  readonly snapshot: string;
  /** 0: reproduced; 1: something is unexplained; 2: needs review. */
  readonly exitCode: 0 | 1 | 2;
  readonly summary: Readonly<Record<AuditVerdict, number>>;
  readonly numbers: readonly AuditedNumber[];
}
