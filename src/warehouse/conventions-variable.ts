import type { DuckDBConnection } from "@duckdb/node-api";
import { messageOf, UsageError } from "../platform/index.js";
import type { Conventions } from "../metrics/index.js";
import { quoted, text } from "./source-views.js";

/**
 * Puts the conventions into the variable `conventions`, a struct with the keys of the TypeScript
 * type. The engine folds it when it binds, so a branch that the convention rules out costs nothing.
 * Throws `UsageError` where the item pattern is none.
 */
export async function setConventions(connection: DuckDBConnection, conventions: Conventions): Promise<void> {
  await checkPattern(connection, conventions.item_pattern);
  await connection.run(`set variable conventions = ${literal(conventions)}`);
}

async function checkPattern(connection: DuckDBConnection, pattern: string | null): Promise<void> {
  if (pattern === null) return;
  const capturing = (names: string): Promise<unknown> =>
    connection.run(`select regexp_extract('', ${text(pattern)}, ${names})`);
  const failure = await capturing("['one']").then(() => undefined, messageOf);
  const hasTwo =
    failure === undefined &&
    (await capturing("['one', 'two']").then(
      () => true,
      () => false,
    ));
  if (failure === undefined && !hasTwo) return;
  throw new UsageError(
    `conventions.item_pattern: ${pattern} is no regular expression with one capture, such as "^[^/]+/(.+)$" ` +
      `(${failure ?? "it has more than one"}).`,
  );
}

function literal(value: unknown): string {
  if (value === null) return "cast(null as varchar)";
  if (typeof value === "number") return `cast(${value} as double)`;
  if (typeof value === "string") return text(value);
  if (typeof value === "boolean") return String(value);
  const fields = Object.entries(value as Record<string, unknown>);
  return `{${fields.map(([key, field]) => `${quoted(key)}: ${literal(field)}`).join(", ")}}`;
}
