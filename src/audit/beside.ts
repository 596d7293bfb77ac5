/** The recomputed numbers of a result; what no model has, or draws decide, only where published. */
import {
  isOfInterval,
  metricKind,
  type Conventions,
  type Kind,
  type Table,
} from "../metrics/index.js";
import type { EvaluatorOf } from "./evaluate/evaluator.js";
import { ownScenario } from "./evaluate/scenario.js";
import type { PublishedGroup } from "./published/cells.js";
import { resultKey } from "./result-key.js";
import { tableNumber } from "./target.js";

export type ValuesOf = (group: PublishedGroup, kind: Kind) => Promise<Table>;

/** `recomputed`: by the models, under the run's own conventions. */
export function valuesFrom(
  recomputed: ReadonlyMap<string, Table>,
  conventions: Conventions,
  evaluatorOf: EvaluatorOf,
): ValuesOf {
  const isDrawn = conventions.stats.interval === "bootstrap";
  return async (group, kind) => {
    const values = recomputed.get(resultKey(group)) ?? { items: [], columns: {} };
    const isBeside = (field: string): boolean =>
      Object.hasOwn(metricKind(kind).besides ?? {}, field) ||
      (isDrawn && isOfInterval(kind, field));
    if (!group.cells.some(({ field }) => isBeside(field))) return values;
    const { experiment_id, dimension, source } = group;
    const evaluator = await evaluatorOf(experiment_id);
    const table = evaluator.table(kind, ownScenario(conventions, dimension, source));
    const columns = Object.entries(table.columns).map(([field, own]) => [
      field,
      isBeside(field)
        ? own
        : Float64Array.from(table.items, (item) => tableNumber(values, item, field)),
    ]);
    return { ...table, columns: Object.fromEntries(columns) as Table["columns"] };
  };
}
