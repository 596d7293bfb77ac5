import { createHash } from "node:crypto";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { messageOf, fileMode, fsp } from "../platform/index.js";
import { TerminalFailure, TransientFailure } from "./failures.js";

export interface Spooled {
  /** Bytes of the decoded body. */
  readonly bytes: number;
  /** Bytes that came over the wire. */
  readonly wireBytes: number;
  /** SHA-256 of the decoded body, hexadecimal. */
  readonly sha256: string;
  /** First and last byte that is not white space; undefined for a blank body. */
  readonly first: number | undefined;
  readonly last: number | undefined;
}

const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The body decoded as its Content-Encoding says; `onWire` counts what came. An encoding that was not asked for is an error. */
function decoded(body: Readable, encoding: string | undefined, onWire: (bytes: number) => void): Readable {
  if (encoding === undefined || encoding === "" || encoding === "identity") return body;
  if (encoding !== "gzip" && encoding !== "x-gzip")
    throw new TerminalFailure(`The service sent an encoding that was not asked for: ${encoding}.`);
  const gunzip = createGunzip();
  body.on("data", (chunk: Buffer) => onWire(chunk.length));
  // Unlike pipe(), it also ends what follows a body that broke before anyone listened.
  return pipeline(body, gunzip, () => undefined);
}

/**
 * Streams a body into `file`, hashing as it goes: memory does not grow with the body.
 * Throws what the stream throws, a TransientFailure for a gzip that is broken, a TerminalFailure when the file cannot be written.
 */
export async function spool(
  body: Readable,
  encoding: string | undefined,
  file: string,
  onBytes: (bytes: number) => void,
): Promise<Spooled> {
  const hash = createHash("sha256");
  let bytes = 0;
  let compressed = 0;
  let first: number | undefined;
  let last: number | undefined;
  const handle = await fsp.open(file, "w", fileMode).catch((error: unknown) => {
    body.destroy();
    throw new TerminalFailure(`${file} cannot be written: ${messageOf(error)}`, { cause: error });
  });
  try {
    const source = decoded(body, encoding, (wire) => (compressed += wire));
    for await (const chunk of source as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
      first ??= chunk.find((byte) => !isBlank(byte));
      last = chunk.findLast((byte) => !isBlank(byte)) ?? last;
      onBytes(chunk.length);
      await handle.writeFile(chunk).catch((error: unknown) => {
        throw new TerminalFailure(`${file} cannot be written: ${messageOf(error)}`, { cause: error });
      });
    }
  } catch (error) {
    body.destroy();
    const isZlib = error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
    if (isZlib) throw new TransientFailure(`The compressed body is broken: ${error.message}.`, { cause: error });
    throw error;
  } finally {
    await handle.close();
  }
  return { bytes, wireBytes: compressed || bytes, sha256: hash.digest("hex"), first, last };
}
