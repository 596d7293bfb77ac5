import { expect } from "vitest";
import { conventionsWith, type ConventionsInput } from "../../src/metrics/conventions.js";
import {
  modelPlan,
  modelsBehind,
  recomputeModels,
  textOf,
  type Row,
  type Warehouse,
  tablesOfModel,
} from "../../src/warehouse/index.js";

/** Checks of what DuckDB and the kernels compute: a row would be a fault of theirs. */
export const soundness = ["assert_elo_sum", "assert_fits_converged", "assert_wins_balance"];

export const some = [
  "metric_elo",
  "metric_stats_clustered",
  "metric_bradley_terry",
  "audit_correctness",
];

export interface Table {
  readonly columns: unknown;
  readonly rows: readonly Row[];
}

export type Tables = Readonly<Record<string, Table>>;

/** Every table of every model, or of those behind some tables, each in the order of all its columns. The warehouse is closed. */
export async function tablesUnder(
  warehouse: Warehouse,
  input: ConventionsInput,
  behind?: string[],
): Promise<Tables> {
  try {
    const plan = behind === undefined ? await modelPlan() : modelsBehind(await modelPlan(), behind);
    const { models } = await recomputeModels(warehouse, conventionsWith(input), plan);
    // Screening needs more than what was asked for.
    expect(models.length).toBeGreaterThanOrEqual(plan.length);
    const tables: Record<string, Table> = {};
    for (const table of plan.flatMap((model) =>
      tablesOfModel(model).filter((name) => !unread(model, name)),
    )) {
      const columns = await warehouse.all(`describe ${table}`);
      const names = columns.map((row) => `"${textOf(row, "column_name")}"`).join(", ");
      tables[table] = {
        columns,
        rows: await warehouse.all(`select * from ${table} order by ${names}`),
      };
    }
    return tables;
  } finally {
    warehouse.close();
  }
}

const unread = (
  { name, unread: left = [] }: { name: string; unread?: readonly string[] },
  table: string,
) => left.some((suffix) => table === (suffix === "" ? name : `${name}_${suffix}`));

export function expectEqual(found: Tables, wanted: Tables): void {
  for (const [name, table] of Object.entries(wanted)) expect(found[name], name).toEqual(table);
}
