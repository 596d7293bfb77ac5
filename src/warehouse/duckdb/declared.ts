import type { DuckDBConnection } from "@duckdb/node-api";
import { messageOf } from "../../platform/index.js";
import type { DeclaredTable } from "../engine.js";
import { quoted } from "../parquet.js";

/** The schema whose tables the views of declared tables read. It exists only while they are made. */
const nowhere = "recount_not_computed";

/** Lists views as tables: whether a table of the lake is stored or computed is not the reader's concern. */
const asTables = `
  create macro duckdb_tables() as table
    from system.main.duckdb_tables() union all by name
    select * rename (view_name as table_name, view_oid as table_oid) from system.main.duckdb_views() where not internal;
  create macro duckdb_views() as table from system.main.duckdb_views() where internal`;

/**
 * Lists tables with their columns without computing them: each is a view over a table that no longer exists, so that
 * whatever reads it, in any statement, fails to bind with the table's name.
 */
export async function declareTables(connection: DuckDBConnection, tables: readonly DeclaredTable[]): Promise<void> {
  const columnsOf = ({ columns }: DeclaredTable) =>
    typeof columns === "string"
      ? `as ${columns}\nlimit 0`
      : `(${Object.entries(columns)
          .map(([name, type]) => `${quoted(name)} ${type}`)
          .join(", ")})`;
  const made = tables.map((table) => `create table ${nowhere}.${quoted(table.name)} ${columnsOf(table)}`);
  const views = tables.map(({ name }) => `create view main.${quoted(name)} as from ${nowhere}.${quoted(name)}`);
  await connection.run(
    [
      `create schema ${nowhere}`,
      `set search_path = '${nowhere},main'`,
      ...made,
      ...views,
      "set search_path = 'main'",
      `drop schema ${nowhere} cascade`,
      asTables,
    ].join(";\n"),
  );
}

/** The declared table that a statement could not be bound without; null for any other error. */
function undeclaredIn(error: unknown): string | null {
  return new RegExp(`Table with name "?${nowhere}\\.(\\w+)"? does not exist`).exec(messageOf(error))?.[1] ?? null;
}

/** Runs a task that binds statements, and again whenever a declared table that it reads has been computed. */
export function binder(compute: (table: string) => Promise<void>): <T>(task: () => Promise<T>) => Promise<T> {
  const computed = new Set<string>();
  return async (task) => {
    for (;;) {
      try {
        return await task();
      } catch (error) {
        const table = undeclaredIn(error);
        if (table === null || computed.has(table)) throw error;
        computed.add(table);
        await compute(table);
      }
    }
  };
}
