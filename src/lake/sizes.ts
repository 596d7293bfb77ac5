import type { Entry } from "./store.js";

/** The space that files and folders use. */
export interface Size {
  /** With every name counted. */
  readonly bytes: number;
  /** What their removal frees: without files that other names share. */
  readonly own_bytes: number;
}

export function sizeOf(entries: Iterable<Entry>): Size {
  let [bytes, own] = [0, 0];
  const names = new Map<string, number>();
  for (const entry of entries) {
    bytes += entry.bytes;
    const count = (names.get(entry.identity) ?? 0) + 1;
    names.set(entry.identity, count);
    if (entry.kind === "folder" || count === entry.links) own += entry.bytes;
  }
  return { bytes, own_bytes: own };
}
