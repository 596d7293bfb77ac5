/** Where a file or a lake is: a path, or a place in object storage, as each is named. */
import { resolve } from "node:path";
import { UsageError } from "./errors.js";

export interface ObjectAddress {
  readonly bucket: string;
  /** Without a slash at its ends; empty for the whole bucket. */
  readonly prefix: string;
}

export const isObject = (file: string) => file.startsWith("s3://");

/** An absolute path, or the address. @param base folder of a relative path */
export const located = (file: string, base = "") => (isObject(file) ? file : resolve(base, file));

/** Null for a text that is no `s3://bucket/prefix`. @throws UsageError for a malformed one */
export function objectAddress(text: string): ObjectAddress | null {
  if (!isObject(text)) return null;
  const [bucket = "", ...path] = text.slice("s3://".length).split("/");
  const names = path.filter((name, i) => name !== "" || i < path.length - 1);
  const isPlain = (name: string) => /^[\w!'().=-]+$/.test(name) && !/^\.+$/.test(name);
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || !names.every(isPlain))
    throw new UsageError(
      `${text}: not a place in object storage. Write s3://bucket or s3://bucket/folder.`,
    );
  return { bucket, prefix: names.join("/") };
}
