import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { messageOf } from "../../platform/index.js";
import { rawName } from "../layout.js";
import type { LakeStore } from "../store.js";

/** SHA-256 of a compressed file's content, of the file itself, and its size. Throws when it does not decompress. */
export async function unpackedDigest(
  store: LakeStore,
  key: string,
): Promise<{ body: string; sha256: string; bytes: number }> {
  const [inner, outer] = [createHash("sha256"), createHash("sha256")];
  let bytes = 0;
  const read = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      outer.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  await pipeline(store.stream(key), read, createGunzip(), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) inner.update(chunk);
  });
  return { body: inner.digest("hex"), sha256: outer.digest("hex"), bytes };
}

/** Reads a kept body and says what is wrong with it. `recorded` is the digest that a manifest states, if one does. */
export async function checkRawBody(
  store: LakeStore,
  folder: string,
  name: string,
  recorded: string | undefined,
): Promise<{ problem: string | null; bytes: number }> {
  try {
    const { body, sha256, bytes } = await unpackedDigest(store, `${folder}/${name}`);
    if (rawName(body) !== name)
      return { bytes, problem: `holds a body whose SHA-256 is ${body}, not the one in its name` };
    const isRecorded = recorded === undefined || sha256 === recorded;
    return { bytes, problem: isRecorded ? null : `its SHA-256 is ${sha256}, the manifest says ${recorded}` };
  } catch (error) {
    return { bytes: 0, problem: `does not decompress: ${messageOf(error)}` };
  }
}
