import type { AdaptiveLimit, Client } from "../client/index.js";
import type { Clock } from "../clock.js";
import type { TableName } from "../contract/index.js";
import type { Log } from "../log.js";
import type { Converters } from "./converters.js";
import type { RawKeeper } from "./raw-keeper.js";

/** What every step of one export shares. */
export interface ExportRun {
  readonly client: Client;
  readonly projectId: string;
  readonly snapshot: string;
  /** Folder of the snapshot under way. */
  readonly staged: string;
  /** Folder of bodies on their way to Parquet. */
  readonly spool: string;
  readonly raw: RawKeeper;
  readonly tables: ReadonlySet<TableName>;
  /** Requests at a time. */
  readonly requests: AdaptiveLimit;
  readonly converters: Converters;
  readonly clock: Clock;
  readonly log: Log;
  readonly onBytes: (bytes: number) => void;
  nextSpool(): string;
}
