import { type Conventions, type KernelOutput, type KeptResults, sourcesQuery } from "../metrics/index.js";
import { type Clock, InterruptedError, systemClock } from "../platform/index.js";
import type { DeclaredTable, Engine, Warehouse } from "./engine.js";
import { type KeptFolder, readKept, writeKept } from "./kept-results.js";
import { isInternal, type Model, readModels, type Severity } from "./models.js";
import { quoted } from "./parquet.js";
import { kernelOf, ModelError, modelsBehind, planModels, rowChecks, tableOf, tablesOf } from "./plan.js";
import { runKernel } from "./run-kernel.js";

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
export interface CheckResult {
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

/**
 * The models that a run computes: all but the checks of rows, which ran where the rows came in, and those of `sql/statistics/`
 * with their checks, unless someone asks for them.
 */
export async function ordinaryModels(hasStatistics = false): Promise<Model[]> {
  const plan = await modelPlan();
  const checks = rowChecks(plan);
  const left = plan.filter((model) => !checks.includes(model));
  const isRead = (by: readonly Model[], { name }: Model) => by.some(({ reads }) => reads.includes(name));
  const isOfChecks = (model: Model) => isInternal(model.name) && isRead(checks, model) && !isRead(left, model);
  const statistics = hasStatistics ? [] : plan.filter(({ layer }) => layer === "statistics");
  const tables = new Set(statistics.flatMap(tablesOf));
  return left.filter(
    (model) => !isOfChecks(model) && !statistics.includes(model) && !model.reads.some((table) => tables.has(table)),
  );
}

/**
 * The models, or those of another plan, as they are under a convention: with screening, what the metrics count depends on statistics.
 */
async function screened(models: readonly Model[], { screen }: Conventions): Promise<readonly Model[]> {
  const isEmpty = (model: Model) => model.name === "key_screened" && !model.reads.includes("key_screened_by_rule");
  if (screen === null || !models.some(isEmpty)) return models;
  const plan = (await modelPlan()).map((model) =>
    isEmpty(model) ? { ...model, reads: ["key_screened_by_rule"], sql: "from key_screened_by_rule" } : model,
  );
  return modelsBehind(planModels(plan), models.flatMap(tablesRead));
}

/** A kernel that computes, or whose output is not written yet. */
interface Computing {
  readonly model: Model;
  readonly startedMs: number;
  readonly output: Promise<KernelOutput>;
  readonly kept: KeptResults | undefined;
}

export interface RecomputeOptions {
  readonly clock?: Clock;
  /** Takes results of kernels that were computed before from a folder, and keeps them there; by default computes all. */
  readonly kept?: KeptFolder | undefined;
}

/**
 * Runs the ordinary models of sql/, or those of `plan`, under `conventions`. While a slow kernel computes, those run that do not
 * read its tables. Throws `ModelError` with the file's name.
 */
export async function recompute(
  engine: Engine,
  conventions: Conventions,
  plan?: readonly Model[],
  { clock = systemClock, kept }: RecomputeOptions = {},
): Promise<Recomputed> {
  await engine.setConventions(conventions);
  const all = await screened(plan ?? (await ordinaryModels()), conventions);
  // What slow kernels read is made first, so that they compute beside everything else.
  const slow = all.filter((model) => model.kernel !== null && kernelOf(model).slow !== undefined);
  const early = new Set(modelsBehind(all, slow.flatMap(tablesOf)).map(({ name }) => name));
  const waiting = [...all.filter(({ name }) => early.has(name)), ...all.filter(({ name }) => !early.has(name))];
  const unmade = new Set(all.flatMap(tablesOf));
  const computing: Computing[] = [];
  const runs = new Map<Model, ModelRun>();
  const held = new Set<Model>();
  const readersOf = ({ name }: Model) => waiting.filter(({ reads }) => reads.includes(name));
  for (;;) {
    await engine.release();
    for (const model of held) {
      if (readersOf(model).length > 0) continue;
      held.delete(model);
      await engine.createModel(model);
    }
    const ready = waiting.findIndex(({ reads }) => !reads.some((table) => unmade.has(table)));
    const [model] = ready === -1 ? [] : waiting.splice(ready, 1);
    const startedMs = clock.monotonicMs();
    if (model !== undefined && model.kernel !== null)
      computing.push({
        model,
        startedMs,
        ...(await named(model, () => startKernel(engine, model, conventions, kept))),
      });
    else if (model !== undefined) {
      // For two it costs more memory than it saves time, unless 1,000 files would be read twice (1.3 s of CPU).
      const isHeld = model.isShared && readersOf(model).length > (engine.isInManyFiles === true ? 1 : 2);
      if (isHeld) held.add(model);
      const made = await named(model, () => engine.createModel(isHeld ? { ...model, stored: "table" } : model));
      finish(model, startedMs, model.stored === "view" ? null : made);
    } else {
      const kernel = computing.shift();
      if (kernel === undefined) break;
      finish(kernel.model, kernel.startedMs, await named(kernel.model, () => writeOutput(engine, kernel, kept)));
    }
  }
  const checks = all.flatMap((model) =>
    model.severity === null ? [] : [{ name: model.name, rows: runs.get(model)?.rows ?? 0, severity: model.severity }],
  );
  return { models: all.flatMap((model) => runs.get(model) ?? []), checks };

  function finish(model: Model, startedMs: number, rows: number | null): void {
    const { name, file, stored } = model;
    tablesOf(model).forEach((table) => unmade.delete(table));
    runs.set(model, { name, file, stored, rows, ms: Math.round(clock.monotonicMs() - startedMs) });
  }
}

/** Does the work of a model, whose file an error then names. */
async function named<T>(model: Model, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof InterruptedError ? error : new ModelError(model.file, error);
  }
}

