/** Names and paths of everything in a lake. */
import { createHash } from "node:crypto";
import type { TableName } from "../contract/index.js";
import { randomHex } from "../platform/index.js";

export interface Layout {
  readonly project: string;
  readonly snapshots: string;
  readonly staging: string;
  readonly raw: string;
  readonly derived: string;
  readonly current: string;
  readonly lock: string;
  readonly runs: string;
}

export const currentName = "current";

export function layoutOf(projectId: string): Layout {
  return {
    project: projectId,
    snapshots: `${projectId}/snapshots`,
    staging: `${projectId}/staging`,
    raw: `${projectId}/raw`,
    derived: `${projectId}/derived`,
    current: `${projectId}/${currentName}`,
    lock: `${projectId}/.lock.duckdb`,
    runs: `${projectId}/runs.jsonl`,
  };
}

/** What can name a snapshot, and nothing outside the folder of snapshots. */
export const snapshotName = "^[A-Za-z0-9-]+$";

export const isSnapshotName = (text: string) => new RegExp(snapshotName).test(text);

export const prunedName = (snapshot: string) => `.pruned-${snapshot}`;

export const isLeftover = (path: string) =>
  /^(\.[0-9a-f]{12}\.tmp|snapshots\/\.pruned-[^/]+)$/.test(path);

/** Name in `derived/` of the results that runs take over from each other. */
export const keptName = ".kept";

const scratchDays = 7;

export const scratchName = (now: Date) =>
  `.spark-${now.toISOString().slice(0, 10)}-${randomHex(6)}`;

export const isOldScratch = (name: string, now: Date) => {
  const day = /^\.spark-(\d{4}-\d\d-\d\d)-[0-9a-f]+$/.exec(name)?.[1];
  return day !== undefined && now.getTime() - Date.parse(day) > (scratchDays + 1) * 86_400_000;
};

interface Places {
  /** @param name of a part beside the table's own, for example `source-job1` */
  readonly part: (table: TableName, experimentId: string | null, name?: string) => string;
  readonly nameOf: (path: string) => string | undefined;
  readonly quarantine: (part: string) => string;
}

/** Bytes. */
const longestName = 255;

/**
 * The name of a file or folder for an identifier: the identifier, or its beginning and SHA-256.
 * @param around the rest of the longest name that it is part of
 */
const carried = (id: string, around: string) =>
  Buffer.byteLength(around + id) <= longestName
    ? id
    : `${id.slice(0, 64)}--${createHash("sha256").update(id).digest("hex").slice(0, 32)}`;

export const folderNameOf = (experimentId: string) => carried(experimentId, "experiment_id=");

/** A folder for each experiment, as each folder takes a block of the disk. */
export const places: Places = {
  part(table, experimentId, name) {
    const folder = experimentId === null ? "" : `experiment_id=${folderNameOf(experimentId)}/`;
    const ending = name === undefined ? "" : `.${carried(name, `${table}..quarantine.jsonl`)}`;
    return `${folder}${table}${ending}.parquet`;
  },
  nameOf: (path) => /\.([^./]+)\.parquet$/.exec(path)?.[1],
  quarantine: (part) => part.replace(/\.parquet$/, ".quarantine.jsonl"),
};

export function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, i) => names.slice(0, i + 1).join("/"));
}

export const rawName = (sha256: string) => `${sha256}.json.gz`;

export const keptBodiesFolder = (snapshot: string) => `${snapshot}/raw`;

export const keptBodyPath = (sha256: string) => `raw/${rawName(sha256)}`;

export const manifestName = "manifest.json";

export const listingNames = ["tables.sql", "tables.json"] as const;
