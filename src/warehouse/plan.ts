import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { defaultConventions } from "../metrics/conventions.js";
import { messageOf, RecountError, exitCodes } from "../errors.js";
import { setConventions } from "./conventions-variable.js";
import { kernels } from "./kernels/index.js";
import type { Kernel } from "./kernels/kernel.js";
import type { Model } from "./models.js";
import { readColumns } from "./read-columns.js";
import { quoted } from "./source-views.js";

/** A model and the tables that the engine says it reads. */
export interface PlannedModel extends Model {
  readonly reads: readonly string[];
}

/** A model that the engine or a kernel refused; the message names the SQL file. */
export class ModelError extends RecountError {
  override readonly name = "ModelError";
  readonly file: string;
  constructor(file: string, cause: unknown) {
    super(`The model sql/${file} failed: ${messageOf(cause)}`, exitCodes.internal, { cause });
    this.file = file;
  }
}

/**
 * The models in an order in which each finds what it reads. The engine finds the order: in a
 * warehouse without rows, a model comes next when it binds.
 */
export async function planModels(models: readonly Model[]): Promise<PlannedModel[]> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    await connection.run("set enable_view_dependencies = true");
    await createEmptyTables(connection);
    await setConventions(connection, defaultConventions);
    const planned: PlannedModel[] = [];
    let waiting: { model: Model; error: unknown }[] = models.map((model) => ({ model, error: undefined }));
    while (waiting.length > 0) {
      const left: typeof waiting = [];
      for (const { model } of waiting) {
        const error = await bind(connection, model);
        if (error !== undefined) left.push({ model, error });
        else planned.push({ ...model, reads: await readsOf(connection, model) });
      }
      if (left.length === waiting.length) throw new ModelError(firstOf(left).model.file, firstOf(left).error);
      waiting = left;
    }
    return planned;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Tables and not views: of a view the engine records what stands behind it, too. */
async function createEmptyTables(connection: DuckDBConnection): Promise<void> {
  for (const [table, columns] of Object.entries(readColumns)) await createEmpty(connection, table, columns);
}

async function createEmpty(
  connection: DuckDBConnection,
  table: string,
  columns: Readonly<Record<string, string>>,
): Promise<void> {
  const fields = Object.entries(columns).map(([column, type]) => `${quoted(column)} ${type}`);
  await connection.run(`create table ${quoted(table)} (${fields.join(", ")})`);
}

/** The models that make `tables` and all that those read, in running order. Other names are passed over. */
export function modelsBehind(plan: readonly PlannedModel[], tables: Iterable<string>): PlannedModel[] {
  const maker = new Map<string, PlannedModel>();
  for (const model of plan) {
    const suffixes = model.kernel === null ? [""] : Object.keys(kernelOf(model).tables);
    for (const suffix of suffixes) maker.set(tableOf(model, suffix), model);
  }
  const wanted = new Set<PlannedModel>();
  const visit = (table: string): void => {
    const model = maker.get(table);
    if (model === undefined || wanted.has(model)) return;
    wanted.add(model);
    model.reads.forEach(visit);
  };
  for (const table of tables) visit(table);
  return plan.filter((model) => wanted.has(model));
}

/** Binds a model as a view; undefined when it binds. */
async function bind(connection: DuckDBConnection, model: Model): Promise<unknown> {
  try {
    await connection.run(`create view ${quoted(model.name)} as ${model.sql}`);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The tables that a bound model reads, as the engine recorded them; then an empty table stands for it. */
async function readsOf(connection: DuckDBConnection, model: Model): Promise<string[]> {
  const name = quoted(model.name);
  const reader = await connection.runAndReadAll(`
    select table_name from duckdb_dependencies()
    join duckdb_tables() on table_oid = objid
    order by table_name`);
  const reads = reader.getColumns()[0] as string[];
  if (model.kernel === null) {
    await connection.run(`create temp table bound as from ${name} limit 0; drop view ${name};
      create table ${name} as from bound; drop table bound`);
    return reads;
  }
  await connection.run(`drop view ${name}`);
  for (const [suffix, columns] of Object.entries(kernelOf(model).tables)) {
    await createEmpty(connection, tableOf(model, suffix), columns);
  }
  return reads;
}

export function kernelOf(model: Model): Kernel {
  const kernel = kernels[model.kernel ?? ""];
  if (kernel === undefined) throw new ModelError(model.file, new Error(`no kernel is called ${model.kernel ?? ""}.`));
  return kernel;
}

export function tableOf(model: Model, suffix: string): string {
  return suffix === "" ? model.name : `${model.name}_${suffix}`;
}

/** The failure that is not about a table still missing, if there is one: it is the cause of the others. */
function firstOf<T extends { error: unknown }>(left: readonly T[]): T {
  const cause = left.find(({ error }) => !/does not exist/.test(messageOf(error)));
  return cause ?? (left[0] as T);
}
