import { isCount, isKind, mainField } from "../../metrics/index.js";
import { numericNoise, unrounded, type GroupKey, type PublishedGroup } from "../published/index.js";

/** How much the numbers of one published result can show. */
export interface ResultPrecision extends Omit<GroupKey, "experiment_name"> {
  readonly numbers: number;
  /** Values of the main field, from its lowest to its highest, that the published decimals tell apart. */
  readonly distinguishable: number;
}

/** Below this, a wrong number is often rounded to the right one. */
export const fewValues = 10;

export function precisionOfResult(group: PublishedGroup): ResultPrecision | null {
  const { experiment_id, kind, dimension, source, published_in, cells, precision } = group;
  const field = isKind(kind) ? mainField(kind) : "";
  const values = cells.filter((cell) => cell.field === field).map(({ published }) => published.value);
  if (values.length === 0) return null;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const noise = numericNoise * Math.max(1, Math.abs(low), Math.abs(high));
  const width = isCount(kind, field) ? 1 : 2 * (precision[field] ?? unrounded).halfWidth + noise;
  const distinguishable = Math.floor((high - low) / width + 1e-6) + 1;
  return { ...{ experiment_id, kind, dimension, source, published_in }, numbers: cells.length, distinguishable };
}
