import { type Clock, systemClock } from "../platform/index.js";
import type { Conventions } from "../metrics/index.js";
import { readColumnsOf, writeTable } from "./columns.js";
import { setConventions } from "./conventions-variable.js";
import { readModels } from "./models.js";
import { kernelOf, ModelError, planModels, type PlannedModel, tableOf } from "./plan.js";
import { quoted } from "./source-views.js";
import type { Warehouse } from "./warehouse.js";

export interface ModelRun {
  readonly name: string;
  /** Path within sql/. */
  readonly file: string;
  readonly stored: "view" | "table" | "kernel";
  readonly reads: readonly string[];
  /** Rows of the table; null for a view, which is not counted. */
  readonly rows: number | null;
  readonly ms: number;
  readonly kernel?: Readonly<Record<string, number>>;
}

export interface Recomputed {
  readonly models: readonly ModelRun[];
  /** Data checks and how many rows offend each. */
  readonly checks: readonly { readonly name: string; readonly rows: number }[];
}

let planned: Promise<PlannedModel[]> | undefined;

/** The models of sql/ in running order; read once a process. */
export function modelPlan(): Promise<PlannedModel[]> {
  return (planned ??= readModels().then(planModels));
}

/** Runs sql/ over the lake's tables under `conventions`. Throws `ModelError` with the file's name. */
export async function recompute(
  warehouse: Warehouse,
  conventions: Conventions,
  plan?: readonly PlannedModel[],
  clock: Clock = systemClock,
): Promise<Recomputed> {
  await setConventions(warehouse.connection, conventions);
  const models: ModelRun[] = [];
  for (const model of plan ?? (await modelPlan())) {
    const start = clock.monotonicMs();
    try {
      const done = await run(warehouse, model, conventions);
      const { name, file, reads } = model;
      const stored = model.kernel === null ? model.stored : "kernel";
      models.push({ name, file, stored, reads, ...done, ms: Math.round(clock.monotonicMs() - start) });
    } catch (error) {
      throw new ModelError(model.file, error);
    }
  }
  const checks = models
    .filter(({ file }) => file.startsWith("checks/"))
    .map(({ name, rows }) => ({ name, rows: rows ?? 0 }));
  return { models, checks };
}

async function run(
  { connection }: Warehouse,
  model: PlannedModel,
  conventions: Conventions,
): Promise<Pick<ModelRun, "rows" | "kernel">> {
  if (model.kernel === null) {
    await connection.run(`create or replace ${model.stored} ${quoted(model.name)} as ${model.sql}`);
    if (model.stored === "view") return { rows: null };
    const count = await connection.runAndReadAll(`select count(*) from ${quoted(model.name)}`);
    return { rows: Number(count.value(0, 0)) };
  }
  const { rows: inputRows, columns } = await readColumnsOf(connection, model.sql);
  const kernel = kernelOf(model);
  const { tables, info } = kernel.run(columns, inputRows, conventions);
  let rows = 0;
  for (const [suffix, types] of Object.entries(kernel.tables)) {
    const written = await writeTable(connection, tableOf(model, suffix), types, tables[suffix] ?? {});
    if (suffix === "") rows = written;
  }
  return { rows, kernel: { input_rows: inputRows, ...info } };
}
