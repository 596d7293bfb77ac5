import { isCount, mainField, metricKind, type Kind, type Table } from "../metrics/index.js";
import { compare } from "./compare.js";
import { type Cell, type PublishedGroup, rangesOf } from "./published/cells.js";
import { halfWidthAt, numericNoise, unrounded } from "./published/precision.js";
import type { Tolerances } from "./settings.js";

/** How decimals beyond the published ones are removed. */
export type Rounding = "nearest" | "truncate";

/** The published numbers of one result, ready for comparison with any table. */
export interface Target {
  readonly group: PublishedGroup;
  readonly kind: Kind;
  readonly tolerances: Tolerances;
  readonly cells: readonly Cell[];
  /** True if some number may have more decimals than are published. */
  readonly isRounded: boolean;
  /** Half the width of the range of each published number before rounding. */
  readonly halfWidth: Float64Array;
  /** Bits to state each number without any convention. */
  readonly bits: Float64Array;
  /** Bits to state which item a number belongs to. */
  readonly itemBits: number;
}

/** Maximum bits of one number: doubles that agree to more bits are not better evidence. */
export const maxBits = 40;
/** Bits to state that an item of a table was not published. */
const missingItemBits = 8;

export function targetOf(group: PublishedGroup, kind: Kind, tolerances: Tolerances): Target {
  const { cells } = group;
  const halfWidth = Float64Array.from(cells, ({ field, published: { value } }) => {
    if (isCount(kind, field) && Number.isInteger(value)) return 0.5;
    return halfWidthAt(group.precision[field] ?? unrounded, value) + numericNoise * Math.max(1, Math.abs(value));
  });
  const items = new Set(cells.map((cell) => cell.item)).size;
  const ranges = rangesOf(cells);
  const bits = Float64Array.from(cells, ({ field, published: { value } }, i) => {
    const { low = value, high = value, numbers = 1 } = ranges.get(field) ?? {};
    const span = items > 1 ? high - low : Math.abs(value);
    // What a column has in common is stated once, even if all its numbers are equal.
    const width = 2 * halfWidth[i]!;
    return Math.min(maxBits, Math.max(Math.log2(1 + span / width), Math.log2(1 + Math.abs(value) / width) / numbers));
  });
  const isRounded = cells.some(({ field }) => !isCount(kind, field) && group.precision[field]?.decimals !== null);
  return { group, kind, tolerances, cells, isRounded, halfWidth, bits, itemBits: Math.log2(Math.max(1, items)) };
}

/**
 * The middle of the range of a published number before rounding. A truncated number was further from zero; a published
 * zero does not show its sign, so it takes that of `own`.
 */
export function centreOf(
  { group, kind }: Target,
  { field, published: { value } }: Cell,
  rounding: Rounding,
  own: number,
): number {
  if (rounding === "nearest" || (isCount(kind, field) && Number.isInteger(own))) return value;
  return value + Math.sign(value || own) * (group.precision[field] ?? unrounded).halfWidth;
}

/** Bits to state a number: as it is, or as a difference from what a convention gives, in units of its last decimal. */
function bitsOfMiss({ bits, itemBits, halfWidth, cells }: Target, i: number, model: number): number {
  const units = Math.abs((cells[i]?.published.value ?? NaN) - model) / (2 * halfWidth[i]!);
  const asDifference = Number.isFinite(units) ? 1 + 2 * Math.log2(1 + units) : Infinity;
  return itemBits + Math.min(bits[i]!, asDifference);
}

/** How a table compares with the published numbers. */
export interface TargetFit {
  /** Indices of the cells that the table does not reproduce. */
  readonly misses: readonly number[];
  /** Items of the table that are not published. */
  readonly unpublished: readonly string[];
  /** Bits needed to state the misses one by one. */
  readonly missBits: number;
  /** Root mean square of difference over half width, of the cells that are reproduced. */
  readonly spread: number;
}

export function fitOf(target: Target, table: Table, rounding: Rounding = "nearest"): TargetFit {
  const model = modelOf(target, table);
  const hasEnds = metricKind(target.kind).intervalNoise !== undefined;
  const centres = hasEnds ? modelOf(target, table, mainField(target.kind)) : null;
  const misses: number[] = [];
  let missBits = 0;
  let squares = 0;
  target.cells.forEach((cell, i) => {
    const { field } = cell;
    const own = model[i]!;
    const precision = target.group.precision[field] ?? unrounded;
    const value = centreOf(target, cell, rounding, own);
    const reproduced =
      Number.isFinite(own) &&
      compare(target.kind, field, value, own, precision, target.tolerances, centres?.[i]).verdict !== "unexplained";
    if (reproduced) squares += ((value - own) / target.halfWidth[i]!) ** 2;
    else {
      misses.push(i);
      missBits += bitsOfMiss(target, i, own);
    }
  });
  const published = new Set(target.cells.map((cell) => cell.item));
  const main = table.columns[mainField(target.kind)];
  const isMissing = (item: string, i: number): boolean => !published.has(item) && Number.isFinite(main?.[i]);
  const unpublished = target.group.isPartial ? [] : table.items.filter(isMissing);
  missBits += missingItemBits * unpublished.length;
  return {
    misses,
    unpublished,
    missBits,
    spread: Math.sqrt(squares / Math.max(1, target.cells.length - misses.length)),
  };
}

/** The table's number for each cell, of its own field unless another is given; NaN if it has none. */
export function modelOf(target: Target, table: Table, wanted?: string): Float64Array {
  const at = new Map(table.items.map((item, i) => [item, i]));
  return Float64Array.from(
    target.cells,
    ({ item, field }) => table.columns[wanted ?? field]?.[at.get(item) ?? -1] ?? NaN,
  );
}

/** How many of `count` numbers may be wrong while the others still show how they were computed: one in five. */
export const maxOutliers = (count: number): number => Math.floor(0.2 * count);

/** The shortest decimal number in [low, high]: the one that a person would choose. */
export function simplestIn(low: number, high: number): number {
  if (low <= 0 && high >= 0) return 0;
  const middle = (low + high) / 2;
  const magnitude = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high))));
  for (let digits = 0; digits <= 17; digits++) {
    const unit = 10 ** (magnitude - digits);
    const rounded = Number((Math.round(middle / unit) * unit).toPrecision(digits + 2));
    for (const candidate of [rounded, Number((Math.ceil(low / unit) * unit).toPrecision(digits + 2))]) {
      if (candidate >= low && candidate <= high) return candidate;
    }
  }
  return middle;
}

/** Shares of a range in which to look for a simple number, widest first. */
const shares = [1, 0.25, 0.05];

/** Simple numbers near the middle of a range, the shortest first; the middle itself last. */
export function simplestWithin(low: number, high: number): number[] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [];
  const middle = (low + high) / 2;
  const simple = shares.map((share) =>
    simplestIn(middle - (share * (high - low)) / 2, middle + (share * (high - low)) / 2),
  );
  return [...new Set([...simple, middle])];
}

/** Powers of ten of the first digit that are equally likely: 0.1 to 999. */
const usualMagnitudes = [-1, 2] as const;

/** Bits to state a decimal number: its digits and the position of the point, which costs more further away. */
export function bitsOfDecimal(value: number): number {
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const digits = mantissa.replace(/[-.]/g, "").length;
  const beyond = Math.max(0, usualMagnitudes[0] - Number(exponent), Number(exponent) - usualMagnitudes[1]);
  return Math.min(53, 2 + beyond + digits * Math.log2(10));
}
