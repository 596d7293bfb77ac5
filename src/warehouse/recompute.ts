/** Runs the models under the conventions: all in order, or some when a statement reads them. */
import { type Conventions, type KernelOutput, sourcesQuery } from "../metrics/index.js";
import {
  type Clock,
  exitCodes,
  firstFew,
  InterruptedError,
  readParquet,
  RecountError,
  systemClock,
} from "../platform/index.js";
import { type DeclaredTable, type Engine, type Row, textOf, type Warehouse } from "./engine.js";
import { isInternal, type Model, readModels, type Severity } from "./models.js";
import { quoted, type TableSource } from "./parquet.js";
import {
  kernelOf,
  ModelError,
  modelsBehind,
  planModels,
  rowChecks,
  modelTable,
  tablesOfModel,
} from "./plan.js";
import { runKernel } from "./run-kernel.js";

interface ModelRun {
  readonly name: string;
  readonly rows: number | null;
  readonly ms: number;
}

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

/** In running order, read once per process. */
export function modelPlan(): Promise<Model[]> {
  return (planned ??= readModels().then(planModels));
}

/**
 * Without the checks of rows, which ran where rows came in, and `sql/statistics/`, unless asked
 * for.
 */
export async function ordinaryModels(hasStatistics = false): Promise<Model[]> {
  const plan = await modelPlan();
  const checks = rowChecks(plan);
  const left = plan.filter((model) => !checks.includes(model));
  const isRead = (by: readonly Model[], { name }: Model) =>
    by.some(({ reads }) => reads.includes(name));
  const isOfChecks = (model: Model) =>
    isInternal(model.name) && isRead(checks, model) && !isRead(left, model);
  const statistics = hasStatistics ? [] : plan.filter(({ layer }) => layer === "statistics");
  const tables = new Set(statistics.flatMap(tablesOfModel));
  return left.filter(
    (model) =>
      !isOfChecks(model) &&
      !statistics.includes(model) &&
      !model.reads.some((table) => tables.has(table)),
  );
}

/** With screening, what the metrics count depends on statistics. */
export async function screened(
  models: readonly Model[],
  { screen }: Conventions,
): Promise<readonly Model[]> {
  const isEmpty = (model: Model) =>
    model.name === "key_screened" && !model.reads.includes("key_screened_by_rule");
  if (screen === null || !models.some(isEmpty)) return models;
  const plan = (await modelPlan()).map((model) =>
    isEmpty(model)
      ? {
          ...model,
          reads: ["key_screened_by_rule", "key_unscreened"],
          sql: "from key_screened_by_rule",
        }
      : model,
  );
  return modelsBehind(planModels(plan), models.flatMap(tablesRead));
}

export type TakenTables = ReadonlyMap<string, readonly string[]>;

const takenOver = (models: readonly Model[], taken: TakenTables): readonly Model[] =>
  models.map((model) => {
    const files = taken.get(model.name);
    if (files === undefined || model.severity !== null) return model;
    const sql = `from ${readParquet(files)}`;
    return { ...model, kernel: null, reads: [], stored: "view", isShared: false, sql };
  });

const noTables: TakenTables = new Map();

interface Computing {
  readonly model: Model;
  readonly startedMs: number;
  readonly output: Promise<KernelOutput>;
}

/** While a slow kernel computes, models run that do not read its tables. @throws ModelError */
export async function recomputeModels(
  engine: Engine,
  conventions: Conventions,
  plan?: readonly Model[],
  clock: Clock = systemClock,
): Promise<Recomputed> {
  await engine.setConventions(conventions);
  const all = await screened(plan ?? (await ordinaryModels()), conventions);
  const slow = all.filter((model) => model.kernel !== null && kernelOf(model).slow !== undefined);
  const early = new Set(modelsBehind(all, slow.flatMap(tablesOfModel)).map(({ name }) => name));
  const waiting = [
    ...all.filter(({ name }) => early.has(name)),
    ...all.filter(({ name }) => !early.has(name)),
  ];
  const unmade = new Set(all.flatMap(tablesOfModel));
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
        ...(await namingModel(model, () => startKernel(engine, model, conventions))),
      });
    else if (model !== undefined) {
      // For two it costs more memory than it saves time, unless 1,000 files would be read twice
      // (1.3 s of CPU).
      const isHeld =
        model.isShared && readersOf(model).length > (engine.isInManyFiles === true ? 1 : 2);
      if (isHeld) held.add(model);
      const made = await namingModel(model, () =>
        engine.createModel(isHeld ? { ...model, stored: "table" } : model),
      );
      finish(model, startedMs, model.stored === "view" ? null : made);
    } else {
      const kernel = computing.shift();
      if (kernel === undefined) break;
      finish(
        kernel.model,
        kernel.startedMs,
        await namingModel(kernel.model, () => writeModelOutput(engine, kernel)),
      );
    }
  }
  const checks = all.flatMap((model) =>
    model.severity === null
      ? []
      : [{ name: model.name, rows: runs.get(model)?.rows ?? 0, severity: model.severity }],
  );
  return { models: all.flatMap((model) => runs.get(model) ?? []), checks };

  function finish(model: Model, startedMs: number, rows: number | null): void {
    tablesOfModel(model).forEach((table) => unmade.delete(table));
    const ms = Math.round(clock.monotonicMs() - startedMs);
    runs.set(model, { name: model.name, rows, ms });
  }
}

