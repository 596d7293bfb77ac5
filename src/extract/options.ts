// What an export may be asked for, and what it reports.
import picomatch from "picomatch";
import type { Client } from "../client/index.js";
import type { TableName } from "../contract/index.js";
import type { Manifest, Shortfall } from "../lake/index.js";
import { settings, UsageError, type Clock, type Log } from "../platform/index.js";
import type { Pseudonyms } from "../warehouse/index.js";
import type { SourceScope } from "./plan.js";

/** An empty list does not restrict. */
export interface Selection {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly types: readonly string[];
}

export const everything: Selection = { ids: [], names: [], types: [] };

export interface Selectable {
  /** Null if the list gives none. */
  readonly id: string | null;
  readonly name: string;
  readonly type: string | null;
}

/**
 * Those that fit every list of the selection, in the service's order. @throws UsageError when an
 * identifier is unknown or nothing fits.
 */
export function select<T extends Selectable>(
  experiments: readonly T[],
  { ids, names, types }: Selection,
): T[] {
  const known = new Set(experiments.flatMap(({ id }) => id ?? []));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    throw new UsageError(
      `No experiment ${unknown.join(", ")} in this project. It has: ` +
        `${[...known].slice(0, 20).join(", ") || "none"}.`,
    );
  }
  const isNamed = names.length === 0 ? () => true : picomatch([...names], { bash: true });
  const fits = ({ id, name, type }: T) =>
    (ids.length === 0 || (id !== null && ids.includes(id))) &&
    isNamed(name) &&
    (types.length === 0 || (type !== null && types.includes(type)));
  const chosen = experiments.filter(fits);
  const restricts = ids.length + names.length + types.length > 0;
  if (restricts && chosen.length === 0) {
    throw new UsageError(
      `No experiment matches the selection (names ${names.join(", ") || "any"}; types ` +
        `${types.join(", ") || "any"}).`,
    );
  }
  return chosen;
}

export interface ShrinkLimits {
  /** Share of a list's elements that may disappear between two snapshots, 0 to 1. */
  readonly max: number;
  readonly allow: boolean;
}

export const defaultShrink: ShrinkLimits = {
  max: settings.max_shrink.default,
  allow: settings.allow_shrink.default,
};

export interface BillingAccount {
  readonly organization_id: string;
  readonly billing_id: string;
}

export interface ExportOptions {
  readonly client: Client;
  readonly projectId: string;
  readonly lake: string;
  readonly selection?: Selection;
  /** Default: all except those that must be selected by name. */
  readonly tables?: readonly TableName[] | undefined;
  /**
   * Also the numbers published for each job and leaderboard (`all`, the default), or not (`whole`).
   */
  readonly sources?: SourceScope;
  /** Concurrent requests, and concurrent experiments; default 6. */
  readonly concurrency?: number;
  /** Under raw/; default true. With pseudonyms none are kept. */
  readonly keepRaw?: boolean;
  /** Mask this client's credentials where the data repeat them; default false: only count them. */
  readonly maskSecrets?: boolean;
  readonly organization?: BillingAccount | undefined;
  /** Default: nothing is replaced. */
  readonly pseudonyms?: Pseudonyms | undefined;
  /** Continue an interrupted export with the same settings; default false. */
  readonly resume?: boolean;
  readonly shrink?: ShrinkLimits;
  /** The caller holds the project's lock; default false. */
  readonly isLocked?: boolean;
}

export interface ExportEffects {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly onProgress?: (progress: ExportProgress) => void;
}

export interface ExportReport {
  readonly snapshot: string;
  readonly dir: string;
  readonly manifest: Manifest;
  readonly rows: number;
  readonly quarantined: number;
  readonly shortfalls: readonly Shortfall[];
  /** How often bodies repeated this client's credentials. */
  readonly secrets: number;
  /** Of response bodies. */
  readonly bytes: number;
  readonly elapsed_ms: number;
}

export interface ExportProgress {
  readonly experiments: number;
  readonly done: number;
  /** Of finished experiments. */
  readonly rows: number;
  /** Of response bodies so far. */
  readonly bytes: number;
}

export interface Progress {
  now(): ExportProgress;
  add(change: Partial<ExportProgress>): void;
}

export function createProgress(onProgress: (progress: ExportProgress) => void): Progress {
  let now: ExportProgress = { experiments: 0, done: 0, rows: 0, bytes: 0 };
  return {
    now: () => now,
    add({ experiments = 0, done = 0, rows = 0, bytes = 0 }) {
      now = {
        experiments: now.experiments + experiments,
        done: now.done + done,
        rows: now.rows + rows,
        bytes: now.bytes + bytes,
      };
      onProgress(now);
    },
  };
}
