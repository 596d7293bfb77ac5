import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { ExportReport } from "../../src/extract/index.js";
import { filesOf, layoutOf, rawName } from "../../src/lake/index.js";
import { openWarehouse } from "../../src/warehouse/index.js";

/** The text of every part and quarantine file of a snapshot, and of the bodies that it names. */
export async function snapshotText(lake: string, { dir, manifest }: ExportReport): Promise<string> {
  const warehouse = await openWarehouse({ sources: {} });
  const texts: string[] = [];
  for (const { path } of filesOf(manifest.units.flatMap(({ parts }) => parts))) {
    const file = join(dir, path);
    if (path.endsWith(".jsonl")) texts.push(readFileSync(file, "utf8"));
    else
      for (const { row } of await warehouse.all(
        `select to_json(t)::varchar as row from read_parquet('${file}') as t`,
      ))
        texts.push(row as string);
  }
  warehouse.close();
  const raw = join(lake, layoutOf(manifest.project_id).raw);
  for (const { body } of manifest.raw ?? [])
    texts.push(gunzipSync(readFileSync(join(raw, rawName(body)))).toString());
  return texts.join("\n");
}
