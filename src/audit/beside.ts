/** Numbers of a result that no model has: they are computed where they are published. */
import { metricKind, type Conventions, type Kind } from "../metrics/index.js";
import type { RecomputedValues } from "./compare.js";
import type { Evaluator } from "./evaluate/evaluator.js";
import { ownScenario } from "./evaluate/scenario.js";
import type { PublishedGroup } from "./published/cells.js";

export const hasBeside = ({ cells }: PublishedGroup, kind: Kind): boolean =>
  cells.some(({ field }) => Object.hasOwn(metricKind(kind).besides ?? {}, field));

/** `values` with those that no model has, under the run's own conventions. */
export function withBeside(
  values: RecomputedValues,
  { dimension, source }: PublishedGroup,
  kind: Kind,
  conventions: Conventions,
  evaluator: Evaluator,
): RecomputedValues {
  const { besides = {} } = metricKind(kind);
  const { items, columns } = evaluator.table(kind, ownScenario(conventions, dimension, source));
  const at = new Map(items.map((item, i) => [item, i]));
  return {
    items: values.items,
    get(item, field) {
      if (!Object.hasOwn(besides, field)) return values.get(item, field);
      const value = columns[field]?.[at.get(item) ?? -1];
      return Number.isNaN(value) ? undefined : value;
    },
  };
}
