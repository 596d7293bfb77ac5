import { exitCodes, type ExitCode } from "../../platform/index.js";
import { countFields, type Kind } from "../../metrics/index.js";
import { equalAt, halfWidthAt, numericNoise, type Precision } from "../published/precision.js";
import { allowance, type Tolerances } from "./tolerances.js";

/** What the audit says of one published number, mildest first (design: "The audit's verdicts"). */
export const verdicts = [
  "exact",
  "within_tolerance",
  "explained",
  "unexplained",
  "not_auditable",
  "inconclusive",
] as const;

export type Verdict = (typeof verdicts)[number];

export interface Compared {
  readonly difference: number;
  readonly tolerance: number;
  readonly verdict: "exact" | "within_tolerance" | "unexplained";
}

/** `published` beside `recomputed`: equal as published, inside the declared tolerance, or neither. */
export function compare(
  kind: Kind,
  field: string,
  published: number,
  recomputed: number,
  precision: Precision,
  tolerances: Tolerances,
): Compared {
  const difference = published - recomputed;
  const isCount = countFields.has(field) && Number.isInteger(recomputed);
  const tolerance = allowance(tolerances, kind, field, recomputed);
  if (equalAt(published, recomputed, isCount ? { decimals: 0, halfWidth: 0 } : precision, isCount ? 0 : numericNoise)) {
    return { difference, tolerance, verdict: "exact" };
  }
  const bound = tolerance + (isCount ? 0 : halfWidthAt(precision, published));
  return { difference, tolerance, verdict: Math.abs(difference) <= bound ? "within_tolerance" : "unexplained" };
}

/** The exit code of an audit: a mismatch beats a doubt; `allowExplained` false makes an explained number a mismatch. */
export function auditExitCode(
  summary: Readonly<Record<Verdict, number>>,
  correctness: { readonly compared: number; readonly equal: number },
  allowExplained = true,
): ExitCode {
  if (summary.unexplained > 0 || correctness.equal < correctness.compared) return exitCodes.unexplained;
  if (!allowExplained && summary.explained > 0) return exitCodes.unexplained;
  if (summary.not_auditable > 0 || summary.inconclusive > 0) return exitCodes.inconclusive;
  return exitCodes.ok;
}
