import type { OperationName } from "../contract/index.js";
import { ExportError } from "../platform/index.js";
import type { Manifest, Unit } from "../lake/index.js";

export interface ShrinkLimits {
  /** Share of a list's elements that may vanish between two snapshots, 0 to 1. */
  readonly max: number;
  /** True publishes all the same. */
  readonly allow: boolean;
}

export const defaultShrink: ShrinkLimits = { max: 0.5, allow: false };

/** Lists that only grow in a study's life; webhooks and billing events come and go. */
const guarded: ReadonlySet<OperationName> = new Set<OperationName>([
  "listExperiments",
  "listJobs",
  "listRatings",
  "listSlates",
  "listSessions",
  "listRaters",
  "listResults",
]);

const keyOf = ({ operation, experiment_id }: Unit) => `${operation} ${experiment_id ?? ""}`;

/** Lists that lost more than they may against the previous snapshot, or everything; each in words. */
export function shrunken(previous: Manifest | null, units: readonly Unit[], { max }: ShrinkLimits): string[] {
  const before = new Map(
    previous?.units.filter(({ state }) => state === "complete").map((unit) => [keyOf(unit), unit.elements]),
  );
  return units
    .filter(({ operation, state }) => guarded.has(operation) && state === "complete")
    .flatMap((unit) => {
      const had = before.get(keyOf(unit)) ?? 0;
      const lost = had - unit.elements;
      if (had === 0 || lost <= 0 || (unit.elements > 0 && lost <= max * had)) return [];
      const of = unit.experiment_id === null ? "" : ` of ${unit.experiment_id}`;
      return [`${unit.operation}${of} has ${unit.elements} elements, ${had} in snapshot ${previous?.snapshot ?? ""}`];
    });
}

/** @throws ExportError when a list shrank beyond the limits: a service that answers `[]` must not empty a lake. */
export function guardShrink(previous: Manifest | null, units: readonly Unit[], limits: ShrinkLimits): void {
  const [first, ...rest] = limits.allow ? [] : shrunken(previous, units, limits);
  if (first === undefined) return;
  const more = rest.length === 0 ? "" : ` (and ${rest.length} more lists shrank)`;
  throw new ExportError(`${first}${more}. Nothing was published. If this is right, run again with --allow-shrink.`);
}
