import { ExportError, settings } from "../platform/index.js";
import { lakeTable, tableNames } from "../contract/index.js";
import type { Manifest, Unit } from "../lake/index.js";

export interface ShrinkLimits {
  /** Share of a list's elements that may disappear between two snapshots, 0 to 1. */
  readonly max: number;
  /** True publishes anyway. */
  readonly allow: boolean;
}

export const defaultShrink: ShrinkLimits = {
  max: settings.max_shrink.default,
  allow: settings.allow_shrink.default,
};

const isGuarded = ({ operation, state, parameters }: Unit) =>
  state === "complete" &&
  parameters.source === undefined &&
  tableNames.map(lakeTable).some((table) => table.operation === operation && table.mayShrink !== true);

const keyOf = ({ operation, experiment_id }: Unit) => `${operation} ${experiment_id ?? ""}`;

/** One sentence for each list that lost more elements than allowed since the previous snapshot, or all of them. */
export function shrunkenLists(previous: Manifest | null, units: readonly Unit[], { max }: ShrinkLimits): string[] {
  const complete = previous?.units.filter(isGuarded) ?? [];
  const counts = new Map(complete.map((unit) => [keyOf(unit), unit.elements]));
  return units.filter(isGuarded).flatMap((unit) => {
    const had = counts.get(keyOf(unit)) ?? 0;
    const lost = had - unit.elements;
    if (had === 0 || lost <= 0 || (unit.elements > 0 && lost <= max * had)) return [];
    const of = unit.experiment_id === null ? "" : ` of ${unit.experiment_id}`;
    return [`${unit.operation}${of} has ${unit.elements} elements, ${had} in snapshot ${previous?.snapshot ?? ""}`];
  });
}

/** @throws ExportError when a list shrank beyond the limits: a service that answers `[]` must not empty a lake. */
export function guardShrink(previous: Manifest | null, units: readonly Unit[], limits: ShrinkLimits): void {
  const [first, ...rest] = limits.allow ? [] : shrunkenLists(previous, units, limits);
  if (first === undefined) return;
  const more = rest.length === 0 ? "" : ` (and ${rest.length} more lists shrank)`;
  throw new ExportError(`${first}${more}. Nothing was published. If this is right, run again with --allow-shrink.`);
}
