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

/** How finely a set of numbers of one field was published. `decimals` null: not rounded. */
export interface Precision {
  readonly decimals: number | null;
  /** Half a unit of the last published decimal; 0 where not rounded. */
  readonly halfWidth: number;
}

export const unrounded: Precision = { decimals: null, halfWidth: 0 };

/**
 * The precision of numbers published together: the most decimals that any of them shows, since JSON drops
 * trailing zeros. When one shows 15 or more significant digits nothing was rounded.
 */
export function precisionOf(numbers: readonly { value: number; decimals: number }[]): Precision {
  let decimals = 0;
  for (const n of numbers) {
    if (n.decimals > 0 && significantDigits(n.value) >= fullPrecisionDigits) return unrounded;
    decimals = Math.max(decimals, n.decimals);
  }
  return { decimals, halfWidth: 0.5 * 10 ** -decimals };
}

/** True where `recomputed`, rounded as published, is `published`; ties of rounding may go either way. */
export function equalAt(published: number, recomputed: number, precision: Precision, noise = numericNoise): boolean {
  if (published === recomputed) return true;
  const slack = noise * Math.max(1, Math.abs(recomputed), Math.abs(published));
  return Math.abs(published - recomputed) <= precision.halfWidth + slack;
}
