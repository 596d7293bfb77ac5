import { messageOf, RecountError, exitCodes } from "../platform/index.js";
import { kernels } from "./kernels/index.js";
import type { Kernel } from "./kernels/kernel.js";
import type { Model } from "./models.js";
import { readColumns } from "./read-columns.js";

/** A model and the tables that it reads, as its header says. */
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
 * The models in an order in which each finds what it reads. The headers say what that is, and a test holds them
 * against the engine: asking the engine itself would cost every command a quarter of a second.
 */
export function planModels(models: readonly Model[]): PlannedModel[] {
  const made = new Set(Object.keys(readColumns));
  const planned: PlannedModel[] = [];
  let waiting = models;
  while (waiting.length > 0) {
    const left: Model[] = [];
    for (const model of waiting) {
      const reads = (model.header["inputs"] ?? "").split(", ").toSorted();
      if (!reads.every((table) => made.has(table))) {
        left.push(model);
        continue;
      }
      planned.push({ ...model, reads });
      tablesOf(model).forEach((table) => made.add(table));
    }
    const [stuck] = left;
    if (stuck !== undefined && left.length === waiting.length) {
      throw new ModelError(
        stuck.file,
        new Error(`of its inputs, ${stuck.header["inputs"] ?? ""}, not all can be made before it.`),
      );
    }
    waiting = left;
  }
  return planned;
}

/** The models that make `tables` and all that those read, in running order. Other names are passed over. */
export function modelsBehind(plan: readonly PlannedModel[], tables: Iterable<string>): PlannedModel[] {
  const maker = new Map(plan.flatMap((model) => tablesOf(model).map((table) => [table, model] as const)));
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

export function kernelOf(model: Model): Kernel {
  const kernel = kernels[model.kernel ?? ""];
  if (kernel === undefined) throw new ModelError(model.file, new Error(`no kernel is called ${model.kernel ?? ""}.`));
  return kernel;
}

function tablesOf(model: Model): string[] {
  return model.kernel === null
    ? [model.name]
    : Object.keys(kernelOf(model).tables).map((suffix) => tableOf(model, suffix));
}

export function tableOf(model: Model, suffix: string): string {
  return suffix === "" ? model.name : `${model.name}_${suffix}`;
}
