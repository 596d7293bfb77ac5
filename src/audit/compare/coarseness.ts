import { isCount, isKind, mainField } from "../../metrics/index.js";
import { numericNoise, unrounded, type GroupKey, type PublishedGroup } from "../published/index.js";

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
  const fields = new Set(cells.map(({ field }) => field));
  if (fields.size === 0) return null;
  const reals = [...fields].filter((field) => !isCount(kind, field));
  const shown = fields.has(main) ? [main] : reals.length > 0 ? reals : [...fields];
  const distinguishable = Math.max(...shown.map((field) => valuesOf(group, field)));
  return { ...{ experiment_id, kind, dimension, source, published_in }, numbers: cells.length, distinguishable };
}

function valuesOf({ cells, kind, precision }: PublishedGroup, field: string): number {
  const values = cells.filter((cell) => cell.field === field).map(({ published }) => published.value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const noise = numericNoise * Math.max(1, Math.abs(low), Math.abs(high));
  const width = isCount(kind, field) ? 1 : 2 * (precision[field] ?? unrounded).halfWidth + noise;
  return Math.floor((high - low) / width + 1e-6) + 1;
}
