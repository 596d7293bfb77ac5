import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { manifestText, packedText, type Manifest, type PackedManifest } from "../../src/lake/index.js";

/** The text of a manifest, as it was before it was packed. */
export function unpackedManifest(file: string): string {
  const text = readFileSync(file, "utf8");
  const { packed } = JSON.parse(text) as { packed?: string };
  return packed === undefined ? text : gunzipSync(Buffer.from(packed, "base64")).toString();
}

/** A text that ends with a seal, without it. */
function unsealed(text: string): object {
  const value = JSON.parse(text) as { seal?: string };
  delete value.seal;
  return value;
}

/** Replaces a manifest in its file, packed or not as before, by what `change` makes of it, under valid seals. */
export function reseal(file: string, change: (manifest: Manifest) => object): void {
  const before = unpackedManifest(file);
  const after = manifestText(change(unsealed(before) as Manifest) as Manifest);
  writeFileSync(file, before === readFileSync(file, "utf8") ? after : packedText(after));
}

/** Replaces what a manifest is packed in by what `change` makes of it, under a valid seal. */
export function repack(file: string, change: (packed: PackedManifest) => object): void {
  writeFileSync(file, manifestText(change(unsealed(readFileSync(file, "utf8")) as PackedManifest) as Manifest));
}
