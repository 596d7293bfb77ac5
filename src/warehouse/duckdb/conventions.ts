import type { DuckDBConnection } from "@duckdb/node-api";
import { messageOf, UsageError } from "../../platform/index.js";
import type { Conventions } from "../../metrics/index.js";
import { quoted, text } from "../source-views.js";

/**
 * Defines the models' macros. `conventions()` reads a variable, which the engine folds into a constant when it binds
 * a query, so a branch that the conventions rule out costs nothing. `last_rank()` orders sessions that have no
 * service rank after all others. `finite()` turns a sum that is too large for a double into null. `item_of()` is the item
 * that a stimulus belongs to.
 */
export async function setConventions(connection: DuckDBConnection, conventions: Conventions): Promise<void> {
  await checkPattern(connection, conventions.item_pattern);
  await connection.run(`
    set variable conventions = ${literal(conventions)};
    create or replace macro conventions() as getvariable('conventions');
    create or replace macro last_rank() as 2147483647;
    create or replace macro finite(x) as case when isfinite(x) then x end;
    create or replace macro item_of(stimulus) as case
      when regexp_matches(stimulus, conventions().item_pattern)
        then regexp_extract(stimulus, conventions().item_pattern, 1)
      else stimulus
    end`);
}

async function checkPattern(connection: DuckDBConnection, pattern: string | null): Promise<void> {
  if (pattern === null) return;
  const capture = (names: string): Promise<string | null> =>
    connection.run(`select regexp_extract('', ${text(pattern)}, ${names})`).then(() => null, messageOf);
  const problem =
    (await capture("['one']")) ?? ((await capture("['one', 'two']")) === null ? "it has more than one" : null);
  if (problem === null) return;
  throw new UsageError(
    `conventions.item_pattern: ${pattern} is not a regular expression with one capture (${problem}). ` +
      'Write one such as "^[^/]+/(.+)$".',
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
