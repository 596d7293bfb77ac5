import type { Client } from "../client/index.js";
import type { TableName } from "../contract/index.js";
import type { Manifest, Shortfall } from "../lake/index.js";
import type { Clock, Log } from "../platform/index.js";
import type { Pseudonyms } from "../warehouse/index.js";
import type { SourceScope } from "./plan.js";
import type { ExportProgress } from "./progress.js";
import type { Selection } from "./selection.js";
import type { ShrinkLimits } from "./shrink-guard.js";

export interface BillingAccount {
  readonly organization_id: string;
  readonly billing_id: string;
}

export interface ExportOptions {
  readonly client: Client;
  readonly projectId: string;
  readonly lake: string;
  readonly selection?: Selection;
  /** Tables to export; by default all except those that must be selected by name. */
  readonly tables?: readonly TableName[] | undefined;
  /** Whether numbers published for each job and leaderboard are read too (`all`, the default), or not (`whole`). */
  readonly sources?: SourceScope;
  /** Maximum number of concurrent requests, and of concurrent experiments; default 6. */
  readonly concurrency?: number;
  /** Keep response bodies under raw/; default true. With pseudonyms none are kept. */
  readonly keepRaw?: boolean;
  /** Mask this client's credentials where the data repeat them; default false: only count them. */
  readonly maskSecrets?: boolean;
  readonly organization?: BillingAccount | undefined;
  /** Replaces what identifies persons, in everything that is written; default: nothing is replaced. */
  readonly pseudonyms?: Pseudonyms | undefined;
  /** Resume an interrupted export with the same settings; default false. */
  readonly resume?: boolean;
  /** How much a list may shrink since the previous snapshot. */
  readonly shrink?: ShrinkLimits;
  /** True if the caller holds the project's lock; default false. */
  readonly isLocked?: boolean;
}

export interface ExportEffects {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly onProgress?: (progress: ExportProgress) => void;
}

/** The result of an export; the console line and the run's summary are made from it. */
export interface ExportReport {
  readonly snapshot: string;
  /** Path of the snapshot. */
  readonly dir: string;
  readonly manifest: Manifest;
  readonly rows: number;
  readonly quarantined: number;
  /** What keeps the snapshot from being whole. */
  readonly shortfalls: readonly Shortfall[];
  /** How often the bodies repeated this client's credentials. */
  readonly secrets: number;
  /** Bytes of response bodies. */
  readonly bytes: number;
  readonly elapsed_ms: number;
}
