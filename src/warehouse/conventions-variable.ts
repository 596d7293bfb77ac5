import type { DuckDBConnection } from "@duckdb/node-api";
import type { Conventions } from "../metrics/conventions.js";
import { quoted, text } from "./source-views.js";

/**
 * Puts the conventions into the variable `conventions`, a struct with the keys of the TypeScript
 * type. The engine folds it when it binds, so a branch that the convention rules out costs nothing.
 */
export async function setConventions(connection: DuckDBConnection, conventions: Conventions): Promise<void> {
  await connection.run(`set variable conventions = ${literal(conventions)}`);
}

function literal(value: unknown): string {
  if (value === null) return "cast(null as varchar)";
  if (typeof value === "number") return `cast(${value} as double)`;
  if (typeof value === "string") return text(value);
  if (typeof value === "boolean") return String(value);
  const fields = Object.entries(value as Record<string, unknown>);
  return `{${fields.map(([key, field]) => `${quoted(key)}: ${literal(field)}`).join(", ")}}`;
}
