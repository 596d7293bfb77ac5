import { createHash } from "node:crypto";
import { fs, fsp } from "./files.js";

export interface Digest {
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Bytes that are read at once. */
const piece = 1 << 20;

/** Digest of bytes, or text in UTF-8, that come in pieces. */
export async function digestOfPieces(pieces: AsyncIterable<Buffer> | Iterable<Buffer | string>): Promise<Digest> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of pieces) {
    hash.update(chunk);
    bytes += Buffer.byteLength(chunk);
  }
  return { sha256: hash.digest("hex"), bytes };
}

/**
 * Digest of a file that was written just now. The system still has a small one in its memory, and handing its reading to
 * another thread would take six times as long.
 */
export async function digestOfNew(path: string): Promise<Digest> {
  return fs.statSync(path).size > piece ? digestOf(path) : digestOfPieces([fs.readFileSync(path)]);
}

/** Digest of a file of this machine; memory does not grow with the file. */
export async function digestOf(path: string): Promise<Digest> {
  const { size } = await fsp.stat(path);
  // A small file is read at once: as a stream it takes four times as long.
  const pieces = size > piece ? fs.createReadStream(path, { highWaterMark: piece }) : [await fsp.readFile(path)];
  return digestOfPieces(pieces as AsyncIterable<Buffer>);
}
