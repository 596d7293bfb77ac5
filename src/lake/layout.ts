import { join } from "node:path";
import type { TableName } from "../contract/index.js";

/** Where everything of one project stands in a lake. Source: docs/design.md, "The lake". */
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
}

export function layoutOf(lake: string, projectId: string): Layout {
  const project = join(lake, projectId);
  const at = (name: string) => join(project, name);
  return {
    project,
    snapshots: at("snapshots"),
    staging: at("staging"),
    raw: at("raw"),
    derived: at("derived"),
    current: at("current"),
    lock: at(".lock.duckdb"),
  };
}

/** Path of a part within its snapshot, with forward slashes: it stands in the manifest. */
export function partPath(table: TableName, experimentId: string | null, name = "part-0"): string {
  const folder = experimentId === null ? table : `${table}/experiment_id=${experimentId}`;
  return `${folder}/${name}.parquet`;
}

export const manifestName = "manifest.json";
