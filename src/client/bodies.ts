/** Encodings of bodies: how they are sent, and decoded as they arrive. */
import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { BodyEncoding } from "../contract/index.js";
import { counted, randomHex, textOrJson } from "../platform/index.js";
import { TerminalFailure, TransientFailure } from "./failures.js";

const fieldsOfForm = (body: unknown): [string, string][] =>
  Object.entries(body as Record<string, unknown>).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, textOrJson(one)]),
  );

/** WHATWG HTML, "Multipart form data". */
const escapedName = (name: string) =>
  name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

export const encoders: Record<BodyEncoding, (body: unknown) => { type: string; text: string }> = {
  "application/json": (body) => ({ type: "application/json", text: JSON.stringify(body) }),
  "application/x-www-form-urlencoded": (body) => ({
    type: "application/x-www-form-urlencoded",
    text: new URLSearchParams(fieldsOfForm(body)).toString(),
  }),
  "multipart/form-data": (body) => {
    const boundary = `recount-${randomHex(12)}`;
    const parts = fieldsOfForm(body).map(
      ([name, text]) =>
        `--${boundary}\r\nContent-Disposition: form-data; ` +
        `name="${escapedName(name)}"\r\n\r\n${text}\r\n`,
    );
    return {
      type: `multipart/form-data; boundary=${boundary}`,
      text: `${parts.join("")}--${boundary}--\r\n`,
    };
  },
};

/** Only gzip is requested. */
const decoders = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** Encodings on top of each other; more are an attack. */
const mostEncodings = 3;

/** @throws TerminalFailure for an unknown `Content-Encoding` (RFC 9110, 8.4). */
export function decodedText(
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
      `${name}: the body's encoding ${JSON.stringify(applied.join(", "))} was not requested ` +
        "and cannot be decoded.",
    );
  if (applied.length === 0) return pieces;
  return applied.reduceRight<AsyncIterable<Buffer>>(
    (encoded, one) => decompressed(name, encoded, (decoders.get(one) ?? createGunzip)()),
    pieces,
  );
}

/** @throws TransientFailure for bytes after the compressed ones, which decoders drop */
async function* decompressed(
  name: string,
  encoded: AsyncIterable<Buffer>,
  decoder: Transform & { readonly bytesWritten: number },
): AsyncGenerator<Buffer, void> {
  let sent = 0;
  async function* pieces() {
    for await (const piece of encoded) {
      sent += piece.length;
      yield piece;
    }
  }
  // Unlike pipe(), pipeline also ends the decoder if the body failed before there was a listener.
  const source = Readable.from(pieces(), { objectMode: false });
  const ended = new Promise<Error | null | undefined>((resolve) =>
    pipeline(source, decoder, resolve),
  );
  yield* decoder as AsyncIterable<Buffer>;
  const error = await ended;
  if (error) throw error;
  const after = sent - decoder.bytesWritten;
  if (after > 0)
    throw new TransientFailure(
      `${name}: the compressed body is corrupted: ${counted(after, "byte")} came after its end.`,
    );
}

export const isCorrupted = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && /^(Z_|ERR__)/.test(String(error.code));
