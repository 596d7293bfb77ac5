/** The precision of published numbers: decimals, single precision, or full doubles. */
const fullPrecisionDigits = 15;

/** Relative noise of sums in another order (metrics.md: "converged reals to 1e-9 relative"). */
export const numericNoise = 1e-9;

/** Of a text, or of a number's shortest: 12.5 has 1, 3 has 0, 1e-7 has 7. */
export function decimalsOf(value: number | string): number {
  const [mantissa = "", exponent = "0"] = String(value).trim().toLowerCase().split("e");
  const [, fraction = ""] = mantissa.split(".");
  return Math.max(0, fraction.length - Number(exponent));
}

function significantDigits(value: number): number {
  const [mantissa = ""] = String(Math.abs(value)).split("e");
  return mantissa.replace(".", "").replace(/^0+/, "").length;
}

/** Shorter texts need no count of digits. */
const hasFullPrecision = (value: number): boolean =>
  String(value).length > fullPrecisionDigits && significantDigits(value) >= fullPrecisionDigits;

/** Of the numbers of one field. `decimals` null: not rounded. */
export interface Precision {
  readonly decimals: number | null;
  /** Half a unit of the last decimal; 0 if not rounded; in single precision the maximum. */
  readonly halfWidth: number;
  /** Stored in single precision: half a unit of the last decimal if shortened, otherwise 0. */
  readonly single?: number;
}

export const unrounded: Precision = { decimals: null, halfWidth: 0 };

export function halfWidthAt({ halfWidth, single }: Precision, value: number): number {
  if (single === undefined || value === 0) return halfWidth;
  const halfUnit = 2 ** (Math.floor(Math.log2(Math.abs(value))) - 24);
  return Math.max(single, halfUnit + Math.abs(value - Math.fround(value)));
}

/**
 * The most decimals of any, since JSON drops trailing zeros. If one has 15 significant digits, none
 * is rounded, unless all were stored in single precision.
 */
export function precisionOf(numbers: readonly { value: number; decimals: number }[]): Precision {
  const decimals = numbers.reduce((most, n) => Math.max(most, n.decimals), 0);
  const isWhole = numbers.some((n) => n.decimals > 0 && hasFullPrecision(n.value));
  if (isStoredInSingle(numbers, decimals, isWhole)) {
    const single = isWhole ? 0 : 0.5 * 10 ** -decimals;
    const precision = { decimals: null, halfWidth: 0, single };
    return {
      ...precision,
      halfWidth: numbers.reduce((most, n) => Math.max(most, halfWidthAt(precision, n.value)), 0),
    };
  }
  return isWhole ? unrounded : { decimals, halfWidth: 0.5 * 10 ** -decimals };
}

const singleDigits = 9;

/** The fewest numbers, and digits in each, that prove single precision. */
const showing = { numbers: 3, digits: 7 };

/** Written in full or shortened; decimals prove it only where they are closer than its numbers. */
function isStoredInSingle(
  numbers: readonly { value: number; decimals: number }[],
  decimals: number,
  isWhole: boolean,
): boolean {
  const reals = numbers.filter((n) => !Number.isInteger(n.value));
  const finer = (value: number): boolean =>
    10 ** -decimals < 2 ** (Math.floor(Math.log2(Math.abs(value))) - 23);
  const isTelling = ({ value }: { value: number }): boolean =>
    significantDigits(value) >= (isWhole ? fullPrecisionDigits : showing.digits) && finer(value);
  return (
    reals.length >= showing.numbers &&
    reals.every(({ value }) => Math.fround(value) === value || isShortestSingle(value)) &&
    reals.filter(isTelling).length >= showing.numbers
  );
}

function isShortestSingle(value: number): boolean {
  if (significantDigits(value) > singleDigits) return false;
  const single = Math.fround(value);
  for (let digits = 1; digits <= singleDigits; digits++) {
    const short = Number(single.toPrecision(digits));
    if (Math.fround(short) === single) return short === value;
  }
  return false;
}

export function equalAt(
  published: number,
  recomputed: number,
  precision: Precision,
  noise = numericNoise,
): boolean {
  if (published === recomputed || !Number.isFinite(recomputed)) return published === recomputed;
  const slack = noise * Math.max(1, Math.abs(recomputed), Math.abs(published));
  return Math.abs(published - recomputed) <= halfWidthAt(precision, published) + slack;
}
