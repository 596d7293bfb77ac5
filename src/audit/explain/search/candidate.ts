import { mainField, type Table } from "../../../metrics/index.js";
import type { Fit, Target } from "../../target/index.js";
import type { Hypothesis } from "../hypotheses/hypothesis.js";
import { decimalsOf } from "../../published/precision.js";
import { usualBits, type Parameter } from "../parameters/index.js";
import type { Scenario } from "../../evaluate/scenario.js";

/** Conventions with or without identified parameters, and how they stand to the published numbers. */
export interface Candidate {
  readonly switches: readonly Hypothesis[];
  readonly parameters: readonly Parameter[];
  readonly scenario: Scenario;
  readonly table: Table;
  readonly fit: Fit;
  /** What it costs to name the conventions and the parameters. */
  readonly nameBits: number;
}

/** Description length: naming the convention, and stating one by one what it does not reproduce. */
export function totalBits({ nameBits, fit }: Candidate): number {
  return nameBits + fit.missBits;
}

export function nameOf({ switches, parameters }: Candidate): string {
  return [...switches.map((h) => h.name), ...parameters.map((p) => `${p.name}=${p.value}`)].join(" ");
}

/** Number of things that have to be supposed. */
export function sizeOf({ switches, parameters }: Candidate): number {
  return switches.length + parameters.length;
}

/** Simplest first, then the closest, then by name so that the order is always the same. */
export function byPreference(a: Candidate, b: Candidate): number {
  const difference = totalBits(a) - totalBits(b);
  if (Math.abs(difference) > 1e-9) return difference;
  if (a.fit.spread !== b.fit.spread) return a.fit.spread - b.fit.spread;
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

/** The same conventions and the same free parameters, whatever their values. */
export function familyOf({ switches, parameters }: Candidate): string {
  return [...switches.map((h) => h.name), ...parameters.map((p) => p.name)].join(" ");
}

/** Bits by which one explanation has to be shorter than another to be preferred to it: less is no more than how bits are counted. */
const alikeBits = 1;

/**
 * Candidates of another kind that reproduce as much as `best` and suppose as much: equally many things, or what takes
 * as long to say. Nothing published tells them apart.
 */
export function rivalsOf(best: Candidate, candidates: readonly Candidate[]): Candidate[] {
  const left = (c: Candidate): number => c.fit.misses.length + c.fit.unpublished.length;
  const families = new Set([familyOf(best)]);
  return candidates.filter((c) => {
    const isAlike = sizeOf(c) === sizeOf(best) || Math.abs(totalBits(c) - totalBits(best)) < alikeBits;
    if (!isAlike || left(c) > left(best) || families.has(familyOf(c))) return false;
    families.add(familyOf(c));
    return true;
  });
}

const levels: ReadonlySet<string> = new Set(["start", "anchor", "shift"]);

/**
 * Whether more than one parameter has a value that nobody would choose, of a level one with more decimals than are
 * published: coarse numbers follow from such as these without their being meant. alpha and beta are one prior.
 */
export function isTooFree(parameters: readonly Parameter[], { group, kind }: Target): boolean {
  const decimals = group.precision[mainField(kind)]?.decimals ?? 0;
  const isOdd = ({ name, value, bits }: Parameter): boolean =>
    levels.has(name) ? decimalsOf(value) > decimals : bits > usualBits;
  return parameters.filter((p) => p.name !== "beta" && isOdd(p)).length > 1;
}
