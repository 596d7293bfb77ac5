const numeric = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A finite number, or the number in a text; otherwise undefined. */
export function numberIn(value: unknown): number | undefined {
  const read = typeof value === "string" && numeric.test(value.trim()) ? Number(value) : value;
  return typeof read === "number" && Number.isFinite(read) ? read : undefined;
}

/** Reads one of `values`. */
export const choice =
  <T extends string, P>(values: readonly T[], patch: (value: T) => P) =>
  (value: unknown): P | undefined => {
    const found = values.find((v) => v === value);
    return found === undefined ? undefined : patch(found);
  };

/** Reads a number, or the number in a text, that `isValid` accepts. */
export const number =
  <P>(patch: (value: number) => P, isValid: (value: number) => boolean = Number.isFinite) =>
  (value: unknown): P | undefined => {
    const read = numberIn(value);
    return read !== undefined && isValid(read) ? patch(read) : undefined;
  };

export const positive = (value: number): boolean => value > 0;
