import type { DuckDBConnection } from "@duckdb/node-api";
import { located } from "../../../objects/index.js";
import { text } from "../../source-views.js";
import { StatementType } from "../api.js";

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
    set allowed_paths = [${files.map((file) => text(located(file))).join(", ")}];
    set enable_external_access = false;
    set lock_configuration = true`);
}
