import { createHash } from "node:crypto";
import { fs, fsp } from "../platform/index.js";

export interface Digest {
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Digest of a file of this machine; memory does not grow with the file. */
export async function digestOf(path: string): Promise<Digest> {
  const hash = createHash("sha256");
  let bytes = 0;
  const { size } = await fsp.stat(path);
  const highWaterMark = Math.min(Math.max(size, 1), 1 << 20); // a stream allocates as much for the smallest file
  for await (const chunk of fs.createReadStream(path, { highWaterMark }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest("hex"), bytes };
}
