import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { defaultConventions, sourcesQuery } from "../../src/metrics/index.js";
import { quoted, type Model } from "../../src/warehouse/index.js";
import { setConventions } from "../../src/warehouse/duckdb/warehouse.js";
import { kernelOf, modelTable } from "../../src/warehouse/plan.js";
import { readColumns } from "../../src/warehouse/parquet.js";

export interface BoundModel {
  readonly name: string;
  readonly reads: readonly string[];
}

/** The order in which models bind in a warehouse without rows, and the tables that the engine says each one reads. */
export async function engineOrder(models: readonly Model[]): Promise<BoundModel[]> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  await connection.run("set enable_view_dependencies = true");
  // Tables rather than views: the engine also records what a view reads.
  for (const [table, columns] of Object.entries(readColumns))
    await createEmpty(connection, table, columns);
  await setConventions(connection, defaultConventions);
  const bound: BoundModel[] = [];
  let waiting = models;
  while (waiting.length > 0) {
    const left: Model[] = [];
    for (const model of waiting) {
      const isBySource = model.kernel !== null && kernelOf(model).isBySource === true;
      const query = isBySource ? `select * from (${model.sql}), (${sourcesQuery})` : model.sql;
      const isBound = await connection.run(`create view ${quoted(model.name)} as ${query}`).then(
        () => true,
        () => false,
      );
      if (isBound) bound.push({ name: model.name, reads: await readsOf(connection, model) });
      else left.push(model);
    }
    if (left.length === waiting.length)
      throw new Error(`${left.map(({ name }) => name).join()} do not bind`);
    waiting = left;
  }
  connection.closeSync();
  instance.closeSync();
  return bound;
}

async function createEmpty(
  connection: DuckDBConnection,
  table: string,
  columns: Readonly<Record<string, string>>,
): Promise<void> {
  const fields = Object.entries(columns).map(([column, type]) => `${quoted(column)} ${type}`);
  await connection.run(`create table ${quoted(table)} (${fields.join(", ")})`);
}

/** The tables that a bound model reads, as the engine recorded them. Then replaces the model with an empty table. */
async function readsOf(connection: DuckDBConnection, model: Model): Promise<string[]> {
  const name = quoted(model.name);
  const reader = await connection.runAndReadAll(`
    select table_name from duckdb_dependencies()
    join duckdb_tables() on table_oid = objid
    order by table_name`);
  const reads = reader.getColumns()[0] as string[];
  if (model.kernel === null) {
    await connection.run(`create temp table bound as from ${name} limit 0; drop view ${name};
      create table ${name} as from bound; drop table bound`);
    return reads;
  }
  await connection.run(`drop view ${name}`);
  for (const [suffix, columns] of Object.entries(kernelOf(model).tables))
    await createEmpty(connection, modelTable(model, suffix), columns);
  return reads;
}
