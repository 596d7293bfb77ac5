import { axis } from "./options.js";
import { either } from "./schema.js";

/** What means and shares are divided by. */
export const denominator = either(["n", "n-1"]);

export const divisors = axis("denominator", (value) => ({ conventions: { denominator: value } }), {
  n: [4, "sums are divided by n"],
  "n-1": [4, "sums are divided by n - 1"],
});

/** Averages over n as averages over the convention's divisor. */
export function withDivisor(average: Float64Array, n: Float64Array, divisor: "n" | "n-1"): Float64Array {
  if (divisor === "n") return average;
  return average.map((value, i) => ((n[i] as number) > 1 ? (value * (n[i] as number)) / ((n[i] as number) - 1) : NaN));
}
