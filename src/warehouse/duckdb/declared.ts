/** Tables that are listed with their columns and computed when a statement reads them. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { messageOf } from "../../platform/index.js";
import type { DeclaredTable, DeclaredTables } from "../engine.js";
import { quoted } from "../parquet.js";

const nowhere = "recount_not_computed";

const asTables = `
  create macro duckdb_tables() as table
    from system.main.duckdb_tables() union all by name
    select * rename (view_name as table_name, view_oid as table_oid)
    from system.main.duckdb_views() where not internal;
  create macro duckdb_views() as table from system.main.duckdb_views() where internal`;

export type Bind = <T>(sql: string, task: () => Promise<T>) => Promise<T>;

/**
 * A declared table is a view over a table that does not exist: whatever reads it fails to bind with
 * the table's name, which is then computed, and the task runs again. Binding all of them takes
 * longer than most queries: only those within reach of the statement are listed.
 */
export async function declareTables(
  connection: DuckDBConnection,
  tables: DeclaredTables,
): Promise<Bind> {
  await connection.run(asTables);
  const listed = new Set<string>();
  const computed = new Set<string>();
  const list = async (sql: string | null): Promise<boolean> => {
    const missing = tables.reachable(sql).filter(({ name }) => !listed.has(name));
    if (missing.length === 0) return false;
    missing.forEach(({ name }) => listed.add(name));
    const all = tables.reachable(null).filter(({ name }) => listed.has(name));
    await connection.run(
      [
        `create schema ${nowhere}`,
        ...all.flatMap((table) => [
          `create table ${nowhere}.${quoted(table.name)} ${declaredColumns(table)}`,
          ...(missing.some(({ name }) => name === table.name)
            ? [`create view main.${quoted(table.name)} as from ${nowhere}.${quoted(table.name)}`]
            : []),
        ]),
        `drop schema ${nowhere} cascade`,
      ].join(";\n"),
    );
    return true;
  };
  return async (sql, task) => {
    await list(sql);
    for (;;) {
      try {
        return await task();
      } catch (error) {
        const table = undeclaredIn(error);
        if (table !== null && !computed.has(table)) {
          computed.add(table);
          await tables.compute(table);
        } else if (!isMissing(error) || !(await list(null))) throw error;
      }
    }
  };
}

function declaredColumns({ columns }: DeclaredTable): string {
  if (typeof columns === "string") return `as ${columns}\nlimit 0`;
  const types = Object.entries(columns).map(([name, type]) => `${quoted(name)} ${type}`);
  return `(${types.join(", ")})`;
}

const isMissing = (error: unknown) => /Table with name .* does not exist/.test(messageOf(error));

function undeclaredIn(error: unknown): string | null {
  return (
    new RegExp(`Table with name "?${nowhere}\\.(\\w+)"? does not exist`).exec(
      messageOf(error),
    )?.[1] ?? null
  );
}
