import type { AdaptiveLimit, Client } from "../client/index.js";
import type { Clock, Log } from "../platform/index.js";
import type { TableName } from "../contract/index.js";
import type { Before } from "./before.js";
import type { Converters } from "./converters.js";
import type { RawKeeper } from "./raw-keeper.js";
import type { BodyScanner } from "./scan/body-scanner.js";

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
  readonly before: Before;
  readonly tables: ReadonlySet<TableName>;
  /** Requests at a time. */
  readonly requests: AdaptiveLimit;
  /** Aborted once the run has failed: what is still under way is for nothing. */
  readonly ending: AbortController;
  readonly converters: Converters;
  readonly scanner: BodyScanner;
  readonly clock: Clock;
  readonly log: Log;
  readonly onBytes: (bytes: number) => void;
  /** How many experiments there are to read. */
  readonly onExperiments: (count: number) => void;
  /** One experiment is read, with so many rows. */
  readonly onExperiment: (rows: number) => void;
  nextSpool(): string;
}
