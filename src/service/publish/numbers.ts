import type { ScoreRow } from "../scoring/study.js";
import type { PublishingRule } from "./rule.js";

const counts: ReadonlySet<string> = new Set(["n", "wins", "losses", "ties", "approved"]);
/** Fields that say how far numbers lie apart: a shift leaves them as they are. */
const spreads: ReadonlySet<string> = new Set(["std", "sem"]);

const onNumbers = (rows: readonly ScoreRow[], change: (value: number, field: string) => number): ScoreRow[] =>
  rows.map((row) => ({
    ...Object.fromEntries(Object.entries(row).map(([field, value]) => [field, typeof value === "number" ? change(value, field) : value])),
    stimulus: row.stimulus,
  }));

/** `by` times each number plus `plus`; spreads are only multiplied, counts stay. */
export function rescaled(rows: readonly ScoreRow[], { by = 1, plus = 0 }: NonNullable<PublishingRule["rescale"]>): ScoreRow[] {
  return onNumbers(rows, (value, field) => (counts.has(field) ? value : by * value + (spreads.has(field) ? 0 : plus)));
}

/** What single precision leaves of each number. */
export const inSinglePrecision = (rows: readonly ScoreRow[]): ScoreRow[] => onNumbers(rows, Math.fround);

/** Every number with so many decimals; counts stay whole by themselves. */
export const rounded = (rows: readonly ScoreRow[], decimals: number): ScoreRow[] => onNumbers(rows, (value) => Number(value.toFixed(decimals)));

/** Every number with the digits after so many decimals cut off. */
export function truncated(rows: readonly ScoreRow[], decimals: number): ScoreRow[] {
  return onNumbers(rows, (value) => {
    const near = Number(value.toFixed(decimals));
    // Rounding to the nearest is at most half a unit too far out, and exact where nothing is cut off.
    if (Math.abs(near) <= Math.abs(value)) return near;
    return Number((near - Math.sign(value) * 10 ** -decimals).toFixed(decimals));
  });
}
