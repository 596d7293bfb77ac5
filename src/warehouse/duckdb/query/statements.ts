import type { DuckDBConnection, DuckDBPreparedStatement, StatementType } from "@duckdb/node-api";

const unparsed = "Failed to extract statements: ";

/** The statements of `sql`. Throws the parser's message, or that there is none. */
export async function statementsOf(connection: DuckDBConnection, sql: string) {
  return connection.extractStatements(sql).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : "";
    if (message.startsWith(unparsed)) throw new Error(message.slice(unparsed.length), { cause: error });
    throw new Error("it holds no statement", { cause: error });
  });
}

/** What a statement goes through. */
export interface Guard {
  /** Throws for a statement that must not run. */
  readonly judge: (type: StatementType, sql: string) => void;
  /** Runs a task that binds a statement, again once a table that it misses is there. */
  readonly bind: <T>(task: () => Promise<T>) => Promise<T>;
}

/** Runs one statement after the other, the last one with `last`, whose result is returned. */
export async function runStatements<T>(
  connection: DuckDBConnection,
  sql: string,
  { judge, bind }: Guard,
  last: (statement: DuckDBPreparedStatement) => Promise<T>,
): Promise<T> {
  let statements = await statementsOf(connection, sql);
  let isUsed = false;
  for (let i = 0; ; i++) {
    const statement = await bind(async () => {
      // A statement can be prepared only once, whether it binds or not.
      if (isUsed) statements = await statementsOf(connection, sql);
      isUsed = true;
      return statements.prepare(i);
    });
    isUsed = false;
    try {
      judge(statement.statementType, sql);
      if (i === statements.count - 1) return await last(statement);
      await statement.run();
    } finally {
      statement.destroySync();
    }
  }
}
