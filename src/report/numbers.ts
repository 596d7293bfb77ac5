/** Numbers, verdicts and scopes as short texts. */
import { sourceText, type AuditRow } from "../audit/index.js";
import type { NumberDiff } from "../changes/index.js";
import { isKind, metricKind } from "../metrics/index.js";
import { firstLines, joinParts, thousands } from "../platform/index.js";

/** A number for a table: integers in full up to 1e9, others with 6 significant digits. */
export function shortNumber(value: number | null): string {
  if (value === null) return "-";
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  const magnitude = Math.abs(value);
  return magnitude !== 0 && (magnitude < 1e-3 || magnitude >= 1e9)
    ? value.toExponential(2)
    : String(Number(value.toPrecision(6)));
}

const shownDecimals = (text: string): number => /^-?\d+\.(\d+)$/.exec(text)?.[1]?.length ?? 0;

/** A number with so many decimals, and no sign if they are all zero. */
const withFixed = (value: number, decimals: number): string =>
  value.toFixed(decimals).replace(/^-(?=[0.]+$)/, "");

/** Where the sign is a minus, not a hyphen. @param decimals default: as in a table */
export const numberText = (value: number, decimals?: number): string =>
  (decimals === undefined ? shortNumber(value) : withFixed(value, decimals)).replace(/^-/, "−");

const namedMembers = 4;

export const fewOf = (texts: readonly string[], between = ", "): string =>
  firstLines(texts, namedMembers).join(between);

/** Numbers with the decimals of the one that has most. */
export function alignedNumbers(values: readonly (number | null)[]): string[] {
  const texts = values.map(shortNumber);
  const decimals = Math.max(0, ...texts.map(shownDecimals));
  return texts.map((text, i) =>
    /^-?\d+(\.\d+)?$/.test(text) ? withFixed(values[i] ?? 0, decimals) : text,
  );
}

/** Two digits of the narrowest interval. Infinity without intervals. */
export function decimalsWithin(
  rows: readonly { readonly low: number | null; readonly high: number | null }[],
): number {
  const widths = rows
    .map(({ low, high }) => (high ?? NaN) - (low ?? NaN))
    .filter((width) => width > 0);
  if (widths.length === 0) return Infinity;
  return Math.max(0, 1 - Math.floor(Math.log10(Math.min(...widths))));
}

function signedNumber(value: number | null): string {
  return value !== null && value > 0 ? `+${shortNumber(value)}` : shortNumber(value);
}

/** The difference of two numbers with their decimals, and with more if it would be 0. */
export function signedDifference({
  published,
  recomputed,
  difference,
}: Pick<AuditRow, "published" | "recomputed" | "difference">): string {
  if (difference === null) return shortNumber(null);
  const text = difference.toFixed(
    Math.max(...[published, recomputed].map((value) => shownDecimals(shortNumber(value)))),
  );
  if (Number(text) === 0) return signedNumber(difference);
  return difference > 0 ? `+${text}` : text;
}

export function rankText({ rank_before: before, rank_after: after }: NumberDiff): string {
  return before === after ? shortNumber(after) : `${shortNumber(before)} → ${shortNumber(after)}`;
}

export const titleOfKind = (kind: string): string => (isKind(kind) ? metricKind(kind).title : kind);

export function verdictText(verdict: string): string {
  return verdict.replaceAll("_", " ");
}

/** `10 explained, 2 exact`. @param counts numbers by verdict */
export const verdictCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${thousands(count)} ${verdictText(verdict)}`)
    .join(", ");

/** Null also if it is the recomputed number: an explanation may be no more than a unit. */
export const underExplanation = ({
  under_explanation: under,
  recomputed,
}: Pick<AuditRow, "recomputed" | "under_explanation">): number | null =>
  under === recomputed ? null : under;

/** Less than a billionth of the number is noise of arithmetic. */
export function remainingText(row: AuditRow): string {
  const { published, remaining } = row;
  if (remaining === null || underExplanation(row) === null) return "";
  const isNoise = Math.abs(remaining) <= 1e-9 * Math.max(1, Math.abs(published ?? 0));
  return signedNumber(isNoise ? 0 : remaining);
}

export function whereOf({ dimension, source }: Pick<AuditRow, "dimension" | "source">): string {
  return joinParts([dimension, sourceText(source)]) || "all";
}
