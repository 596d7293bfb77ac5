import { createHash } from "node:crypto";
import { fs } from "../platform/index.js";

/** SHA-256 of a file, hexadecimal, and its size in bytes; memory does not grow with the file. */
export async function digestOf(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of fs.createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest("hex"), bytes };
}
