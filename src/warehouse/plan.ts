/** The order in which models run, and those behind a table. */
import type { Kernel } from "../metrics/index.js";
import { exitCodes, messageOf, RecountError } from "../platform/index.js";
import type { Model } from "./models.js";
import { readColumns } from "./parquet.js";

export class ModelError extends RecountError {
  override readonly name = "ModelError";
  constructor(file: string, cause: unknown) {
    const exitCode =
      cause instanceof RecountError && cause.exitCode === exitCodes.export
        ? exitCodes.export
        : null;
    super(`The model sql/${file} failed: ${messageOf(cause)}`, exitCode ?? exitCodes.internal, {
      cause,
    });
  }
}

/**
 * Each model after its inputs, which the headers name: asking the engine takes 250 ms.
 * @throws ModelError for an input that no model makes in time
 */
export function planModels(models: readonly Model[]): Model[] {
  const made = new Set(Object.keys(readColumns));
  const planned: Model[] = [];
  let waiting = models;
  while (waiting.length > 0) {
    const left: Model[] = [];
    for (const model of waiting) {
      if (model.reads.every((table) => made.has(table))) {
        planned.push(model);
        tablesOfModel(model).forEach((table) => made.add(table));
      } else left.push(model);
    }
    const [stuck] = left;
    if (stuck !== undefined && left.length === waiting.length) {
      const missing = stuck.reads.filter((table) => !made.has(table));
      throw new ModelError(
        stuck.file,
        new Error(`no model makes its input ${missing.join(", ")} before it.`),
      );
    }
    waiting = left;
  }
  return planned;
}

/** In running order. Unknown names are ignored. */
export function modelsBehind(plan: readonly Model[], tables: Iterable<string>): Model[] {
  const maker = new Map(
    plan.flatMap((model) => tablesOfModel(model).map((table) => [table, model] as const)),
  );
  const read = new Set<string>();
  const visit = (table: string): void => {
    const model = maker.get(table);
    if (model === undefined || read.has(table)) return;
    read.add(table);
    model.reads.forEach(visit);
  };
  for (const table of tables) visit(table);
  return plan.flatMap((model) => {
    if (!tablesOfModel(model).some((table) => read.has(table))) return [];
    if (model.kernel === null) return [model];
    const suffixes = Object.keys(kernelOf(model).tables);
    return [
      { ...model, unread: suffixes.filter((suffix) => !read.has(modelTable(model, suffix))) },
    ];
  });
}

/**
 * Checks that the rows of a lake decide, whatever the conventions: they run once, where rows come
 * in.
 * @param isRead whether the lake has a table; default: all
 */
export function rowChecks(
  plan: readonly Model[],
  isRead: (table: string) => boolean = () => true,
): Model[] {
  const isOfRows = ({ kernel, sql, reads }: Model) =>
    kernel === null &&
    !sql.includes("conventions()") &&
    reads.every((name) => !(name in readColumns) || isRead(name));
  return plan.filter(
    ({ name, severity }) => severity !== null && modelsBehind(plan, [name]).every(isOfRows),
  );
}

export function kernelOf({ file, kernel, computes }: Model): Kernel {
  if (computes === null)
    throw new ModelError(file, new Error(`there is no kernel ${kernel ?? ""}.`));
  return computes;
}

export function tablesOfModel(model: Model): string[] {
  if (model.kernel === null) return [model.name];
  return Object.keys(kernelOf(model).tables).map((suffix) => modelTable(model, suffix));
}

export function modelTable(model: Model, suffix: string): string {
  return suffix === "" ? model.name : `${model.name}_${suffix}`;
}
