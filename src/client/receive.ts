import { createHash } from "node:crypto";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { messageOf, RecountError } from "../platform/index.js";
import { TerminalFailure, TransientFailure } from "./failures.js";
import type { Sink } from "./sink.js";

/** A decoded body: the sink's result, its SHA-256 (hexadecimal) and its size in bytes. */
interface Received<T> {
  readonly value: T;
  readonly sha256: string;
  readonly bytes: number;
}

const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The body, decoded by its Content-Encoding. @throws TerminalFailure for an encoding that was not requested. */
function decoded(body: Readable, encoding: string | undefined): Readable {
  if (encoding === undefined || encoding === "" || encoding === "identity") return body;
  if (encoding !== "gzip" && encoding !== "x-gzip")
    throw new TerminalFailure(`The service sent an encoding that was not requested: ${encoding}.`);
  // Unlike pipe(), it also ends the decoder if the body failed before there was a listener.
  return pipeline(body, createGunzip(), () => undefined);
}

/** A truncated body delimited by the end of its connection looks complete: only its last byte shows the truncation. */
function checkEnds(name: string, brackets: "[]" | "{}", first: number | undefined, last: number | undefined): void {
  const [open, close] = brackets;
  if (first === 0xef)
    throw new TerminalFailure(
      `${name}: the body begins with a byte order mark, which JSON does not allow (RFC 8259, 8.1).`,
    );
  if (first === undefined) throw new TransientFailure(`${name}: the body is empty.`);
  const found = JSON.stringify(String.fromCharCode(first));
  if (first !== open?.charCodeAt(0))
    throw new TransientFailure(`${name}: the body begins with ${found}, not ${open}: not the expected JSON.`);
  if (last !== close?.charCodeAt(0))
    throw new TransientFailure(`${name}: the body ends before its closing ${close}: it is truncated.`);
}

/**
 * Streams the body of operation `name` into a sink and hashes it; memory does not grow with the body. Passes on errors of
 * the stream and the sink. @throws TransientFailure for a truncated body or corrupted gzip.
 */
export async function receive<T>(
  name: string,
  brackets: "[]" | "{}",
  body: Readable,
  encoding: string | undefined,
  sink: Sink<T>,
): Promise<Received<T>> {
  const hash = createHash("sha256");
  let bytes = 0;
  let first: number | undefined;
  let last: number | undefined;
  try {
    await sink.start();
    for await (const chunk of decoded(body, encoding) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
      first ??= chunk.find((byte) => !isBlank(byte));
      last = chunk.findLast((byte) => !isBlank(byte)) ?? last;
      await sink.write(chunk);
    }
    checkEnds(name, brackets, first, last);
    const sha256 = hash.digest("hex");
    const value = await sink.finish({ sha256, bytes }).catch((error: unknown) => {
      if (error instanceof RecountError) throw error;
      throw new TerminalFailure(`${name}: the body cannot be stored: ${messageOf(error)}`, { cause: error });
    });
    return { value, sha256, bytes };
  } catch (error) {
    body.destroy();
    await sink.abort();
    const isZlib = error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
    if (isZlib) throw new TransientFailure(`The compressed body is corrupted: ${error.message}.`, { cause: error });
    throw error;
  }
}
