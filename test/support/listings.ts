import type { Manifest, Snapshot } from "../../src/lake/index.js";
import { plainRows } from "./plain-duckdb.js";

interface TablesJson {
  readonly project: string;
  readonly snapshot: string;
  readonly tables: Readonly<
    Record<string, readonly { path: string; experiment_id: string | null; rows: number }[]>
  >;
}

/** What the listings of a snapshot give to tools that read no manifest. */
export interface Listed {
  readonly views: Readonly<Record<string, number>>;
  readonly json: TablesJson;
}

/** @param address of the project's folder @param before statements for the engine, such as a secret */
export async function listedBy(
  snapshot: Pick<Snapshot, "read" | "manifest">,
  address: string,
  before: readonly string[] = [],
): Promise<Listed> {
  const sql = (await snapshot.read("tables.sql")) ?? "";
  const project = `set variable project = '${address}'`;
  const views: Record<string, number> = {};
  for (const table of Object.keys(rowsIn(snapshot.manifest))) {
    const count = `select count(*)::double as n from "${table}"`;
    const [row] = await plainRows(undefined, ...before, project, sql, count);
    views[table] = Number(row?.n);
  }
  return { views, json: JSON.parse((await snapshot.read("tables.json")) ?? "") as TablesJson };
}

export function rowsIn({ units }: Manifest): Record<string, number> {
  const rows: Record<string, number> = {};
  for (const { table, rows: own } of units.flatMap(({ parts }) => parts))
    rows[table] = (rows[table] ?? 0) + own;
  return rows;
}
