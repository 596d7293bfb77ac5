/** The shortest decimal number in [low, high]: the one that a person would choose. */
export function simplestIn(low: number, high: number): number {
  if (low <= 0 && high >= 0) return 0;
  const middle = (low + high) / 2;
  const magnitude = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high))));
  for (let digits = 0; digits <= 17; digits++) {
    const unit = 10 ** (magnitude - digits);
    const rounded = Number((Math.round(middle / unit) * unit).toPrecision(digits + 2));
    for (const candidate of [rounded, Number((Math.ceil(low / unit) * unit).toPrecision(digits + 2))]) {
      if (candidate >= low && candidate <= high) return candidate;
    }
  }
  return middle;
}

/** Shares of a range in which to look for a simple number, widest first. */
const shares = [1, 0.25, 0.05];

/** Simple numbers near the middle of a range, the shortest first; the middle itself last. */
export function simplestWithin(low: number, high: number): number[] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [];
  const middle = (low + high) / 2;
  const simple = shares.map((share) =>
    simplestIn(middle - (share * (high - low)) / 2, middle + (share * (high - low)) / 2),
  );
  return [...new Set([...simple, middle])];
}

/** Powers of ten of the first digit that are equally likely: 0.1 to 999. */
const usualMagnitudes = [-1, 2] as const;

/** Bits to state a decimal number: its digits and the position of the point, which costs more further away. */
export function bitsOfDecimal(value: number): number {
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const digits = mantissa.replace(/[-.]/g, "").length;
  const beyond = Math.max(0, usualMagnitudes[0] - Number(exponent), Number(exponent) - usualMagnitudes[1]);
  return Math.min(53, 2 + beyond + digits * Math.log2(10));
}
