/** The published numbers of one result, and how the numbers of a table fit them. */
import {
  isCount,
  isOfInterval,
  mainField,
  type GradientLeft,
  type Kind,
  type Table,
} from "../metrics/index.js";
import { groupsOf } from "../platform/index.js";
import { compare, withoutBaseline } from "./compare.js";
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
  /** True if some number is of an interval. */
  readonly hasEnds: boolean;
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

/**
 * The middle of the range of a published number before rounding. A truncated number was further
 * from zero; a published zero does not show its sign, so it takes that of `own`.
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

/**
 * Bits to state a number: as it is, or as a difference from what a convention gives, in units of
 * its last decimal.
 */
function statedBits(
  { bits, itemBits, halfWidth, cells }: Target,
  i: number,
  model: number,
): number {
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
  /** Bits that random draws leave open of the others. */
  readonly openBits: number;
  /** Root mean square of difference over half width, of the cells that are reproduced. */
  readonly spread: number;
}

/** Standard errors within which a normal number has as many bits as if all were equally likely. */
export const normalRange = Math.sqrt(2 * Math.PI * Math.E);

/** The standard error of each cell among other random draws; 0 where none decides it. */
export function noiseOf({ cells }: Target, { items, noise }: Table): Float64Array {
  const at = new Map(noise && items.map((item, i) => [item, i]));
  return Float64Array.from(cells, ({ item, field }) => noise?.[field]?.sd[at.get(item) ?? -1] ?? 0);
}

/** Bits to state how much closer than at the stop the fit came, and where it was then. */
function bitsOfStop(target: Target, table: Table): number {
  const { stop } = table.stopped!;
  const { shown, open } = gradientOf(target, table)!;
  return Math.min(maxBits, Math.log2(stop / Math.min(stop, shown))) + open();
}

/** What the gradient is at the published numbers of a fit that may have been stopped; or null. */
export function gradientOf(target: Target, { items, stopped }: Table): GradientLeft | null {
  const { cells, halfWidth, kind } = target;
  const at = new Map(
    cells.flatMap(({ item, field }, i) => (field === mainField(kind) ? [[item, i]] : [])),
  );
  if (stopped === undefined || !items.every((item) => at.has(item))) return null;
  const values = Float64Array.from(items, (item) => cells[at.get(item)!]!.published.value);
  const half = Float64Array.from(items, (item) => halfWidth[at.get(item)!]!);
  return stopped.gradientAt(values, half);
}

/**
 * How far each cell of a stopped fit may be from its fixed point, given the gradient that is left;
 * empty if the published numbers are none.
 */
export function reachesOf(target: Target, table: Table): ReadonlyMap<number, number> {
  const gradient = gradientOf(target, table);
  if (gradient === null || !(gradient.least <= table.stopped!.stop)) return new Map();
  const { reach, stop } = table.stopped!;
  const share = Math.min(1, gradient.shown / stop);
  const at = new Map(table.items.map((item, i) => [item, reach[i]! * share]));
  return new Map(
    target.cells.flatMap(({ item, field }, i) =>
      field === mainField(target.kind) && at.has(item) ? [[i, at.get(item)!]] : [],
    ),
  );
}

/**
 * The cells of drawn fields whose numbers do not come from such draws together: their sum, or that
 * of the widths, is too far off; or they are too near, or too far apart.
 */
function undrawnIn(target: Target, table: Table, model: Float64Array, sds: Float64Array): number[] {
  const { cells, halfWidth } = target;
  const { items, noise } = table;
  if (noise === undefined) return [];
  const cellsOf = (...fields: string[]): number[] =>
    cells.flatMap(({ field }, i) => (fields.includes(field) && sds[i]! > 0 ? [i] : []));
  const off = (i: number): number => cells[i]!.published.value - model[i]!;
  const isDrifting = (field: string, own: readonly number[], by: (i: number) => number) => {
    const { sum = 0, z = 0 } = noise[field] ?? {};
    const share = Math.sqrt(new Set(own.map((i) => cells[i]!.item)).size / items.length);
    const rounding = Math.hypot(...own.map((i) => halfWidth[i]!));
    return Math.abs(own.reduce((total, i) => total + by(i), 0)) > z * share * sum + rounding;
  };
  const ends = cellsOf("ci_low", "ci_high");
  const outwards = (i: number): number => (cells[i]!.field === "ci_low" ? -off(i) : off(i)) / 2;
  const drifting = Object.keys(noise).flatMap((field) => {
    const own = cellsOf(field);
    return isDrifting(field, own, off) ? own : [];
  });
  const wrong = [...drifting, ...(isDrifting("half_width", ends, outwards) ? ends : [])];
  // What all have in common is no scatter, and the ends of a formula are as far from the middle.
  const isNear = (i: number): boolean => Math.abs(off(i)) < wrongFrom(target, table, i, sds[i]!);
  const all = cellsOf(...Object.keys(noise)).filter(isNear);
  const errorOf = errorOfDraws(target, sds);
  const scores = all.map((i) => (2 * outwards(i)) / errorOf(i));
  const mean = scores.reduce((sum, score) => sum + score, 0) / all.length;
  const centres = modelOf(target, table, mainField(target.kind));
  const tilts = [...groupsOf(ends.filter(isNear), (i) => cells[i]!.item).values()].flatMap(
    ([a, b]) => {
      if (b === undefined) return [];
      const sum = cells[a]!.published.value + cells[b]!.published.value;
      return [(sum - 2 * centres[a]!) / Math.hypot(errorOf(a), errorOf(b))];
    },
  );
  const scatter = scores.map((score) => score - mean);
  const isNone = [scatter, ...(tilts.length > 1 ? [tilts] : [])].some(
    (some) => isTooNear(some) || isTooFar(some, some.length / 2),
  );
  return isNone ? all : wrong;
}

