/** The published numbers of one result, and how the numbers of a table fit them. */
import { isCount, isOfInterval, mainField, type Kind, type Table } from "../metrics/index.js";
import { sumOf } from "../platform/index.js";
import { compare, withoutBaseline } from "./compare.js";
import { type Cell, type PublishedGroup, rangesOf } from "./published/cells.js";
import { halfWidthAt, numericNoise, unrounded } from "./published/precision.js";
import type { Tolerances } from "./settings.js";

/** How decimals beyond the published ones are removed. */
export type Rounding = "nearest" | "truncate";

export interface Target {
  readonly group: PublishedGroup;
  readonly kind: Kind;
  readonly tolerances: Tolerances;
  readonly cells: readonly Cell[];
  /** Some number may have more decimals than are published. */
  readonly isRounded: boolean;
  /** Some number is of an interval. */
  readonly hasEnds: boolean;
  /** Half the width of each number's range before rounding. */
  readonly halfWidth: Float64Array;
  /** Bits to state each number without any convention. */
  readonly bits: Float64Array;
  readonly itemBits: number;
}

/** Maximum bits of one number: doubles that agree to more bits are not better evidence. */
export const maxBits = 40;
const missingItemBits = 8;

export function targetOf(group: PublishedGroup, kind: Kind, tolerances: Tolerances): Target {
  const { cells } = group;
  const halfWidth = Float64Array.from(cells, ({ field, published: { value } }) => {
    if (isCount(kind, field) && Number.isInteger(value)) return 0.5;
    return (
      halfWidthAt(group.precision[field] ?? unrounded, value) +
      numericNoise * Math.max(1, Math.abs(value))
    );
  });
  const items = new Set(cells.map((cell) => cell.item)).size;
  const ranges = rangesOf(cells);
  const bits = Float64Array.from(cells, ({ field, published: { value } }, i) => {
    const { low = value, high = value, numbers = 1 } = ranges.get(field) ?? {};
    const span = items > 1 ? high - low : Math.abs(value);
    // What a column has in common is stated once, even if all its numbers are equal.
    const width = 2 * halfWidth[i]!;
    return Math.min(
      maxBits,
      Math.max(Math.log2(1 + span / width), Math.log2(1 + Math.abs(value) / width) / numbers),
    );
  });
  const isRounded = cells.some(
    ({ field }) => !isCount(kind, field) && group.precision[field]?.decimals !== null,
  );
  return {
    group,
    kind,
    tolerances,
    cells,
    isRounded,
    hasEnds: cells.some(({ field }) => isOfInterval(kind, field)),
    halfWidth,
    bits,
    itemBits: Math.log2(Math.max(1, items)),
  };
}

/** The middle of the range before rounding. A published zero takes the sign of `own`. */
export function centreOf(
  { group, kind }: Target,
  { field, published: { value } }: Cell,
  rounding: Rounding,
  own: number,
): number {
  if (rounding === "nearest" || (isCount(kind, field) && Number.isInteger(own))) return value;
  return value + Math.sign(value || own) * (group.precision[field] ?? unrounded).halfWidth;
}

/** As it is, or as a difference in units of its last decimal from what a convention gives. */
function statedBits(
  { bits, itemBits, halfWidth, cells }: Target,
  i: number,
  model: number,
): number {
  const units = Math.abs((cells[i]?.published.value ?? NaN) - model) / (2 * halfWidth[i]!);
  const asDifference = Number.isFinite(units) ? 1 + 2 * Math.log2(1 + units) : Infinity;
  return itemBits + Math.min(bits[i]!, asDifference);
}

export interface TargetFit {
  /** Indices of cells. */
  readonly misses: readonly number[];
  /** Items of the table that are not published. */
  readonly unpublished: readonly string[];
  readonly missBits: number;
  /** Root mean square of difference over half width, of the cells that are reproduced. */
  readonly spread: number;
}

/** Standard error of each cell among other draws; 0 where none decides it. */
export function noiseOf({ cells }: Target, { items, noise }: Table): Float64Array {
  const at = new Map(noise && items.map((item, i) => [item, i]));
  return Float64Array.from(cells, ({ item, field }) => noise?.[field]?.sd[at.get(item) ?? -1] ?? 0);
}

/** How far each cell may be from the table beyond its decimals: by draws, or an early stop. */
export function roomOf({ cells, kind }: Target, { items, noise, stopped }: Table): Float64Array {
  const at = new Map(items.map((item, i) => [item, i]));
  return Float64Array.from(cells, ({ item, field }) => {
    const own = at.get(item) ?? -1;
    const { sd, z = 0 } = noise?.[field] ?? {};
    const room = field === mainField(kind) && stopped ? stopped.reach[own] : z * (sd?.[own] ?? 0);
    return Number.isFinite(room) ? room! : 0;
  });
}

