/** Values that conventions and published options share. */
import { Type } from "typebox";
import type { KindHypothesis, OptionSpelling } from "./kind.js";

export const either = Type.Enum;
export const positive = Type.Number({ exclusiveMinimum: 0 });
export const seed = Type.Integer({ minimum: 0, maximum: 0xffffffff });

const numeric = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Finite, or such a number in a text; otherwise undefined. */
export function numberIn(value: unknown): number | undefined {
  const read = typeof value === "string" && numeric.test(value.trim()) ? Number(value) : value;
  return typeof read === "number" && Number.isFinite(read) ? read : undefined;
}

export const choice =
  <T extends string, P>(values: readonly T[], patch: (value: T) => P) =>
  (value: unknown): P | undefined => {
    const found = values.find((v) => v === value);
    return found === undefined ? undefined : patch(found);
  };

/** A hypothesis for each value, and the option that states it; `fields`: what it changes. */
export function axis<T extends string, P>(
  name: string,
  patch: (value: T) => P,
  values: Readonly<Record<T, readonly [bits: number, says: string]>>,
  fields?: readonly string[],
) {
  const each = Object.entries(values) as [T, readonly [number, string]][];
  return {
    hypotheses: each.map(([value, [bits, says]]): KindHypothesis<P> => ({
      axis: name,
      value,
      bits,
      says,
      set: patch(value),
      ...(fields && { fields }),
    })),
    option: (...names: string[]): OptionSpelling<P> => ({
      axis: name,
      names,
      read: choice(
        each.map(([value]) => value),
        patch,
      ),
    }),
  };
}

export const usual = <P>(
  name: string,
  values: readonly number[],
  set: (value: number) => P,
  what: string,
) =>
  values.map((value) => ({
    axis: name,
    value: String(value),
    bits: 3,
    says: `${what} ${value}`,
    set: set(value),
  }));

/** A number, or one in a text, that `isValid` accepts. */
export const number =
  <P>(patch: (value: number) => P, isValid: (value: number) => boolean = Number.isFinite) =>
  (value: unknown): P | undefined => {
    const read = numberIn(value);
    return read !== undefined && isValid(read) ? patch(read) : undefined;
  };

export const likelihoodFits = axis("fit", (form) => ({ form }), {
  likelihood: [
    4,
    "ratings are a maximum-likelihood Bradley-Terry fit, with their mean at the start or the " +
      "anchor",
  ],
});

export const isPositive = (value: number): boolean => value > 0;

export const denominator = either(["n", "n-1"]);

export const divisors = axis("denominator", (value) => ({ conventions: { denominator: value } }), {
  n: [4, "sums are divided by n"],
  "n-1": [4, "sums are divided by n - 1"],
});

export function withDivisor(
  average: Float64Array,
  n: Float64Array,
  divisor: "n" | "n-1",
): Float64Array {
  if (divisor === "n") return average;
  return average.map((value, i) => (n[i]! > 1 ? (value * n[i]!) / (n[i]! - 1) : NaN));
}