async function startKernel(
  engine: Engine,
  model: Model,
  conventions: Conventions,
  folder: KeptFolder | undefined,
): Promise<Pick<Computing, "output" | "kept">> {
  const kernel = kernelOf(model);
  const input = await engine.columns(model);
  const sources = kernel.isBySource === true ? await engine.columns(sourcesQuery) : undefined;
  await engine.release();
  const { name, unread = [] } = model;
  const kept = folder && (await readKept(folder, name));
  const output = runKernel(kernel, { name: model.kernel ?? "", input, conventions, unread, sources, kept });
  output.catch(() => undefined); // its turn to throw is when it is written
  return { output, kept };
}

/** Writes the tables of the model's kernel that are read. Returns the rows of the model's own. */
async function writeOutput(
  engine: Engine,
  { model, output, kept }: Computing,
  folder: KeptFolder | undefined,
): Promise<number> {
  const tables = await output;
  if (folder && kept) await writeKept(folder, model.name, kept);
  let rows = 0;
  for (const [suffix, types] of Object.entries(kernelOf(model).tables)) {
    if (model.unread?.includes(suffix)) continue;
    const written = await engine.writeTable(tableOf(model, suffix), types, tables[suffix] ?? {});
    if (suffix === "") rows = written;
  }
  return rows;
}

/** A table that no model makes. `compute` creates it. */
export interface ComputedTable extends DeclaredTable {
  readonly compute: () => Promise<void>;
}

/** Lists every model in the engine, and computes one, with what it reads, when a statement reads it. */
export async function declareModels(
  warehouse: Warehouse,
  conventions: Conventions,
  others: readonly ComputedTable[] = [],
): Promise<void> {
  const plan = await screened(await modelPlan(), conventions);
  const made = new Set<string>();
  await warehouse.setConventions(conventions);
  await warehouse.declare({
    reachable: (sql) => {
      if (sql === null || listing.test(sql)) return [...plan.flatMap(declared), ...others];
      const words = wordsOf(sql);
      return [...modelsBehind(plan, words).flatMap(declared), ...others.filter(({ name }) => words.includes(name))];
    },
    async compute(table) {
      const other = others.find(({ name }) => name === table);
      if (other !== undefined) {
        await warehouse.all(`drop view ${quoted(table)}`);
        return other.compute();
      }
      const missing = modelsBehind(plan, [table]).flatMap((model) => without(made, model) ?? []);
      const names = missing.flatMap(tablesRead);
      for (const name of names) await warehouse.all(`drop view ${quoted(name)}`);
      await recompute(warehouse, conventions, missing);
      names.forEach((name) => made.add(name));
    },
  });
}

/** Statements that may list tables. */
const listing = /\b(?:show|describe|desc|pragma|duckdb_\w+|information_schema|pg_\w+|sqlite_\w+)\b/i;

/** Every name that a text may mean as a table. */
const wordsOf = (sql: string): readonly string[] => sql.toLowerCase().match(/\w+/g) ?? [];

const suffixesOf = (model: Model) => (model.kernel === null ? [""] : Object.keys(kernelOf(model).tables));

const tablesRead = (model: Model) =>
  suffixesOf(model)
    .filter((suffix) => !model.unread?.includes(suffix))
    .map((suffix) => tableOf(model, suffix));

/** A model without the tables that are made; null if no other is read. */
function without(made: ReadonlySet<string>, model: Model): Model | null {
  if (!tablesRead(model).some((table) => !made.has(table))) return null;
  return {
    ...model,
    unread: suffixesOf(model).filter((suffix) => model.unread?.includes(suffix) || made.has(tableOf(model, suffix))),
  };
}

function declared(model: Model): DeclaredTable[] {
  if (model.kernel === null) return [{ name: model.name, columns: model.sql }];
  return Object.entries(kernelOf(model).tables).map(([suffix, columns]) => ({ name: tableOf(model, suffix), columns }));
}