/** The cells of drawn fields whose sum, or that of the widths, is not that of such draws. */
function driftingIn(target: Target, table: Table, model: Float64Array): number[] {
  const { cells, halfWidth } = target;
  const { items, noise } = table;
  if (noise === undefined) return [];
  const sds = noiseOf(target, table);
  const cellsOf = (...fields: string[]): number[] =>
    cells.flatMap(({ field }, i) => (fields.includes(field) && sds[i]! > 0 ? [i] : []));
  const off = (i: number): number => cells[i]!.published.value - model[i]!;
  const isDrifting = (field: string, own: readonly number[], by: (i: number) => number) => {
    const { sum = 0, z = 0 } = noise[field] ?? {};
    const share = Math.sqrt(new Set(own.map((i) => cells[i]!.item)).size / items.length);
    const rounding = Math.hypot(...own.map((i) => halfWidth[i]!));
    return Math.abs(own.reduce((total, i) => total + by(i), 0)) > z * share * sum + rounding;
  };
  const drifting = Object.keys(noise).flatMap((field) => {
    const own = cellsOf(field);
    return isDrifting(field, own, off) ? own : [];
  });
  const ends = cellsOf("ci_low", "ci_high");
  const outwards = (i: number): number => (cells[i]!.field === "ci_low" ? -off(i) : off(i)) / 2;
  return [...drifting, ...(isDrifting("half_width", ends, outwards) ? ends : [])];
}

/** The cells of numbers at which no iteration stops, although each may be within its reach. */
function unreachedIn(target: Target, { items, stopped }: Table, model: Float64Array): number[] {
  const { cells, halfWidth, kind } = target;
  if (stopped === undefined) return [];
  const at = new Map(items.map((item, i) => [item, i]));
  const own = cells.flatMap(({ item, field }, i) =>
    field === mainField(kind) && at.has(item) ? [i] : [],
  );
  const off = own.map((i) => cells[i]!.published.value - model[i]!);
  // An item that is held moves the level of all.
  const level = sumOf(off) / off.length;
  const isStop = own.every((i) => {
    const row = at.get(cells[i]!.item)! * items.length;
    const parts = own.map((j) => stopped.gradients[row + at.get(cells[j]!.item)!]!);
    const left = sumOf(parts.map((part, j) => part * (off[j]! - level)));
    const rounding = sumOf(parts.map((part, j) => Math.abs(part) * halfWidth[own[j]!]!));
    return Math.abs(left) <= 1 + rounding;
  });
  return own.length === items.length && isStop ? [] : own;
}

export function fitOf(target: Target, table: Table, rounding: Rounding = "nearest"): TargetFit {
  const model = modelOf(target, table);
  const centres = target.hasEnds ? modelOf(target, table, mainField(target.kind)) : null;
  const rooms = roomOf(target, table);
  const isMissed = target.cells.map((cell, i) => {
    const { field } = cell;
    const own = model[i]!;
    if (!Number.isFinite(own)) return true;
    const precision = target.group.precision[field] ?? unrounded;
    const value = centreOf(target, cell, rounding, own);
    return (
      compare(target.kind, field, value, own, precision, target.tolerances, centres?.[i])
        .nearness === "apart" && Math.abs(value - own) > target.halfWidth[i]! + rooms[i]!
    );
  });
  for (const i of [...driftingIn(target, table, model), ...unreachedIn(target, table, model)])
    isMissed[i] = true;
  const misses: number[] = [];
  let missBits = 0;
  let squares = 0;
  target.cells.forEach((cell, i) => {
    const own = model[i]!;
    const value = centreOf(target, cell, rounding, own);
    if (isMissed[i] === true) {
      misses.push(i);
      missBits += statedBits(target, i, own);
      return;
    }
    squares += ((value - own) / target.halfWidth[i]!) ** 2;
  });
  const published = new Set(target.cells.map((cell) => cell.item));
  const main = table.columns[mainField(target.kind)];
  const isMissing = (item: string, i: number): boolean =>
    !published.has(item) && Number.isFinite(main?.[i]);
  const absent = target.group.isPartial ? [] : table.items.filter(isMissing);
  const n = table.columns.n;
  const unpublished = withoutBaseline(target.kind, absent, table.items, (_, i) => n?.[i]);
  missBits += missingItemBits * unpublished.length;
  return {
    misses,
    unpublished,
    missBits,
    spread: Math.sqrt(squares / Math.max(1, target.cells.length - misses.length)),
  };
}

/** By cell, of its own field or of `wanted`; NaN if the table has none. */
export function modelOf(target: Target, table: Table, wanted?: string): Float64Array {
  const at = new Map(table.items.map((item, i) => [item, i]));
  return Float64Array.from(
    target.cells,
    ({ item, field }) => table.columns[wanted ?? field]?.[at.get(item) ?? -1] ?? NaN,
  );
}

/** One number in five may be wrong. */
export const maxOutliers = (count: number): number => Math.floor(0.2 * count);

/** Powers of ten of the first digit that are equally likely: 0.1 to 999. */
const usualMagnitudes = [-1, 2] as const;

/** Bits of the digits and of the position of the point, which costs more further away. */
export function bitsOfDecimal(value: number): number {
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const digits = mantissa.replace(/[-.]/g, "").length;
  const beyond = Math.max(
    0,
    usualMagnitudes[0] - Number(exponent),
    Number(exponent) - usualMagnitudes[1],
  );
  return Math.min(53, 2 + beyond + digits * Math.log2(10));
}
