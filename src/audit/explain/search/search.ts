import { type Evaluator, patched, type Scenario } from "../../evaluate/index.js";
import { defaultLimits, type SearchLimits } from "../../limits.js";
import type { Target } from "../../target/index.js";
import { type Hypothesis, statedIn } from "../hypotheses/index.js";
import type { Candidate } from "./candidate.js";
import { createCandidates } from "./candidates.js";
import { explore } from "./explore.js";

export interface SearchResult {
  readonly evaluator: Evaluator;
  /** The run's conventions. */
  readonly own: Candidate;
  /** All others, best first. */
  readonly candidates: readonly Candidate[];
  /** Conventions that the published options state. */
  readonly stated: readonly Hypothesis[];
  /** Number of combinations evaluated. */
  readonly tried: number;
  /** Stages that the work limit interrupted; empty if everything was tried. */
  readonly untried: readonly string[];
}

/**
 * Searches for the conventions that reproduce the published numbers, simplest first: starting from the conventions that
 * the published options state, if any, then from the run's.
 */
export function search(
  target: Target,
  evaluator: Evaluator,
  own: Scenario,
  limits: SearchLimits = defaultLimits,
): SearchResult {
  const maxWork = evaluator.work + limits.work;
  const candidates = createCandidates(target, evaluator, own);
  const stated = statedIn(target.kind, target.group.options);
  const differing = stated.filter((h) => JSON.stringify(patched(own, h.set)) !== JSON.stringify(own));
  const untried = new Set<string>();
  for (const given of differing.length > 0 ? [differing, []] : [[]]) {
    const cutShort = explore({ target, evaluator, own, given, depth: limits.depth, maxWork, candidates });
    cutShort.forEach((stage) => untried.add(stage));
  }
  return {
    evaluator,
    own: candidates.own,
    candidates: candidates.ranked(),
    stated,
    tried: candidates.tried(),
    untried: [...untried],
  };
}
