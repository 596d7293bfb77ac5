import { createHash } from "node:crypto";
import { digestOf, fsp } from "../platform/index.js";
import type { Connection } from "./client.js";

/** Bytes of one request: a file above is sent in several, and each can be repeated. A store takes at most 10,000 of one object. */
const pieceBytes = 16 * 2 ** 20;
const mostPieces = 10_000;

const base64 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("base64");

interface Target {
  readonly Bucket: string;
  readonly Key: string;
}

/**
 * Uploads a file. The store checks the SHA-256 of each request; the object's metadata has that of the whole, which is computed
 * from the bytes that were sent.
 */
export async function uploadFile(
  { sdk, client }: Connection,
  file: string,
  target: Target,
): Promise<{ sha256: string; bytes: number }> {
  const { size } = await fsp.stat(file);
  if (size <= pieceBytes) {
    const Body = await fsp.readFile(file);
    const sha256 = createHash("sha256").update(Body).digest("hex");
    const request = { ...target, Body, ChecksumSHA256: base64(Body), Metadata: { sha256 } };
    await client.send(new sdk.PutObjectCommand(request));
    return { sha256, bytes: Body.length };
  }
  const { sha256 } = await digestOf(file);
  const { UploadId } = await client.send(
    new sdk.CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: "SHA256", Metadata: { sha256 } }),
  );
  const upload = { ...target, UploadId };
  try {
    const Parts: { ETag: string | undefined; PartNumber: number; ChecksumSHA256: string }[] = [];
    const whole = createHash("sha256");
    const buffer = Buffer.alloc(Math.max(pieceBytes, Math.ceil(size / mostPieces)));
    const handle = await fsp.open(file);
    try {
      for (let sent = 0; sent < size;) {
        const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, size - sent), sent);
        if (bytesRead === 0) break;
        const Body = buffer.subarray(0, bytesRead);
        whole.update(Body);
        const PartNumber = Parts.length + 1;
        const ChecksumSHA256 = base64(Body);
        const { ETag } = await client.send(new sdk.UploadPartCommand({ ...upload, PartNumber, Body, ChecksumSHA256 }));
        Parts.push({ ETag, PartNumber, ChecksumSHA256 });
        sent += bytesRead;
      }
    } finally {
      await handle.close();
    }
    if (whole.digest("hex") !== sha256) throw new Error(`${file} changed while it was sent`);
    await client
      .send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
      .catch(async (error: unknown) => {
        // A request whose answer was lost is repeated, and then refused because of itself.
        const found = await client.send(new sdk.HeadObjectCommand(target)).catch(() => null);
        if (found?.Metadata?.sha256 !== sha256) throw error;
      });
    return { sha256, bytes: size };
  } catch (error) {
    await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}