async function namingModel<T>(model: Model, work: () => Promise<T>): Promise<T> {
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
): Promise<Pick<Computing, "output">> {
  const kernel = kernelOf(model);
  const input = await engine.columns(model);
  const sources = kernel.isBySource === true ? await engine.columns(sourcesQuery) : undefined;
  await engine.release();
  const { unread = [] } = model;
  const output = runKernel(kernel, {
    name: model.kernel ?? "",
    input,
    conventions,
    unread,
    sources,
  });
  output.catch(() => undefined); // its turn to throw is when it is written
  return { output };
}

/** Only tables that are read. Returns the rows of the model's own. */
async function writeModelOutput(engine: Engine, { model, output }: Computing): Promise<number> {
  const tables = await output;
  let rows = 0;
  for (const [suffix, types] of Object.entries(kernelOf(model).tables)) {
    if (model.unread?.includes(suffix)) continue;
    const written = await engine.writeTable(modelTable(model, suffix), types, tables[suffix] ?? {});
    if (suffix === "") rows = written;
  }
  return rows;
}

export type MakeModels = (
  tables: Iterable<string>,
  before?: (names: readonly string[]) => Promise<void>,
) => Promise<Recomputed>;

/** Experiments of a snapshot that are computed together. */
interface Batch {
  /** Others are computed later, or were before. */
  readonly isPartial: boolean;
  /** What screening can do in all batches so far. */
  readonly screening: Row[];
  /** Models that the engine has already. */
  readonly shared: readonly string[];
}

/** @throws RecountError unless screening reaches each scale, and some of a whole snapshot */
async function checkScreen(
  warehouse: Warehouse,
  { screen }: Conventions,
  { screening, isPartial }: Batch,
): Promise<void> {
  const found = await warehouse.all(
    "from key_unscreened where rule = conventions().screen order by all",
  );
  screening.push(...found);
  const acts = isPartial || screening.some(({ reason }) => reason === null);
  const unreached = screening.filter((row) => row.reason !== null && (row.has_scale || !acts));
  if (unreached.length === 0) return;
  const each = unreached.map((row) => {
    const dimension = textOf(row, "dimension");
    const of = dimension === "" ? "" : `, dimension ${dimension}`;
    return `${textOf(row, "experiment_id")}${of}: ${textOf(row, "reason")}`;
  });
  throw new RecountError(
    `conventions.screen: ${screen ?? ""} cannot act on ${firstFew(each, 3)}. ` +
      "Correct that, or leave screen out.",
    exitCodes.inconclusive,
  );
}

export async function modelsOnDemand(
  warehouse: Warehouse,
  conventions: Conventions,
  taken = noTables,
  batch: Batch = { isPartial: false, screening: [], shared: [] },
): Promise<MakeModels> {
  const plan = takenOver(await screened(await modelPlan(), conventions), taken);
  const made = new Set(batch.shared);
  return async (tables, before) => {
    const missing = modelsBehind(plan, tables).flatMap(
      (model) => withoutMissing(made, model) ?? [],
    );
    const names = missing.flatMap(tablesRead);
    await before?.(names);
    const recomputed = await recomputeModels(warehouse, conventions, missing);
    if (conventions.screen !== null && names.includes("key_unscreened"))
      await checkScreen(warehouse, conventions, batch);
    names.forEach((name) => made.add(name));
    return recomputed;
  };
}

/** An engine, and what makes models in it. */
export interface Computation {
  readonly warehouse: Warehouse;
  readonly make: MakeModels;
}

/** Made of all published numbers, any of which may be of any experiment. */
export const sharedModels = ["int_named_sets", "int_stated_directions", "int_published_ranks"];

