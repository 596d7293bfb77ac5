import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError, fsp, readText } from "../platform/index.js";

/** One file of sql/: a SELECT and what its header says. */
export interface Model {
  /** The table's name, which is the file's without `.sql`. */
  readonly name: string;
  /** Path within sql/, with forward slashes. */
  readonly file: string;
  readonly layer: string;
  readonly sql: string;
  /** `-- stored: view`; staging is always views, everything else tables unless it says so. */
  readonly stored: "view" | "table";
  /** `-- kernel: name`: the query is this kernel's input, and its output is the table. */
  readonly kernel: string | null;
  readonly header: Readonly<Record<string, string>>;
}

export const layers = ["staging", "intermediate", "metrics", "audit", "checks"] as const;

export const sqlDir = fileURLToPath(new URL("../../sql/", import.meta.url));

/** Every model under `dir`, by layer and name. */
export async function readModels(dir: string = sqlDir): Promise<Model[]> {
  const models: Model[] = [];
  for (const layer of layers) {
    const names = (await fsp.readdir(join(dir, layer))).filter((name) => name.endsWith(".sql")).sort();
    for (const name of names) models.push(parseModel(layer, name, await readText(join(dir, layer, name))));
  }
  return models;
}

export function parseModel(layer: string, fileName: string, sql: string): Model {
  const file = `${layer}/${fileName}`;
  const header: Record<string, string> = {};
  for (const line of sql.split("\n")) {
    const [, key, value] = /^-- (\w+): (.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) break;
    header[key] = value.trim();
  }
  for (const key of ["grain", "inputs", "units", "nulls"]) {
    if (header[key] === undefined) throw new UsageError(`sql/${file}: the header has no line "-- ${key}: …".`);
  }
  return {
    name: basename(fileName, ".sql"),
    file,
    layer,
    sql,
    stored: layer === "staging" || header["stored"] === "view" ? "view" : "table",
    kernel: header["kernel"] ?? null,
    header,
  };
}
