import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

interface PresetFile {
  readonly file: string;
  readonly text: string;
  readonly rows?: readonly string[];
  readonly more?: { readonly text: string; readonly rows: readonly string[] };
}

export const presetFiles = parse(
  readFileSync(join(import.meta.dirname, "presets.yaml"), "utf8"),
) as Readonly<Record<string, PresetFile>>;
