import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { messageOf } from "../../platform/index.js";
import type { RawBody } from "../manifest.js";
import type { LakeStore } from "../store.js";
import { createElementCounter } from "./count-elements.js";

interface Unpacking {
  /** Bytes after which unpacking fails; without limit by default. */
  readonly limit?: number;
  /** Receives the content. */
  readonly each?: (piece: Buffer) => void;
}

/** SHA-256 of a compressed file's content, of the file itself, and its size. Throws when it does not decompress. */
export async function unpackedDigest(
  store: LakeStore,
  key: string,
  { limit = Infinity, each = () => undefined }: Unpacking = {},
): Promise<{ body: string; sha256: string; bytes: number }> {
  const [inner, outer] = [createHash("sha256"), createHash("sha256")];
  let [bytes, unpacked] = [0, 0];
  const read = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      outer.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  await pipeline(await store.stream(key), read, createGunzip(), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      unpacked += chunk.length;
      if (unpacked > limit) throw new Error(`more than the ${limit} bytes that the manifest states`);
      inner.update(chunk);
      each(chunk);
    }
  });
  return { body: inner.digest("hex"), sha256: outer.digest("hex"), bytes };
}

/**
 * Reads a kept body: what is wrong with it, or the number of its elements.
 * @param limit bytes of the content, as the manifest states them
 */
export async function checkRawBody(
  store: LakeStore,
  key: string,
  { body, sha256 }: RawBody,
  limit: number,
): Promise<{ problem: string | null; elements: number }> {
  const counter = createElementCounter();
  const problemOf = async () => {
    try {
      const found = await unpackedDigest(store, key, { limit, each: counter.add });
      if (found.body !== body) return `holds a body whose SHA-256 is ${found.body}, not the one in its name`;
      return found.sha256 === sha256 ? null : `its SHA-256 is ${found.sha256}, the manifest says ${sha256}`;
    } catch (error) {
      return `does not decompress: ${messageOf(error)}`;
    }
  };
  return { problem: await problemOf(), elements: counter.elements() };
}
