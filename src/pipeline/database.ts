import { isOfExperiment, lakeTable, tableColumns, tableNames } from "../contract/index.js";
import type { AuditReport } from "../audit/index.js";
import type { Snapshot } from "../lake/index.js";
import { fsp, piecesOf, temporaryFile } from "../platform/index.js";
import { readColumns, text, type Warehouse, type WrittenTable } from "../warehouse/index.js";

/** The tables of a snapshot as views of recount.duckdb over its parts; what views need and the snapshot lacks is empty. */
export function lakeViews({ tables }: Snapshot): WrittenTable[] {
  return tableNames.flatMap((name) => {
    const source = tables[name];
    if (source === undefined && !(name in readColumns)) return [];
    const columns = tableColumns(name).map((column) => [column.name, column.description ?? ""]);
    const partition = isOfExperiment(name) ? { experiment_id: "Experiment." } : {};
    const described = { ...partition, ...(Object.fromEntries(columns) as Record<string, string>) };
    return [{ name, description: lakeTable(name).description, columns: described, ...(source && { source }) }];
  });
}

const verdictColumns = {
  experiment_id: ["varchar", "experiment"],
  experiment_name: ["varchar", "name of the experiment"],
  published_in: ["varchar", "list that publishes the number"],
  kind: ["varchar", "metric kind"],
  dimension: ["varchar", "rated dimension; '' if the rating has none"],
  source: ["varchar", "'' for the whole experiment, otherwise a job, or several separated by commas"],
  item: ["varchar", "item"],
  field: ["varchar", "field of the published element"],
  published: ["double", "published number. null: only recomputed"],
  recomputed: ["double", "number under the run's own conventions. null: only published"],
  difference: ["double", "published - recomputed. null: one is missing"],
  tolerance: ["double", "difference that is accepted beyond rounding. null: none is compared"],
  verdict: ["varchar", "verdict, as docs/audit.md defines it"],
  explanation: ["varchar", "explanation of the result. null: none is needed or found"],
  under_explanation: ["double", "what the explanation gives. null: there is none"],
  remaining: ["double", "published - under_explanation. null: there is no explanation"],
} as const;

/** Makes the table `published_vs_recomputed` of an audit's rows in the warehouse. */
export async function verdictTable(warehouse: Warehouse, { rows }: AuditReport): Promise<WrittenTable> {
  const columns = Object.entries(verdictColumns);
  const types = columns.map(([name, [type]]) => `${name}: '${type}'`);
  await temporaryFile("recount-verdicts", async (file) => {
    await fsp.writeFile(
      file,
      piecesOf(rows, (some) => some.map((row) => `${JSON.stringify(row)}\n`).join("")),
    );
    await warehouse.all(
      `create or replace table published_vs_recomputed as from read_json(${text(file)}, format = 'newline_delimited', columns = {${types.join(", ")}})`,
    );
  });
  return {
    name: "published_vs_recomputed",
    description: "One row: one number of an audit, published or recomputed, with its verdict",
    columns: Object.fromEntries(columns.map(([name, [, meaning]]) => [name, meaning])),
  };
}
