import type { ScoreRow } from "../scoring/study.js";
import type { PublishingRule } from "./rules.js";

const counts: ReadonlySet<string> = new Set(["n", "wins", "losses", "ties", "approved"]);
/** Fields that measure distances: a shift does not change them. */
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
/** A negative factor swaps lower and upper ends. */
const swapped: ReadonlyMap<string, string> = new Map(
  ends.flatMap(([low, high]) => [[low, high] as const, [high, low] as const]),
);

/** `by` times each number plus `plus`; spreads are only multiplied, counts are unchanged. */
export function rescaled(
  rows: readonly ScoreRow[],
  { by = 1, plus = 0 }: NonNullable<PublishingRule["rescale"]>,
): ScoreRow[] {
  const moved = onNumbers(rows, (value, field) =>
    counts.has(field) ? value : spreads.has(field) ? Math.abs(by) * value : by * value + plus,
  );
  if (by > 0) return moved;
  return moved.map((row) => ({
    ...Object.fromEntries(Object.keys(row).map((field) => [field, row[swapped.get(field) ?? field] ?? null])),
    stimulus: row.stimulus,
  }));
}

/** Numbers relative to one item's, or to the highest: minus it, or in percent of it. As they are if nobody has it. */
export function relativeTo(
  rows: readonly ScoreRow[],
  { to, as }: NonNullable<PublishingRule["relative"]>,
): readonly ScoreRow[] {
  const valueOf = (row: ScoreRow): number[] => [row.value ?? row.mean].filter((value) => typeof value === "number");
  const [value] = to === null ? [] : rows.filter(({ stimulus }) => stimulus === to).flatMap(valueOf);
  const reference = to === null ? Math.max(...rows.flatMap(valueOf)) : (value ?? NaN);
  if (!Number.isFinite(reference)) return rows;
  return rescaled(rows, as === "percent" ? { by: 100 / reference } : { plus: -reference });
}

/** Each number rounded to single precision. */
export const inSinglePrecision = (rows: readonly ScoreRow[]): ScoreRow[] => onNumbers(rows, Math.fround);

/** Each number rounded to `decimals`; whole counts are unchanged. */
export const rounded = (rows: readonly ScoreRow[], decimals: number): ScoreRow[] =>
  onNumbers(rows, (value) => Number(value.toFixed(decimals)));

/** Each number truncated after `decimals`. */
export function truncated(rows: readonly ScoreRow[], decimals: number): ScoreRow[] {
  return onNumbers(rows, (value) => {
    const near = Number(value.toFixed(decimals));
    // The rounded number is right unless it is farther from zero; then it is one unit too far.
    if (Math.abs(near) <= Math.abs(value)) return near;
    return Number((near - Math.sign(value) * 10 ** -decimals).toFixed(decimals));
  });
}
