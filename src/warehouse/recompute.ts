import { type Clock, systemClock } from "../platform/index.js";
import type { Conventions } from "../metrics/index.js";
import type { Engine } from "./engine.js";
import { type Model, readModels, type Severity } from "./models.js";
import { kernelOf, ModelError, planModels, tableOf } from "./plan.js";

interface ModelRun {
  readonly name: string;
  /** Path within sql/. */
  readonly file: string;
  readonly stored: "view" | "table";
  /** Rows of the table; null for a view, which is not counted. */
  readonly rows: number | null;
  readonly ms: number;
}

/** A data check and the number of rows it found; it passes with none. */
interface CheckResult {
  readonly name: string;
  readonly rows: number;
  readonly severity: Severity;
}

export interface Recomputed {
  readonly models: readonly ModelRun[];
  readonly checks: readonly CheckResult[];
}

let planned: Promise<Model[]> | undefined;

/** The models of sql/ in running order, read once per process. */
export function modelPlan(): Promise<Model[]> {
  return (planned ??= readModels().then(planModels));
}

/** Runs the models of sql/, or those of `plan`, under `conventions`. Throws `ModelError` with the file's name. */
export async function recompute(
  engine: Engine,
  conventions: Conventions,
  plan?: readonly Model[],
  clock: Clock = systemClock,
): Promise<Recomputed> {
  await engine.setConventions(conventions);
  const models: ModelRun[] = [];
  const checks: CheckResult[] = [];
  for (const model of plan ?? (await modelPlan())) {
    const { name, file, stored, sql, severity } = model;
    const start = clock.monotonicMs();
    try {
      const rows =
        model.kernel === null
          ? await engine.createModel(name, stored, sql)
          : await runKernel(engine, model, conventions);
      models.push({ name, file, stored, rows, ms: Math.round(clock.monotonicMs() - start) });
      if (severity !== null) checks.push({ name, rows: rows ?? 0, severity });
    } catch (error) {
      throw new ModelError(file, error);
    }
  }
  return { models, checks };
}

/** Writes the tables of the model's kernel that are read. Returns the rows of the model's own. */
async function runKernel(engine: Engine, model: Model, conventions: Conventions): Promise<number> {
  const kernel = kernelOf(model);
  const columns = await engine.columns(model.sql);
  const tables = kernel.run(columns, conventions, model.unread);
  let rows = 0;
  for (const [suffix, types] of Object.entries(kernel.tables)) {
    if (model.unread?.includes(suffix)) continue;
    const written = await engine.writeTable(tableOf(model, suffix), types, tables[suffix] ?? {});
    if (suffix === "") rows = written;
  }
  return rows;
}
