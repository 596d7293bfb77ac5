import { isIntervalEnd } from "../../../metrics/index.js";
import type { Evaluator, Scenario } from "../../evaluate/index.js";
import { fitOf, maxOutliers, modelOf, type Target } from "../../target/index.js";
import type { Hypothesis } from "../hypotheses/index.js";
import type { Parameter } from "../parameters/index.js";
import { byPreference, totalBits, type Candidate } from "./candidate.js";

/** Saved bits beyond which the search ends with an explanation that reproduces everything. */
const certainBits = 100;
/** Saved bits beyond which parameters of an Elo are not combined with conventions, even if a number is missed. */
const sureBits = 50;

/** Everything that a search has evaluated so far. */
export interface Candidates {
  /** The run's conventions. */
  readonly own: Candidate;
  /** Evaluates a candidate; null if it was evaluated before. */
  consider(hypotheses: readonly Hypothesis[], parameters: readonly Parameter[], scenario: Scenario): Candidate | null;
  /** All but the run's conventions, best first. */
  ranked(): Candidate[];
  tried(): number;
  /** True once a candidate costs less than `bits`. */
  beats(bits: number): boolean;
  /** True once nothing that costs `minBits` or more can do better, or as well except with a chance of 2^-100. */
  isSettled(minBits: number): boolean;
  /** True once a candidate that misses few numbers has parameters beyond doubt. */
  isSure(): boolean;
}

export function createCandidates(target: Target, evaluator: Evaluator, own: Scenario): Candidates {
  const { cells, kind } = target;
  const cellsWithoutEnds = cells.filter(({ field }) => !isIntervalEnd(kind, field)).length;
  const all: Candidate[] = [];
  const seen = new Set<string>();
  let leastBits = Infinity;
  const base = consider([], [], own) as Candidate;
  const savedBits = (c: Candidate): number => totalBits(base) - totalBits(c);
  const beats = (bits: number): boolean => leastBits < bits;
  /** A line through the numbers may be a convention that comes near one. */
  const isCertain = (c: Candidate): boolean =>
    c.fit.missBits === 0 && c.scenario.rescaled === null && savedBits(c) > certainBits;
  return {
    own: base,
    consider,
    ranked: () => all.filter((c) => c !== base).sort(byPreference),
    tried: () => seen.size,
    beats,
    isSettled: (minBits) => beats(minBits) || all.some(isCertain),
    isSure: () => all.some((c) => c.fit.misses.length <= maxOutliers(cells.length) && savedBits(c) > sureBits),
  };

  function consider(
    hypotheses: readonly Hypothesis[],
    parameters: readonly Parameter[],
    scenario: Scenario,
  ): Candidate | null {
    const key = JSON.stringify([hypotheses.map((h) => h.name), parameters.map((p) => [p.name, p.value])]);
    if (seen.has(key)) return null;
    seen.add(key);
    const nameBits = [...hypotheses, ...parameters].reduce((sum, part) => sum + part.bits, 0);
    const candidate: Candidate = { hypotheses, parameters, scenario, nameBits, ...tabled(scenario) };
    all.push(candidate);
    leastBits = Math.min(leastBits, totalBits(candidate));
    return candidate;
  }

  /** Interval ends cost the most, so they are computed only if most of the other numbers fit. */
  function tabled(scenario: Scenario): Pick<Candidate, "table" | "fit"> {
    const quick = evaluator.table(kind, scenario, false);
    const fit = fitOf(target, quick, scenario.rounding);
    const model = modelOf(target, quick);
    const missed = fit.misses.filter((i) => Number.isFinite(model[i])).length;
    if (kind !== "bayesian_elo" || missed > maxOutliers(cellsWithoutEnds)) return { table: quick, fit };
    const table = evaluator.table(kind, scenario);
    return { table, fit: fitOf(target, table, scenario.rounding) };
  }
}
