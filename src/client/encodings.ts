import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { TerminalFailure } from "./failures.js";

/** The encodings that can be decoded; only gzip is requested. */
const decoders = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** Encodings on top of each other; more are an attack. */
const mostEncodings = 3;

/** A body's pieces, decoded by its `Content-Encoding` (RFC 9110, 8.4). @throws TerminalFailure for an unknown one. */
export function decoded(
  name: string,
  pieces: AsyncIterable<Buffer>,
  header: string | string[] | undefined,
): AsyncIterable<Buffer> {
  const applied = [header ?? ""]
    .flat()
    .join(",")
    .split(",")
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== "" && one !== "identity");
  const unknown = applied.find((one) => !decoders.has(one));
  if (unknown !== undefined || applied.length > mostEncodings)
    throw new TerminalFailure(
      `${name}: the body's encoding ${JSON.stringify(applied.join(", "))} was not requested and cannot be decoded.`,
    );
  if (applied.length === 0) return pieces;
  return applied.reduceRight<Readable>(
    // Unlike pipe(), pipeline also ends the decoder if the body failed before there was a listener.
    (encoded, one) => pipeline(encoded, (decoders.get(one) ?? createGunzip)(), () => undefined),
    Readable.from(pieces, { objectMode: false }),
  );
}

/** Whether an error comes from a decoder: the body is not what its encoding says, or ends early. */
export const isCorrupted = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && /^(Z_|ERR__)/.test(String(error.code));
