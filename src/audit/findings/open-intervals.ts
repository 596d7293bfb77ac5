/** Published intervals that no formula gives: random draws that nobody can repeat may have. */
import { isHalfWidth, isOfInterval, mainField, type Table } from "../../metrics/index.js";
import { isDrawable } from "../explain/hypotheses.js";
import type { Candidate, SearchResult } from "../explain/search.js";
import { maxOutliers, modelOf, type Target } from "../target.js";

/**
 * 95 % error of the 2.5 % quantile of draws, as a share of its distance from the middle:
 * 1.96 √(0.025 · 0.975 / draws) / (1.96 φ(1.96)).
 */
const monteCarlo = { of1000: 0.084, of100: 0.27 };

/** In recomputed half widths, 60 standard errors of 100 draws: near-certain winners go far. */
const farthest = 10;

/** No formula tried gives them, and no options, other result or person state how. */
export function areIntervalsOpen(
  target: Target,
  { own, candidates, stated, shared }: SearchResult,
): boolean {
  const known = [...stated, ...(shared?.parts ?? [])];
  if (!isDrawable(target.kind) || known.some(({ axis }) => axis === "interval")) return false;
  return [own, ...candidates].every((candidate) => !gives(candidate, target));
}

/** Four of five values; with coarse decimals, also further from the others than draws are. */
function gives({ table, fit: { misses } }: Candidate, target: Target): boolean {
  const { kind, cells, halfWidth } = target;
  const ends = cells.flatMap(({ field }, i) => (isOfInterval(kind, field) ? [i] : []));
  const missed = misses.filter((i) => ends.includes(i));
  const others = cells.length - ends.length;
  if (misses.length - missed.length > maxOutliers(others)) return false;
  if (missed.length > maxOutliers(ends.length)) return false;
  const model = modelOf(target, table);
  const distances = distancesOf(target, table, model);
  const isTelling = (i: number): boolean =>
    4 * halfWidth[i]! < monteCarlo.of1000 * Math.abs(distances[i]!);
  const isFar = (i: number): boolean =>
    !(
      Math.abs(cells[i]!.published.value - model[i]!) <=
      halfWidth[i]! + 2 * monteCarlo.of100 * Math.abs(distances[i]!)
    );
  return ends.filter(isTelling).length > ends.length / 2 || missed.some(isFar);
}

function distancesOf(target: Target, table: Table, of: ArrayLike<number>): Float64Array {
  const { kind, cells } = target;
  return modelOf(target, table, mainField(kind)).map((middle, i) => {
    const { field } = cells[i]!;
    if (isHalfWidth(kind, field)) return of[i]!;
    return field === "ci_low" ? middle - of[i]! : of[i]! - middle;
  });
}

export function valuesOnly(target: Target): Target {
  const { kind, cells, halfWidth, bits } = target;
  const isKept = (_: unknown, i: number): boolean => !isOfInterval(kind, cells[i]!.field);
  return {
    ...target,
    cells: cells.filter(isKept),
    halfWidth: halfWidth.filter(isKept),
    bits: bits.filter(isKept),
    hasEnds: false,
  };
}

export interface OpenIntervals {
  readonly cells: ReadonlySet<number>;
  readonly says: string;
}

/**
 * Those on their side of the middle, not too far. `table`: middles, and intervals by a formula;
 * `isGiven`: whether it gives an item's middle.
 */
export function openIntervals(
  target: Target,
  table: Table,
  isGiven: (item: string) => boolean,
): OpenIntervals {
  const { kind, cells, halfWidth } = target;
  const halves = modelOf(target, table, "half_width");
  const published = cells.map(({ published: { value } }) => value);
  const distances = distancesOf(target, table, published);
  const isOpen = (i: number): boolean =>
    isOfInterval(kind, cells[i]!.field) &&
    isGiven(cells[i]!.item) &&
    distances[i]! > -halfWidth[i]! &&
    !(distances[i]! > farthest * halves[i]! + halfWidth[i]!);
  const open = cells.flatMap((_, i) => (isOpen(i) ? [i] : []));
  const most = monteCarlo.of1000 * Math.max(...open.map((i) => distances[i]!));
  const what = open.every((i) => isHalfWidth(kind, cells[i]!.field)) ? "widths" : "ends";
  return {
    cells: new Set(open),
    says:
      `no formula gives these ${what}; those of 1,000 draws would differ by up to ` +
      `± ${Number(most.toPrecision(2))}`,
  };
}
