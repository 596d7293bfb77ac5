/** The published numbers of one result, and how the numbers of a table fit them. */
import {
  isCount,
  isOfInterval,
  mainField,
  metricKind,
  type Kind,
  type Table,
} from "../../metrics/index.js";
import { cached, sumOf } from "../../platform/index.js";
import { type Cell, type PublishedGroup, rangesOf } from "../read/cells.js";
import { equalAt, halfWidthAt, numericNoise, unrounded } from "../read/precision.js";
import { allowance, type Tolerances } from "./tolerances.js";
import type { Rounding } from "../recompute/scenario.js";
import { rowByItem } from "../result.js";

export interface Target {
  readonly group: PublishedGroup;
  readonly kind: Kind;
  readonly tolerances: Tolerances;
  readonly cells: readonly Cell[];
  /** Some number may have more decimals than are published. */
  readonly isRounded: boolean;
  readonly hasEnds: boolean;
  /** Half the width of each number's range before rounding. */
  readonly halfWidth: Float64Array;
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

/** As if rounded to fewer decimals; null if they have no more. */
export function atMost({ group, kind, tolerances, cells }: Target, decimals: number) {
  const least = 0.5 * 10 ** -decimals;
  const precision = Object.fromEntries(
    cells.map(({ field }) => {
      const given = group.precision[field] ?? unrounded;
      const isFiner = !isCount(kind, field) && given.halfWidth < least;
      return [field, isFiner ? { decimals, halfWidth: least } : given];
    }),
  );
  const isSame = Object.entries(precision).every(([field, one]) => one === group.precision[field]);
  return isSame ? null : targetOf({ ...group, cells, precision }, kind, tolerances);
}

/** The middle of the range before rounding. A published zero takes the sign of `model`. */
export function centreOf(
  { group, kind }: Target,
  { field, published: { value } }: Cell,
  rounding: Rounding,
  model: number,
): number {
  if (rounding === "nearest" || (isCount(kind, field) && Number.isInteger(model))) return value;
  return value + Math.sign(value || model) * (group.precision[field] ?? unrounded).halfWidth;
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

export const missesOf = ({ misses, unpublished }: TargetFit): number =>
  misses.length + unpublished.length;

export interface TargetFit {
  readonly misses: readonly number[];
  readonly unpublished: readonly string[];
  readonly missBits: number;
  /** Root mean square of difference over half width, of the cells that are reproduced. */
  readonly spread: number;
}

export const rowsOf = cached((cells: readonly Cell[]) =>
  cached((items: readonly string[]) => {
    const places = rowByItem(items);
    return Int32Array.from(cells, ({ item }) => places.get(item) ?? -1);
  }),
);

/** Standard error of each cell among other draws; 0 where none decides it. */
export function noiseOf({ cells }: Target, { items, noise }: Table): Float64Array {
  if (noise === undefined) return new Float64Array(cells.length);
  const rows = rowsOf(cells)(items);
  return Float64Array.from(cells, ({ field }, i) => noise[field]?.sd[rows[i]!] ?? 0);
}

/** How far a number may be from a row beyond its decimals: by draws, or an early stop. */
function roomAt(kind: Kind, { noise, stopped }: Table, field: string, row: number): number {
  const { sd, z = 0 } = noise?.[field] ?? {};
  const isStopped = stopped !== undefined && field === mainField(kind);
  const room = isStopped ? stopped.reach[row] : z * (sd?.[row] ?? 0);
  return Number.isFinite(room) ? room! : 0;
}

export function roomOf({ cells, kind }: Target, table: Table): Float64Array {
  const rows = rowsOf(cells)(table.items);
  return Float64Array.from(cells, ({ field }, i) => roomAt(kind, table, field, rows[i]!));
}

/** Cell `i` beside the number of a row, within decimals, draws and tolerances. */
export function compare(
  target: Target,
  i: number,
  table: Table,
  row: number,
  rounding: Rounding = "nearest",
) {
  const { kind, group, tolerances } = target;
  const cell = target.cells[i]!;
  const { field } = cell;
  const model = modelAt(kind, cell, table, row);
  const published = centreOf(target, cell, rounding, model);
  const precision = group.precision[field] ?? unrounded;
  const centre = middleAt(kind, cell, table, row);
  const difference = published - model;
  const isInteger = isCount(kind, field) && Number.isInteger(model);
  const tolerance = Math.max(
    roomAt(kind, table, field, row),
    allowance(tolerances, kind, field, model, centre),
  );
  const isEqual = isInteger
    ? equalAt(published, model, { decimals: 0, halfWidth: 0 }, 0)
    : equalAt(published, model, precision);
  const bound = tolerance + (isInteger ? 0 : halfWidthAt(precision, published));
  const nearness: "equal" | "near" | "apart" = isEqual
    ? "equal"
    : Math.abs(difference) <= bound
      ? "near"
      : "apart";
  return { difference, tolerance, nearness };
}

export const isMissed = (...of: Parameters<typeof compare>): boolean =>
  compare(...of).nearness === "apart";

/** All comparisons are with the baseline, so a board may leave it out. */
function withoutBaseline(
  kind: Kind,
  missing: readonly string[],
  items: readonly string[],
  nOf: (item: string, i: number) => number | undefined,
): readonly string[] {
  if (missing.length === 0 || items.length < 3 || metricKind(kind).family !== "pairwise")
    return missing;
  const counts = items.map((item, i) => nOf(item, i) ?? NaN);
  const total = counts.reduce((sum, n) => sum + n, 0);
  const baseline = items[counts.findIndex((n) => Math.abs(2 * n - total) <= 1e-9 * total)];
  return missing.filter((item) => item !== baseline);
}

/** The cells of drawn fields whose sum, but for what is `missed`, is not that of such draws. */
function driftingIn(
  target: Target,
  table: Table,
  model: Float64Array,
  missed: Uint8Array,
): number[] {
  const { cells, halfWidth } = target;
  const { items, noise = {} } = table;
  const sds = noiseOf(target, table);
  return Object.entries(noise).flatMap(([drawn, { sum, z }]) => {
    const used = cells.flatMap(({ field }, i) =>
      field === drawn && sds[i]! > 0 && missed[i] === 0 ? [i] : [],
    );
    const off = sumOf(used.map((i) => cells[i]!.published.value - model[i]!));
    const share = Math.sqrt(used.length / items.length);
    const rounding = Math.sqrt(sumOf(used.map((i) => halfWidth[i]! ** 2)));
    return Math.abs(off) > z * share * sum + rounding ? used : [];
  });
}

/** The cells of numbers at which no iteration stops, although each may be within its reach. */
function unreachedIn(target: Target, { items, stopped }: Table, model: Float64Array): number[] {
  const { cells, halfWidth, kind } = target;
  if (stopped === undefined) return [];
  const rows = rowsOf(cells)(items);
  const mains = cells.flatMap(({ field }, i) =>
    field === mainField(kind) && rows[i] !== -1 ? [i] : [],
  );
  const off = mains.map((i) => cells[i]!.published.value - model[i]!);
  // An item that is held moves the level of all.
  const level = sumOf(off) / off.length;
  const isStop = mains.every((i) => {
    const row = rows[i]! * items.length;
    const parts = mains.map((j) => stopped.gradients[row + rows[j]!]!);
    const left = sumOf(parts.map((part, j) => part * (off[j]! - level)));
    const rounding = sumOf(parts.map((part, j) => Math.abs(part) * halfWidth[mains[j]!]!));
    return Math.abs(left) <= 1 + rounding;
  });
  return mains.length === items.length && isStop ? [] : mains;
}

export function fitOf(target: Target, table: Table, rounding: Rounding = "nearest"): TargetFit {
  const model = modelOf(target, table);
  const rows = rowsOf(target.cells)(table.items);
  const missed = Uint8Array.from(rows, (row, i) =>
    isMissed(target, i, table, row, rounding) ? 1 : 0,
  );
  for (const i of [
    ...driftingIn(target, table, model, missed),
    ...unreachedIn(target, table, model),
  ])
    missed[i] = 1;
  const misses: number[] = [];
  let missBits = 0;
  let squares = 0;
  target.cells.forEach((cell, i) => {
    const given = model[i]!;
    if (missed[i] === 1) {
      misses.push(i);
      missBits += statedBits(target, i, given);
    } else
      squares += ((centreOf(target, cell, rounding, given) - given) / target.halfWidth[i]!) ** 2;
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

const byCell =
  (at: typeof middleAt) =>
  ({ cells, kind }: Target, table: Table): Float64Array => {
    const rows = rowsOf(cells)(table.items);
    return Float64Array.from(cells, (cell, i) => at(kind, cell, table, rows[i]!));
  };

/** What an interval is about: of an offset, the published number. */
function middleAt(kind: Kind, { published }: Cell, { columns }: Table, row: number): number {
  return published.about ?? columns[mainField(kind)]?.[row] ?? NaN;
}

function modelAt(kind: Kind, cell: Cell, table: Table, row: number): number {
  const number = table.columns[cell.field]?.[row] ?? NaN;
  const { about } = cell.published;
  return about === undefined
    ? number
    : about + number - (table.columns[mainField(kind)]?.[row] ?? NaN);
}

export const modelOf = byCell(modelAt);

export const middlesOf = byCell(middleAt);

/** One number in five may be wrong. */
export const maxOutliers = (count: number): number => Math.floor(0.2 * count);