/** The standard error of a number that was drawn, then rounded. */
export const errorOfDraws =
  ({ halfWidth }: Target, sds: Float64Array) =>
  (i: number): number =>
    Math.hypot(sds[i]!, halfWidth[i]! / Math.sqrt(3));

/** From here on a number is wrong: twice as far as its decimals and the draws of others leave. */
export const wrongFrom = (
  { cells, halfWidth }: Target,
  { noise }: Table,
  i: number,
  sd: number,
): number => 2 * (halfWidth[i]! + (noise?.[cells[i]!.field]?.z ?? 0) * sd);

const sumOfSquares = (scores: readonly number[]): number =>
  scores.reduce((sum, score) => sum + score ** 2, 0);

/** Whether normal numbers are nearer to 0 than all but 1 of 2,000 samples of as many or of `df`. */
export const isTooNear = (scores: readonly number[], df = scores.length): boolean =>
  sumOfSquares(scores) / scores.length < squaresAt(-rareScore, df) / df;

/** Whether they are further from it than all but 1 of 2,000. */
const isTooFar = (scores: readonly number[], df = scores.length): boolean =>
  sumOfSquares(scores) / scores.length > squaresAt(rareScore, df) / df;

/** 1 of 2,000 normal numbers is above it. */
const rareScore = 3.29;

/** The sum of squares of normal numbers, by its normal score (Wilson and Hilferty 1931). */
const squaresAt = (score: number, df: number): number =>
  df * Math.max(0, 1 - 2 / (9 * df) + score * Math.sqrt(2 / (9 * df))) ** 3;

export function fitOf(target: Target, table: Table, rounding: Rounding = "nearest"): TargetFit {
  const model = modelOf(target, table);
  const centres = target.hasEnds ? modelOf(target, table, mainField(target.kind)) : null;
  const sds = noiseOf(target, table);
  const isMissed = target.cells.map((cell, i) => {
    const { field } = cell;
    const own = model[i]!;
    if (!Number.isFinite(own)) return true;
    const precision = target.group.precision[field] ?? unrounded;
    const value = centreOf(target, cell, rounding, own);
    const drawn = (table.noise?.[field]?.z ?? 0) * sds[i]!;
    return (
      compare(target.kind, field, value, own, precision, target.tolerances, centres?.[i])
        .nearness === "apart" && Math.abs(value - own) > target.halfWidth[i]! + drawn
    );
  });
  const reaches = reachesOf(target, table);
  for (const i of reaches.keys()) isMissed[i] = false;
  for (const i of undrawnIn(target, table, model, sds)) isMissed[i] = true;
  const misses: number[] = [];
  let missBits = 0;
  let openBits = reaches.size === 0 ? 0 : bitsOfStop(target, table);
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
    const open = normalRange * sds[i]!;
    openBits += Math.log2(1 + open / (2 * target.halfWidth[i]!));
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
    openBits,
    spread: Math.sqrt(squares / Math.max(1, target.cells.length - misses.length)),
  };
}

/**
 * The table's number for each cell, of its own field unless another is given; NaN if it has none.
 */
export function modelOf(target: Target, table: Table, wanted?: string): Float64Array {
  const at = new Map(table.items.map((item, i) => [item, i]));
  return Float64Array.from(
    target.cells,
    ({ item, field }) => table.columns[wanted ?? field]?.[at.get(item) ?? -1] ?? NaN,
  );
}

/**
 * How many of `count` numbers may be wrong while the others still show how they were computed: one
 * in five.
 */
export const maxOutliers = (count: number): number => Math.floor(0.2 * count);

/** Powers of ten of the first digit that are equally likely: 0.1 to 999. */
const usualMagnitudes = [-1, 2] as const;

/**
 * Bits to state a decimal number: its digits and the position of the point, which costs more
 * further away.
 */
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
