/** Models as one text that DuckDB runs without Recount over the files of a lake. */
import type { Conventions } from "../metrics/index.js";
import { macrosOf } from "./duckdb/index.js";
import type { Model } from "./models.js";
import { quoted, readColumns, sourceView, type TableSource } from "./parquet.js";
import { kernelOf, modelsBehind, modelTable } from "./plan.js";
import { modelPlan, screened } from "./recompute.js";

/** Kernels are not SQL: their tables are there, without rows. */
export async function scriptOf(
  table: string,
  sources: Readonly<Record<string, TableSource>>,
  conventions: Conventions,
): Promise<string> {
  const models = await screened(modelsBehind(await modelPlan(), [table]), conventions);
  const read = Object.keys(readColumns).filter((name) =>
    models.some(({ reads }) => reads.includes(name)),
  );
  return [
    "set timezone = 'UTC';",
    macrosOf(conventions).trim(),
    ...read.map((name) => `${sourceView(name, sources[name])};`),
    ...models.map(statementsFor),
  ].join("\n\n");
}

function statementsFor(model: Model): string {
  const made = `-- sql/${model.file}`;
  if (model.kernel === null)
    return (
      `${made}\ncreate or replace ${model.stored} ${quoted(model.name)} ` +
      `as\n${model.sql.trim()};`
    );
  const tables = Object.entries(kernelOf(model).tables).map(([suffix, types]) => {
    const columns = Object.entries(types).map(([name, type]) => `${quoted(name)} ${type}`);
    return `create or replace table ${quoted(modelTable(model, suffix))} (${columns.join(", ")});`;
  });
  return [`${made}: a kernel computes its rows`, ...tables].join("\n");
}
