import { isCount, type Kind } from "../../metrics/index.js";
import { equalAt, halfWidthAt, numericNoise, type Precision } from "../published/index.js";
import { allowance, type Tolerances } from "../tolerances.js";

export interface Compared {
  readonly difference: number;
  readonly tolerance: number;
  readonly verdict: "exact" | "within_tolerance" | "unexplained";
}

/** Compares two numbers: equal at the published precision, within the declared tolerance, or neither. */
export function compare(
  kind: Kind,
  field: string,
  published: number,
  recomputed: number,
  precision: Precision,
  tolerances: Tolerances,
): Compared {
  const difference = published - recomputed;
  const isInteger = isCount(kind, field) && Number.isInteger(recomputed);
  const tolerance = allowance(tolerances, kind, field, recomputed);
  if (
    equalAt(published, recomputed, isInteger ? { decimals: 0, halfWidth: 0 } : precision, isInteger ? 0 : numericNoise)
  ) {
    return { difference, tolerance, verdict: "exact" };
  }
  const bound = tolerance + (isInteger ? 0 : halfWidthAt(precision, published));
  return { difference, tolerance, verdict: Math.abs(difference) <= bound ? "within_tolerance" : "unexplained" };
}
