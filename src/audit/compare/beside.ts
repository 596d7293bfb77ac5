/** The recomputed numbers of a result; what no model has, or draws decide, only where published. */
import {
  isOfInterval,
  mainField,
  metricKind,
  type Conventions,
  type Kind,
  type Table,
} from "../../metrics/index.js";
import type { EvaluatorOf } from "../recompute/evaluator.js";
import { ownScenario, shownAs } from "../recompute/scenario.js";
import { isTooFew, ownInUnit } from "./unit.js";
import type { PublishedGroup } from "../read/cells.js";
import { resultKey } from "../result.js";
import type { Tolerances } from "../judge/settings.js";
import { tableNumber, targetOf } from "./target.js";

export interface OwnNumbers {
  readonly values: Table;
  /** So few numbers that they do not show their level. */
  readonly areTooFew: boolean;
}

export const nothingOwn: OwnNumbers = { values: { items: [], columns: {} }, areTooFew: false };

export type ValuesOf = (group: PublishedGroup, kind: Kind) => Promise<OwnNumbers>;

/** `recomputed`: by the models, under the run's own conventions. */
export function valuesFrom(
  recomputed: ReadonlyMap<string, Table>,
  conventions: Conventions,
  tolerances: Tolerances,
  evaluatorOf: EvaluatorOf,
): ValuesOf {
  const isDrawn = conventions.stats.interval === "bootstrap";
  return async (group, kind) => {
    const table = await tableOf(group, kind);
    const target = targetOf(group, kind, tolerances);
    const own = ownScenario(conventions, group.dimension, group.source);
    const { unit, scenario } = ownInUnit(target, { table: () => table }, own);
    const values = shownAs(scenario, table, mainField(kind));
    return { values, areTooFew: unit !== null && isTooFew(unit) };
  };

  async function tableOf(group: PublishedGroup, kind: Kind): Promise<Table> {
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
  }
}
