/** Where a file or a lake is: a path, or a place in object storage, as each is named. */
import { resolve } from "node:path";
import { UsageError } from "./errors.js";

/** A place in a bucket. */
export interface ObjectAddress {
  readonly bucket: string;
  /** Without a slash at its ends; empty for the whole bucket. */
  readonly prefix: string;
}

export const isObject = (file: string) => file.startsWith("s3://");

/**
 * A file or a lake as it is named everywhere: absolute, or its place in object storage.
 * @param base folder of a relative path
 */
export const located = (file: string, base = "") => (isObject(file) ? file : resolve(base, file));

/**
 * The place that `s3://bucket/prefix` names; null for a text that is no such address.
 * @throws UsageError for a malformed one.
 */
export function objectAddress(text: string): ObjectAddress | null {
  if (!isObject(text)) return null;
  const [bucket = "", ...path] = text.slice("s3://".length).split("/");
  const names = path.filter((name, i) => name !== "" || i < path.length - 1);
  // No name has what the engine takes for a pattern.
  const isPlain = (name: string) => /^[\w!'().=-]+$/.test(name) && !/^\.+$/.test(name);
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || !names.every(isPlain))
    throw new UsageError(
      `${text}: not a place in object storage. Write s3://bucket or s3://bucket/folder.`,
    );
  return { bucket, prefix: names.join("/") };
}