interface Batches<G> {
  readonly groups: readonly G[];
  /** Other experiments are not wanted, or were computed. */
  readonly batches: readonly (readonly G[])[];
  readonly tablesOf: (experiments: ReadonlySet<string>) => Readonly<Record<string, TableSource>>;
  /** A file of a table for each group. */
  readonly taken?: TakenTables | undefined;
  readonly conventions: Conventions;
}

/** The engine over some experiments after the other, in the end over all. */
export async function* inBatches<G extends { readonly experiments: readonly string[] }>(
  all: Computation,
  { groups, batches, tablesOf, taken = noTables, conventions }: Batches<G>,
): AsyncGenerator<Computation & { batch: readonly G[]; isIn: (experiment: string) => boolean }> {
  await all.make(sharedModels);
  const idsOf = (some: readonly G[]) => new Set(some.flatMap((group) => group.experiments));
  const known = idsOf(groups);
  const left = idsOf(batches.flat()).size < known.size;
  const screening: Row[] = [];
  for (const batch of batches) {
    const experiments = idsOf(batch);
    // Numbers may be of experiments that the snapshot lacks.
    const isIn = (id: string) => experiments.has(id) || (batch === batches[0] && !known.has(id));
    if (experiments.size === known.size) yield { ...all, batch, isIn };
    else {
      const warehouse = await all.warehouse.over(tablesOf(experiments));
      const isOwn = (_: string, i: number) =>
        groups[i]!.experiments.some((id) => experiments.has(id));
      const own = new Map([...taken].map(([name, files]) => [name, files.filter(isOwn)]));
      const make = await modelsOnDemand(warehouse, conventions, own, {
        isPartial: left || batch !== batches.at(-1),
        screening,
        shared: sharedModels,
      });
      yield { warehouse, make, batch, isIn };
    }
  }
  if (left || batches.length > 1) await all.warehouse.over(null);
}

export async function tablesReadBy(sql: string, conventions: Conventions): Promise<string[]> {
  const words = wordsInSql(sql);
  const plan = await screened(await modelPlan(), conventions);
  return [...words, ...modelsBehind(plan, words).flatMap(({ reads }) => reads)];
}

/** A table that no model makes. `compute` creates it. */
export interface ComputedTable extends DeclaredTable {
  readonly compute: () => Promise<void>;
}

/** Lists every model, and computes one, with what it reads, when a statement reads it. */
export async function declareModels(
  warehouse: Warehouse,
  conventions: Conventions,
  others: readonly ComputedTable[] = [],
  taken = noTables,
): Promise<void> {
  const plan = takenOver(await screened(await modelPlan(), conventions), taken);
  const make = await modelsOnDemand(warehouse, conventions, taken);
  await warehouse.setConventions(conventions);
  await warehouse.declare({
    reachable: (sql) => {
      if (sql === null || catalogQuery.test(sql))
        return [...others, ...plan.flatMap(declaredTables)];
      const words = wordsInSql(sql);
      return [
        ...modelsBehind(plan, words).flatMap(declaredTables),
        ...others.filter(({ name }) => words.includes(name)),
      ];
    },
    async compute(table) {
      const read = modelsBehind(plan, [table]).flatMap(({ reads }) => reads);
      const other = others.find(({ name }) => name === table || read.includes(name));
      if (other !== undefined) {
        await warehouse.all(`drop view ${quoted(table)}`);
        return other.compute();
      }
      await make([table], async (names) => {
        for (const name of names) await warehouse.all(`drop view ${quoted(name)}`);
      });
    },
  });
}

const catalogQuery =
  /\b(?:show|describe|desc|pragma|duckdb_\w+|information_schema|pg_\w+|sqlite_\w+)\b/i;

const wordsInSql = (sql: string): readonly string[] => sql.toLowerCase().match(/\w+/g) ?? [];

const suffixesOf = (model: Model) =>
  model.kernel === null ? [""] : Object.keys(kernelOf(model).tables);

const tablesRead = (model: Model) =>
  suffixesOf(model)
    .filter((suffix) => !model.unread?.includes(suffix))
    .map((suffix) => modelTable(model, suffix));

/** Null if no table is read that is not made. */
function withoutMissing(made: ReadonlySet<string>, model: Model): Model | null {
  if (!tablesRead(model).some((table) => !made.has(table))) return null;
  return {
    ...model,
    unread: suffixesOf(model).filter(
      (suffix) => model.unread?.includes(suffix) || made.has(modelTable(model, suffix)),
    ),
  };
}

function declaredTables(model: Model): DeclaredTable[] {
  if (model.kernel === null) return [{ name: model.name, columns: model.sql }];
  return Object.entries(kernelOf(model).tables).map(([suffix, columns]) => ({
    name: modelTable(model, suffix),
    columns,
  }));
}
