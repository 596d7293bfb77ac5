import type { Table } from "../../../metrics/index.js";
import type { Scenario } from "../../evaluate/index.js";
import type { TargetFit } from "../../target/index.js";
import type { Hypothesis } from "../hypotheses/index.js";
import type { Parameter } from "../parameters/index.js";

/** Conventions with or without free parameters, and how the numbers under them compare with the published ones. */
export interface Candidate {
  readonly hypotheses: readonly Hypothesis[];
  readonly parameters: readonly Parameter[];
  readonly scenario: Scenario;
  readonly table: Table;
  readonly fit: TargetFit;
  /** Bits to name the conventions and the parameters. */
  readonly nameBits: number;
}

/** Description length: naming the conventions and parameters, and listing the numbers that they do not reproduce. */
export function totalBits({ nameBits, fit }: Candidate): number {
  return nameBits + fit.missBits;
}

export function nameOf({ hypotheses, parameters }: Pick<Candidate, "hypotheses" | "parameters">): string {
  return [...hypotheses.map((h) => h.name), ...parameters.map((p) => `${p.name}=${p.value}`)].join(" ");
}

/** Number of conventions and parameters that a candidate assumes. */
export function sizeOf({ hypotheses, parameters }: Candidate): number {
  return hypotheses.length + parameters.length;
}

/** Simplest first, then the closest, then by name so that the order is always the same. */
export function byPreference(a: Candidate, b: Candidate): number {
  const difference = totalBits(a) - totalBits(b);
  if (Math.abs(difference) > 1e-9) return difference;
  if (a.fit.spread !== b.fit.spread) return a.fit.spread - b.fit.spread;
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

/** The same conventions and the same free parameters, whatever their values. */
function familyOf({ hypotheses, parameters }: Candidate): string {
  return [...hypotheses, ...parameters].map(({ name }) => name).join(" ");
}

/** Bits by which an explanation must be shorter than another to be preferred: less is an artefact of counting bits. */
const alikeBits = 1;

/**
 * Candidates of other families that reproduce as many numbers as `best` with equally many assumptions, or assumptions
 * that cost the same. The published numbers cannot distinguish them.
 */
export function rivalsOf(best: Candidate, candidates: readonly Candidate[]): Candidate[] {
  const missed = (c: Candidate): number => c.fit.misses.length + c.fit.unpublished.length;
  const families = new Set([familyOf(best)]);
  return candidates.filter((c) => {
    const isAlike = sizeOf(c) === sizeOf(best) || Math.abs(totalBits(c) - totalBits(best)) < alikeBits;
    if (!isAlike || missed(c) > missed(best) || families.has(familyOf(c))) return false;
    families.add(familyOf(c));
    return true;
  });
}
