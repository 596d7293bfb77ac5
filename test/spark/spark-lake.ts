import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { columnTypes, type TableName } from "../../src/contract/index.js";
import { openWarehouse, type TableSource } from "../../src/warehouse/index.js";

type Value = string | number | boolean | null | readonly string[];
export type LakeRow = Readonly<Record<string, Value>>;
export type LakeRows = Readonly<Partial<Record<TableName, readonly LakeRow[]>>>;

const literal = (value: Value | undefined): string =>
  value === undefined || value === null
    ? "null"
    : Array.isArray(value)
      ? `[${value.map(literal).join(", ")}]`
      : typeof value === "string"
        ? `'${value.replaceAll("'", "''")}'`
        : String(value);

export async function writeLakeTables(
  dir: string,
  rows: LakeRows,
): Promise<Record<string, TableSource>> {
  const warehouse = await openWarehouse({ sources: {}, threads: 1 });
  const sources: Record<string, TableSource> = {};
  for (const [table, all] of Object.entries(rows)) {
    const types = columnTypes(table as TableName);
    const isByExperiment =
      "experiment_id" in types && !["experiments", "leaderboards", "rubrics"].includes(table);
    const groups = new Map<string, LakeRow[]>();
    for (const row of all) {
      const folder = isByExperiment
        ? join(dir, table, `experiment_id=${String(row.experiment_id)}`)
        : join(dir, table);
      groups.set(folder, [...(groups.get(folder) ?? []), row]);
    }
    const names = Object.keys(types).filter((name) => !isByExperiment || name !== "experiment_id");
    const files: string[] = [];
    for (const [folder, own] of groups) {
      mkdirSync(folder, { recursive: true });
      const values = own.map((row) => `(${names.map((name) => literal(row[name])).join(", ")})`);
      const typed = names.map((name, i) => `cast(col${i} as ${types[name] ?? ""}) as "${name}"`);
      const file = join(folder, "part-0.parquet");
      await warehouse.all(
        `copy (select ${typed.join(", ")} from (values ${values.join(", ")}) as t) to '${file}' (format parquet)`,
      );
      files.push(file);
    }
    sources[table] = { files, columns: types };
  }
  warehouse.close();
  return sources;
}
