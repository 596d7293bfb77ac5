import { createHash } from "node:crypto";
import type { Manifest } from "./manifest.js";

const sealOf = (manifest: object) =>
  createHash("sha256")
    .update(JSON.stringify(manifest, null, 1))
    .digest("hex");

/** The text of a manifest file: its last field, `seal`, is the SHA-256 of the text without it. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, seal: sealOf(manifest) }, null, 1)}\n`;
}

/** Whether a manifest's text is exactly the one that was written. */
export function isSealed(text: string): boolean {
  try {
    const { seal, ...manifest } = JSON.parse(text) as Manifest & { seal: unknown };
    return seal === sealOf(manifest) && text === manifestText(manifest);
  } catch {
    return false;
  }
}
