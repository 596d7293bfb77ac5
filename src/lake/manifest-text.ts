import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { version } from "../platform/index.js";
import { manifestFormat, type Manifest, type PackedManifest } from "./manifest.js";

export const textDigest = (text: string) => createHash("sha256").update(text).digest("hex");

/** JSON whose last field, `seal`, is the SHA-256 of the text without it. */
function sealed(value: object): string {
  return `${JSON.stringify({ ...value, seal: textDigest(JSON.stringify(value, null, 1)) }, null, 1)}\n`;
}

/** Whether a text is exactly the one that was sealed. */
export function isSealed(text: string): boolean {
  try {
    const { seal, ...value } = JSON.parse(text) as { seal: unknown };
    return seal !== undefined && text === sealed(value);
  } catch {
    return false;
  }
}

export const manifestText = (manifest: Manifest): string => sealed(manifest);

/** What the file of a manifest with this text holds. A quarter of the space of the text. */
export function packedText(text: string): string {
  const packed = gzipSync(text, { level: 9 }).toString("base64");
  return sealed({
    ...{ format: manifestFormat, recount: version, sha256: textDigest(text) },
    packed,
  } satisfies PackedManifest);
}
