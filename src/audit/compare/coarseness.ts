import { isCount, isKind, mainField } from "../../metrics/index.js";
import { numericNoise, rangesOf, unrounded, type GroupKey, type PublishedGroup } from "../published/index.js";

/** How much the numbers of one published result can show. */
export interface ResultPrecision extends Omit<GroupKey, "experiment_name"> {
  readonly numbers: number;
  /**
   * Values of the main field, from its lowest to its highest, that the published decimals tell apart; without it, of
   * the field with the most.
   */
  readonly distinguishable: number;
}

export function precisionOfResult(group: PublishedGroup): ResultPrecision | null {
  const { experiment_id, kind, dimension, source, published_in, cells } = group;
  const main = isKind(kind) ? mainField(kind) : "";
  const ranges = [...rangesOf(cells)];
  if (ranges.length === 0) return null;
  const mains = ranges.filter(([field]) => field === main);
  const reals = ranges.filter(([field]) => !isCount(kind, field));
  const [shown] = [mains, reals, ranges].filter(({ length }) => length > 0);
  const distinguishable = Math.max(...(shown ?? []).map(([field, { low, high }]) => valuesOf(group, field, low, high)));
  return { ...{ experiment_id, kind, dimension, source, published_in }, numbers: cells.length, distinguishable };
}

function valuesOf({ kind, precision }: PublishedGroup, field: string, low: number, high: number): number {
  const noise = numericNoise * Math.max(1, Math.abs(low), Math.abs(high));
  const width = isCount(kind, field) ? 1 : 2 * (precision[field] ?? unrounded).halfWidth + noise;
  return Math.floor((high - low) / width + 1e-6) + 1;
}
