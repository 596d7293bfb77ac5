import { resolve } from "node:path";
import { StatementType, type DuckDBConnection, type DuckDBResultReader } from "@duckdb/node-api";
import { text } from "../source-views.js";

/** Statements that change nothing but this engine's memory. EXPLAIN ANALYZE is not one: it runs what it explains. */
const harmless = new Set<StatementType>([
  StatementType.SELECT,
  StatementType.EXPLAIN,
  StatementType.CREATE,
  StatementType.INSERT,
  StatementType.UPDATE,
  StatementType.DELETE,
  StatementType.MERGE_INTO,
  StatementType.ALTER,
  StatementType.DROP,
  StatementType.SET,
]);

/** A statement that a confined engine does not run. */
export class RefusedStatement extends Error {}

/** Refuses a text whose engine log would end the process: the engine cannot write the log's file, and aborts. */
export function refuseLogging(sql: string): void {
  if (/enable_logging/i.test(sql)) throw new RefusedStatement("enable_logging is not allowed");
}

/** Refuses a statement that reaches beyond the engine's memory. */
export function refuseOutside(type: StatementType, sql: string): void {
  if (!harmless.has(type)) throw new RefusedStatement(`${StatementType[type]} statements are not allowed`);
  if (type === StatementType.EXPLAIN && /analy[sz]e/i.test(sql))
    throw new RefusedStatement("EXPLAIN ANALYZE is not allowed");
}

/** Limits files to `files`, forbids extensions, and locks these settings. There is no way back. */
export async function confine(connection: DuckDBConnection, files: readonly string[]): Promise<void> {
  await connection.run(`
    set autoinstall_known_extensions = false;
    set autoload_known_extensions = false;
    set allowed_paths = [${files.map((file) => text(resolve(file))).join(", ")}];
    set enable_external_access = false;
    set lock_configuration = true`);
}

const unparsed = "Failed to extract statements: ";

/** The statements of `sql`. Throws the parser's message, or that there is none. */
export async function statementsOf(connection: DuckDBConnection, sql: string) {
  return connection.extractStatements(sql).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : "";
    if (message.startsWith(unparsed)) throw new Error(message.slice(unparsed.length), { cause: error });
    throw new Error("it holds no statement", { cause: error });
  });
}

/** Runs one statement after the other, each if `judge` does not throw, and returns the last one's rows. */
export async function runStatements(
  connection: DuckDBConnection,
  sql: string,
  judge: (type: StatementType, sql: string) => void,
): Promise<DuckDBResultReader> {
  const statements = await statementsOf(connection, sql);
  for (let i = 0; ; i++) {
    const statement = await statements.prepare(i);
    try {
      judge(statement.statementType, sql);
      const reader = await statement.runAndReadAll();
      if (i === statements.count - 1) return reader;
    } finally {
      statement.destroySync();
    }
  }
}
