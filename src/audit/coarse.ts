import { isCount, mainField, type Kind } from "../metrics/index.js";
import type { AuditRow, RecomputedValues } from "./compare.js";
import type { PublishedGroup } from "./published/cells.js";
import { equalAt, unrounded, type Precision } from "./published/precision.js";

/** A real field counts as rounded beside unrounded ones if at least this many of its numbers are. */
const fewestRounded = 2;

/**
 * Takes the precision of a field from the whole result: beside unrounded numbers, a field with few decimals is rounded
 * only if most of its numbers are. Otherwise its decimals vanish, as those of a median do, and each number is exact.
 */
export function atPrecisionOfResult(group: PublishedGroup, kind: Kind, values: RecomputedValues): PublishedGroup {
  const real = Object.entries(group.precision).filter(([field]) => !isCount(kind, field));
  if (!real.some(([, { decimals, single }]) => decimals === null && single === undefined)) return group;
  const isRounded = (wanted: string, precision: Precision): boolean => {
    let rounded = 0;
    let exact = 0;
    for (const { item, field, published } of group.cells) {
      const value = field === wanted ? values.get(item, field) : undefined;
      if (value === undefined) continue;
      if (equalAt(published.value, value, unrounded)) exact++;
      else if (equalAt(published.value, value, precision)) rounded++;
    }
    return rounded === 0 || (rounded >= fewestRounded && rounded > exact);
  };
  const vanishing = real.filter(([field, own]) => own.decimals !== null && !isRounded(field, own));
  if (vanishing.length === 0) return group;
  const precision = Object.fromEntries(vanishing.map(([field]) => [field, unrounded]));
  return { ...group, precision: { ...group.precision, ...precision } };
}

/** Numbers that agree, but whose decimals tell too few values apart for that to mean anything, are inconclusive. */
export function coarseAs(rows: readonly AuditRow[], kind: Kind, distinguishable: number, fewest: number): AuditRow[] {
  if (distinguishable >= fewest || isCount(kind, mainField(kind))) return [...rows];
  const explanation = `the published decimals tell fewer than ${fewest} values apart`;
  return rows.map((one) =>
    one.verdict === "exact" && !isCount(kind, one.field) ? { ...one, verdict: "inconclusive", explanation } : one,
  );
}
