/** Significant digits beyond which a published number is taken as an unrounded double. */
const fullPrecisionDigits = 15;

/** Relative noise of sums and logarithms taken in another order (metrics: "converged reals to 1e-9 relative"). */
export const numericNoise = 1e-9;

/** Decimals of the shortest text that names `value`: 12.5 has 1, 3 has 0, 1e-7 has 7. */
export function decimalsOf(value: number): number {
  const [mantissa = "", exponent = "0"] = String(Math.abs(value)).split("e");
  const fraction = mantissa.split(".")[1]?.length ?? 0;
  return Math.max(0, fraction - Number(exponent));
}

/** Decimals of a number published as text; trailing zeros count, because someone wrote them. */
export function decimalsOfText(text: string): number {
  const [mantissa = "", exponent = "0"] = text.trim().toLowerCase().split("e");
  const fraction = mantissa.split(".")[1]?.length ?? 0;
  return Math.max(0, fraction - Number(exponent));
}

function significantDigits(value: number): number {
  const [mantissa = ""] = String(Math.abs(value)).split("e");
  return mantissa.replace(".", "").replace(/^0+/, "").length;
}

/** How finely a set of numbers of one field was published. `decimals` null: not rounded to decimals. */
export interface Precision {
  readonly decimals: number | null;
  /** Half a unit of the last published decimal; 0 where not rounded; the most of any number in single precision. */
  readonly halfWidth: number;
  /** Numbers were stored in single precision; half a unit of the last decimal where such are shown in short, else 0. */
  readonly single?: number;
}

export const unrounded: Precision = { decimals: null, halfWidth: 0 };

/** How far `value` may lie from what was computed. */
export function halfWidthAt({ halfWidth, single }: Precision, value: number): number {
  if (single === undefined || value === 0) return halfWidth;
  const halfUnit = 2 ** (Math.floor(Math.log2(Math.abs(value))) - 24);
  return Math.max(single, halfUnit + Math.abs(value - Math.fround(value)));
}

/**
 * The precision of numbers published together: the most decimals that any of them shows, since JSON drops
 * trailing zeros. When one shows 15 or more significant digits nothing was rounded, unless all were stored in single
 * precision.
 */
export function precisionOf(numbers: readonly { value: number; decimals: number }[]): Precision {
  const decimals = numbers.reduce((most, n) => Math.max(most, n.decimals), 0);
  const isWhole = numbers.some((n) => n.decimals > 0 && significantDigits(n.value) >= fullPrecisionDigits);
  if (isStoredInSingle(numbers, decimals, isWhole)) {
    const single = isWhole ? 0 : 0.5 * 10 ** -decimals;
    const wide = numbers.map((n) => halfWidthAt({ decimals: null, halfWidth: 0, single }, n.value));
    return { decimals: null, halfWidth: Math.max(...wide), single };
  }
  return isWhole ? unrounded : { decimals, halfWidth: 0.5 * 10 ** -decimals };
}

/** Fewest numbers, and digits of each, that show single precision: seven digits say no more of a number than it has. */
const showing = { numbers: 3, digits: 7 };

/**
 * Written out in full, or by the shortest decimal that names it. Short decimals are evidence only where they are
 * closer together than numbers of single precision; so what is found is never finer than the decimals say.
 */
function isStoredInSingle(
  numbers: readonly { value: number; decimals: number }[],
  decimals: number,
  isWhole: boolean,
): boolean {
  const reals = numbers.filter((n) => !Number.isInteger(n.value));
  const finer = (value: number): boolean => 10 ** -decimals < 2 ** (Math.floor(Math.log2(Math.abs(value))) - 23);
  const telling = reals.filter(
    ({ value }) => significantDigits(value) >= (isWhole ? fullPrecisionDigits : showing.digits) && finer(value),
  );
  return (
    telling.length >= showing.numbers &&
    reals.every(({ value }) => Math.fround(value) === value || isShortestSingle(value))
  );
}

function isShortestSingle(value: number): boolean {
  const single = Math.fround(value);
  for (let digits = 1; digits <= 9; digits++) {
    const short = Number(single.toPrecision(digits));
    if (Math.fround(short) === single) return short === value;
  }
  return false;
}

/** True where `recomputed`, rounded as published, is `published`; ties of rounding may go either way. */
export function equalAt(published: number, recomputed: number, precision: Precision, noise = numericNoise): boolean {
  if (published === recomputed) return true;
  const slack = noise * Math.max(1, Math.abs(recomputed), Math.abs(published));
  return Math.abs(published - recomputed) <= halfWidthAt(precision, published) + slack;
}
