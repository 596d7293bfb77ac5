import { resolve } from "node:path";
import { createObjects, isObject, objectAddress } from "../../objects/index.js";
import { fsp, makeDir } from "../../platform/index.js";

/** A path as Spark takes it: on the file system that each machine has, or in object storage by S3A. */
export const urlOf = (path: string) => (isObject(path) ? path.replace("s3://", "s3a://") : `file://${resolve(path)}`);

/** The same for reading, where Spark finds no pattern in it. */
export const patternOf = (path: string) => urlOf(path).replace(/[\\{}[\]*?]/g, "\\$&");

/** A path in which DuckDB finds no pattern. */
export const globbed = (path: string) => path.replace(/[[*?]/g, "[$&]");

/** What this process and the cluster hand each other: a folder of Parquet files for each table. */
export interface Scratch {
  folderOf(table: string): string;
  /** The folder of a table for this process to write. */
  make(table: string): Promise<string>;
  readonly remove: () => Promise<void>;
}

export function openScratch(path: string): Scratch {
  const address = objectAddress(path);
  const folderOf = (table: string) => `${path}/${table}`;
  return {
    folderOf,
    async make(table) {
      if (address === null) await makeDir(folderOf(table));
      return folderOf(table);
    },
    remove: () =>
      address === null ? fsp.rm(path, { recursive: true, force: true }) : createObjects(address).removeAll(""),
  };
}
