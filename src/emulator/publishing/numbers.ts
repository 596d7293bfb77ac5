import type { ScoreRow } from "../scoring/study.js";
import type { PublishingRule } from "./rules.js";

const counts: ReadonlySet<string> = new Set(["n", "wins", "losses", "ties", "approved"]);
/** Fields that say how far numbers lie apart: a shift leaves them as they are. */
const spreads: ReadonlySet<string> = new Set(["std", "sem"]);

const onNumbers = (rows: readonly ScoreRow[], change: (value: number, field: string) => number): ScoreRow[] =>
  rows.map((row) => ({
    ...Object.fromEntries(
      Object.entries(row).map(([field, value]) => [field, typeof value === "number" ? change(value, field) : value]),
    ),
    stimulus: row.stimulus,
  }));

const ends = [
  ["ci_low", "ci_high"],
  ["min", "max"],
  ["q1", "q3"],
  ["p005", "p995"],
  ["p025", "p975"],
  ["p05", "p95"],
] as const;
/** On a scale that is turned round the lower end is where the upper one was. */
const turned: ReadonlyMap<string, string> = new Map(
  ends.flatMap(([low, high]) => [[low, high] as const, [high, low] as const]),
);

/** `by` times each number plus `plus`; spreads are only stretched, counts stay. */
export function rescaled(
  rows: readonly ScoreRow[],
  { by = 1, plus = 0 }: NonNullable<PublishingRule["rescale"]>,
): ScoreRow[] {
  const moved = onNumbers(rows, (value, field) =>
    counts.has(field) ? value : spreads.has(field) ? Math.abs(by) * value : by * value + plus,
  );
  if (by > 0) return moved;
  return moved.map((row) => ({
    ...Object.fromEntries(Object.keys(row).map((field) => [field, row[turned.get(field) ?? field] ?? null])),
    stimulus: row.stimulus,
  }));
}

/** What single precision leaves of each number. */
export const inSinglePrecision = (rows: readonly ScoreRow[]): ScoreRow[] => onNumbers(rows, Math.fround);

/** Every number with so many decimals; counts stay whole by themselves. */
export const rounded = (rows: readonly ScoreRow[], decimals: number): ScoreRow[] =>
  onNumbers(rows, (value) => Number(value.toFixed(decimals)));

/** Every number with the digits after so many decimals cut off. */
export function truncated(rows: readonly ScoreRow[], decimals: number): ScoreRow[] {
  return onNumbers(rows, (value) => {
    const near = Number(value.toFixed(decimals));
    // Rounding to the nearest is at most half a unit too far out, and exact where nothing is cut off.
    if (Math.abs(near) <= Math.abs(value)) return near;
    return Number((near - Math.sign(value) * 10 ** -decimals).toFixed(decimals));
  });
}
