import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { messageOf, fs } from "../../platform/index.js";

/** SHA-256 of what a compressed file holds, of the file itself, and its size. Throws when it does not decompress. */
export async function unpackedDigest(file: string): Promise<{ body: string; sha256: string; bytes: number }> {
  const [inner, outer] = [createHash("sha256"), createHash("sha256")];
  let bytes = 0;
  const read = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      outer.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  await pipeline(
    fs.createReadStream(file, { highWaterMark: 1 << 18 }),
    read,
    createGunzip(),
    async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) inner.update(chunk);
    },
  );
  return { body: inner.digest("hex"), sha256: outer.digest("hex"), bytes };
}

/** Says what is wrong with a raw body; null when nothing is. `recorded` is the digest in a manifest, where one names it. */
export async function rawProblem(file: string, name: string, recorded: string | undefined): Promise<string | null> {
  try {
    const { body, sha256 } = await unpackedDigest(file);
    if (`${body}.json.gz` !== name) return `holds a body whose SHA-256 is ${body}, not the one that names it`;
    if (recorded !== undefined && sha256 !== recorded) return `its SHA-256 is ${sha256}, the manifest says ${recorded}`;
    return null;
  } catch (error) {
    return `does not decompress: ${messageOf(error)}`;
  }
}
