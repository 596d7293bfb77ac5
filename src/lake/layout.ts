import type { TableName } from "../contract/index.js";

/** Keys of everything that belongs to one project of a lake. Source: docs/design.md, "The lake". */
export interface Layout {
  readonly project: string;
  readonly snapshots: string;
  readonly staging: string;
  readonly raw: string;
  /** Models computed from a snapshot, by snapshot id. */
  readonly derived: string;
  /** Names the newest complete snapshot. */
  readonly current: string;
  readonly lock: string;
  /** Start and end of every run of `recount run`. */
  readonly runs: string;
}

export function layoutOf(projectId: string): Layout {
  return {
    project: projectId,
    snapshots: `${projectId}/snapshots`,
    staging: `${projectId}/staging`,
    raw: `${projectId}/raw`,
    derived: `${projectId}/derived`,
    current: `${projectId}/current`,
    lock: `${projectId}/.lock.duckdb`,
    runs: `${projectId}/runs.jsonl`,
  };
}

/** Whether text can name a snapshot, and nothing outside the folder of snapshots. */
export const isSnapshotName = (text: string) => /^[A-Za-z0-9-]+$/.test(text);

/** Name under which a snapshot's folder waits to be removed. */
export const prunedName = (snapshot: string) => `.pruned-${snapshot}`;

/** Whether a path within a project is what a killed writer leaves. */
export const isLeftover = (path: string) => /^(\.[0-9a-f]{12}\.tmp|snapshots\/\.pruned-[^/]+)$/.test(path);

/** Path of a part within its snapshot, as the manifest names it. */
export function partPath(table: TableName, experimentId: string | null, name = "part-0"): string {
  const folder = experimentId === null ? table : `${table}/experiment_id=${experimentId}`;
  return `${folder}/${name}.parquet`;
}

/** Path of the quarantined rows of a part. */
export const quarantinePath = (part: string) => `quarantine/${part.replace(/\.parquet$/, ".jsonl")}`;

/** Name of a kept response body within `raw/`. */
export const rawName = (sha256: string) => `${sha256}.json.gz`;

export const manifestName = "manifest.json";
