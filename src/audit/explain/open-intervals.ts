/** Published intervals that no formula gives: they may have been drawn. */
import { drawsOption, isHalfWidth, isOfInterval, type Table } from "../../metrics/index.js";
import { groupsOf, keyOf, sumOf } from "../../platform/index.js";
import { patched } from "../recompute/scenario.js";
import { isDrawable, statedIn, whatIs } from "../recompute/hypotheses.js";
import { shownIn, type Candidate, type SearchResult } from "./search.js";
import { medianOf } from "../compare/unit.js";
import {
  maxOutliers,
  middlesOf,
  modelOf,
  noiseOf,
  targetOf,
  type Target,
} from "../compare/target.js";

/**
 * 95 % error of the 2.5 % quantile of 1,000 draws, as a share of its distance from the middle:
 * 1.96 √(0.025 · 0.975 / 1000) / (1.96 φ(1.96)).
 */
const monteCarlo = 0.084;

/** In recomputed distances, 60 standard errors of 100 draws: near-certain winners go far. */
const farthest = 10;

/** Fewer do not show how draws scatter. */
const fewestItems = 10;

/** An interval is not of the draws of the others: in robust standard errors, and as a share. */
const outlying = { errors: 7, share: 0.2 };

/** No formula tried gives them, and no options, other result or person state how. */
export function areIntervalsOpen({ own, candidates, stated, shared }: SearchResult): boolean {
  const known = [...stated, ...(shared?.parts ?? [])];
  if (!isDrawable(own.of.kind) || known.some((one) => whatIs(one) === "interval")) return false;
  return [own, ...candidates].every((candidate) => !givesIntervals(candidate));
}

/** Four of five values, and of the ends that are fine enough to tell it from draws. */
function givesIntervals({ of: target, table: tableOf, fit: { misses } }: Candidate): boolean {
  const { kind, cells, halfWidth } = target;
  const table = tableOf();
  const distances = distancesOf(target, table, modelOf(target, table));
  const isTelling = (i: number): boolean =>
    4 * halfWidth[i]! < monteCarlo * Math.abs(distances[i]!);
  const [ends, others] = [true, false].map((isEnd) =>
    [...cells.keys()].filter((i) => isOfInterval(kind, cells[i]!.field) === isEnd),
  ) as [number[], number[]];
  const telling = ends.filter(isTelling);
  const missed = new Set(misses);
  const isGiven = (ends: readonly number[]): boolean =>
    ends.filter((i) => missed.has(i)).length <= maxOutliers(ends.length);
  return isGiven(others) && isGiven(telling) && telling.length > ends.length / 2;
}

function distancesOf(target: Target, table: Table, of: ArrayLike<number>): Float64Array {
  const { kind, cells } = target;
  return middlesOf(target, table).map((middle, i) => {
    const { field } = cells[i]!;
    if (isHalfWidth(kind, field)) return of[i]!;
    return field === "ci_low" ? middle - of[i]! : of[i]! - middle;
  });
}

export const valuesOnly = ({ group, kind, tolerances, cells: all }: Target): Target => {
  const cells = all.filter(({ field }) => !isOfInterval(kind, field));
  return targetOf({ ...group, cells }, kind, tolerances);
};

interface OpenIntervals {
  readonly cells: ReadonlySet<number>;
  readonly says: string;
  readonly outliers: ReadonlySet<number>;
}

/**
 * Those on their side of the middle, not too far; of `wrong` items, if they are nearer to what
 * `basis` gives than to what is published.
 */
export function openIntervals(
  { of: target, evaluator, scenario: basis }: Candidate,
  wrong: ReadonlySet<string>,
): OpenIntervals {
  const { kind, cells, halfWidth } = target;
  const [drawn] = statedIn(kind, { [drawsOption]: 1000 });
  const draws = evaluator.table(kind, patched(basis, drawn!.set));
  const published = cells.map(({ published: { value } }) => value);
  const distances = distancesOf(target, draws, published);
  const model = modelOf(target, draws);
  const expected = distancesOf(target, draws, model);
  const widths = [...cells.keys()].filter((i) => isOfInterval(kind, cells[i]!.field));
  const ends = widths.filter(
    (i) => wrong.has(cells[i]!.item) && !isHalfWidth(kind, cells[i]!.field),
  );
  const middles = middlesOf(target, draws);
  const isMoved = (ends: readonly number[]): boolean => {
    const [i] = ends as [number];
    const by = shownIn(target).get(cells[i]!.item)! - middles[i]!;
    const off = sumOf(ends.map((end) => published[end]! - model[end]!)) / ends.length;
    return !(Math.abs(off) <= Math.abs(off - by));
  };
  const byItem = [...groupsOf(ends, (i) => cells[i]!.item).values()];
  const moved = new Set(byItem.filter(isMoved).flat());
  const isOpen = (i: number): boolean =>
    !moved.has(i) &&
    distances[i]! > -halfWidth[i]! &&
    !(distances[i]! > farthest * expected[i]! + halfWidth[i]!);
  const all = widths.filter(isOpen);
  const outliers = outliersAmong(target, all, distances, expected, noiseOf(target, draws));
  const open = all.filter((i) => !outliers.has(i));
  const most = monteCarlo * open.reduce((far, i) => Math.max(far, distances[i]!), 0);
  const what = open.every((i) => isHalfWidth(kind, cells[i]!.field)) ? "widths" : "ends";
  return {
    cells: new Set(open),
    says:
      `no formula gives these ${what}; those of 1,000 draws would differ by up to ` +
      `± ${Number(most.toPrecision(2))}`,
    outliers,
  };
}

function outliersAmong(
  target: Target,
  open: readonly number[],
  distances: Float64Array,
  expected: Float64Array,
  sds: Float64Array,
): ReadonlySet<number> {
  const { kind, cells, halfWidth } = target;
  const known = open.filter((i) => sds[i]! > 0 && expected[i]! > 0);
  if (new Set(known.map((i) => cells[i]!.item)).size < fewestItems) return new Set();
  const ends = [...groupsOf(known, (i) => cells[i]!.field).values()].flatMap((column) => {
    const width = medianOf(column.map((i) => distances[i]! / expected[i]!));
    return column.map((i) => {
      const middle = width * expected[i]!;
      return { i, middle, off: distances[i]! - middle, error: width * sds[i]! + halfWidth[i]! };
    });
  });
  // Half of normal errors are beyond 0.6745 standard errors.
  const scale = Math.max(1, medianOf(ends.map(({ off, error }) => Math.abs(off / error))) / 0.6745);
  const intervals = groupsOf(ends, ({ i }) =>
    keyOf(cells[i]!.item, isHalfWidth(kind, cells[i]!.field)),
  );
  const isFar = (some: typeof ends): boolean => {
    const off = Math.abs(sumOf(some.map((end) => end.off)));
    const error = Math.hypot(...some.map((end) => end.error));
    const isNotable = off > outlying.share * sumOf(some.map(({ middle }) => middle));
    return isNotable && off > outlying.errors * scale * error;
  };
  const outliers = [...intervals.values()].filter(isFar).flat();
  const isOff = ({ off, middle }: (typeof ends)[number]): boolean =>
    Math.abs(off) > outlying.share * middle;
  return new Set(outliers.filter(isOff).map(({ i }) => i));
}
