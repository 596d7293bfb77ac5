import type { LimitFunction } from "p-limit";
import type { Client } from "../client/index.js";
import type { Clock } from "../clock.js";
import type { TableName } from "../contract/index.js";
import type { Log } from "../log.js";
import type { Converters } from "./converters.js";

/** What every step of one export shares. */
export interface ExportRun {
  readonly client: Client;
  readonly projectId: string;
  readonly snapshot: string;
  /** Folder of the snapshot under way. */
  readonly staged: string;
  /** Folder of bodies on their way to Parquet. */
  readonly spool: string;
  /** Where bodies are kept by digest; null when they are not. */
  readonly raw: string | null;
  readonly tables: ReadonlySet<TableName>;
  /** Requests at a time. */
  readonly requests: LimitFunction;
  readonly converters: Converters;
  readonly clock: Clock;
  readonly log: Log;
  readonly onBytes: (bytes: number) => void;
  nextSpool(): string;
}
