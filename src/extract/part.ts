import { join } from "node:path";
import { lakeTable, secretFields, type TableName } from "../contract/index.js";
import { digestOf, partPath, type Part } from "../lake/index.js";
import { convert, type ConvertSource } from "./convert.js";
import type { ExportRun } from "./run.js";
import { orderColumns } from "./scan/shape.js";

/** Columns by which a part is in order; rows equal in them keep the order of the service's list. */
const sortKeys: Partial<Record<TableName, readonly string[]>> = {
  ...Object.fromEntries(Object.entries(orderColumns).map(([table, column]) => [table, [column]])),
  sessions: ["id"],
  raters: ["id"],
  results: ["kind", "dimension", "source"],
  jobs: ["id"],
};

export interface PartOf {
  readonly table: TableName;
  readonly experimentId?: string;
  /** File name within the table's folder, `part-0` by default. */
  readonly name?: string;
}

/** Converts spooled bodies into one part of the snapshot under way. */
export async function makePart(
  run: ExportRun,
  source: ConvertSource,
  { table, experimentId, name }: PartOf,
): Promise<Part> {
  const path = partPath(table, experimentId ?? null, name);
  const quarantine = `quarantine/${path.replace(/\.parquet$/, ".jsonl")}`;
  const target = {
    table,
    file: join(run.staged, path),
    quarantine: join(run.staged, quarantine),
    secrets: secretFields(lakeTable(table).record),
    sort: sortKeys[table] ?? [],
  };
  const done = await run.converters.use((warehouse) => convert(warehouse, source, target));
  const odd = done.quarantined > 0;
  const before = run.before.part(path);
  if (!odd && before?.sha256 === done.sha256 && (await run.before.isSound([before])))
    await run.before.link([before], run.staged);
  return {
    table,
    path,
    ...done,
    quarantine: odd ? quarantine : null,
    quarantine_sha256: odd ? (await digestOf(target.quarantine)).sha256 : null,
  };
}
