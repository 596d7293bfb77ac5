import { DuckDBInstance } from "@duckdb/node-api";

/** The rows of the last statement on DuckDB alone, without Recount and a setting: of a database, which is only read, or of none. */
export async function plainRows(file: string | undefined, ...statements: readonly string[]) {
  const instance = await (file === undefined
    ? DuckDBInstance.create()
    : DuckDBInstance.create(file, { access_mode: "READ_ONLY" }));
  const connection = await instance.connect();
  try {
    for (const statement of statements.slice(0, -1)) await connection.run(statement);
    return (await connection.runAndReadAll(statements.at(-1) ?? "")).getRowObjects();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
