/** The requests and results of the library. */

export type ServiceCredentials =
  | { readonly apiKey: string }
  | { readonly username: string; readonly password: string }
  | { readonly sessionId: string };

export interface ExportRequest {
  readonly baseUrl: string;
  readonly project: string;
  readonly credentials: ServiceCredentials;
  /** Folder; it is made. */
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
  /** Why it is not whole. */
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
  /** As in a pipeline file, and over those of `pipeline`. */
  readonly conventions?: ConventionValues;
}

/** Such as `{ incorrect: "exclude_raters" }`. */
export type ConventionValues = Readonly<Record<string, unknown>>;

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

export type AuditVerdict =
  | "exact"
  | "within_tolerance"
  | "explained"
  | "unstated"
  | "unexplained"
  | "not_auditable"
  | "inconclusive"
  | "contradictory";

/** At least these fields. Null: one side has no such number. */
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

export interface ExplainRequest extends SnapshotRequest {
  /** Identifier or name. */
  readonly experiment: string;
  readonly kind: string;
  /** Default: all. */
  readonly item?: string;
}

export interface ExplainedNumbers extends AuditResult {
  /** What `recount explain` prints. */
  readonly text: string;
}

export interface DiffRequest extends Omit<SnapshotRequest, "snapshot"> {
  /** Default: the one before `after`. */
  readonly before?: string;
  readonly after?: string;
}

interface Change {
  readonly kind: string;
  readonly dimension: string;
  readonly source: string;
  readonly item: string;
  readonly before: number | null;
  readonly after: number | null;
}

export interface DiffResult {
  readonly before: string;
  readonly after: string;
  readonly tables: readonly {
    readonly table: string;
    readonly added: number;
    readonly removed: number;
    readonly changed: number;
  }[];
  readonly numbers: readonly (Change & {
    readonly experiment_id: string;
    readonly rank_before: number | null;
    readonly rank_after: number | null;
  })[];
  readonly published: readonly (Change & {
    /** Name, otherwise identifier. */
    readonly experiment: string;
    readonly published_in: string;
    readonly field: string;
  })[];
}

/** A lake, or the file of `recount audit --bundle`. */
export type VerifyRequest =
  Pick<SnapshotRequest, "lake" | "project" | "snapshot"> | { readonly bundle: string };

export interface VerifyResult {
  /** 2: failed checks of the data; 3: something is not as written. */
  readonly exitCode: 0 | 2 | 3;
  readonly problems: readonly string[];
}
