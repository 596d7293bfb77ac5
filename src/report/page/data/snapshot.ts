import type { Manifest } from "../../../lake/index.js";
import { modelPlan, type Recomputed } from "../../../warehouse/index.js";
import type { CheckData, TableData } from "./report-data.js";
import { grouped } from "./rows.js";

/** The data checks, those with rows first. */
export async function checksOf({ checks }: Recomputed): Promise<CheckData[]> {
  const plan = await modelPlan();
  return checks
    .map(({ name, severity, rows }) => {
      const sql = plan.find((model) => model.name === name)?.sql ?? "";
      return { name, severity, rows, grain: /^-- grain: *(.+)$/m.exec(sql)?.[1] ?? "" };
    })
    .toSorted((a, b) => Number(b.rows > 0) - Number(a.rows > 0));
}

/** The tables of a snapshot, in the order of its manifest. */
export function tablesOf({ units }: Manifest): TableData[] {
  const parts = units.flatMap((unit) => unit.parts);
  const own = grouped(parts, ({ table }) => table);
  return [...new Set(parts.map(({ table }) => table))].map((table) => ({
    table,
    files: own(table).length,
    rows: sum(own(table).map(({ rows }) => rows)),
    quarantined: sum(own(table).map(({ quarantined }) => quarantined)),
    bytes: sum(own(table).map(({ bytes }) => bytes)),
  }));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
