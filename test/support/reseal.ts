import { readFileSync, writeFileSync } from "node:fs";
import { manifestText, type Manifest } from "../../src/lake/index.js";

/** Replaces a manifest in its file by what `change` makes of it, under a valid seal. */
export function reseal(file: string, change: (manifest: Manifest) => object): void {
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Manifest & { seal?: string };
  delete manifest.seal;
  writeFileSync(file, manifestText(change(manifest) as Manifest));
}
