import type { Evaluator, Scenario } from "../evaluate/index.js";
import type { Target } from "../target/index.js";
import { explanationOf, nearestCandidate, nearestOf, type Explanation, type Nearest } from "./explanation.js";
import type { Candidate } from "./search/candidate.js";
import { search, type SearchLimits } from "./search/search.js";

interface ExplainResult {
  readonly explanation: Explanation | null;
  /** How near the best candidate comes; null if there is an explanation. */
  readonly nearest: Nearest | null;
  /** The candidate that explains or, failing that, comes nearest; without conventions and parameters it is the run's. */
  readonly candidate: Candidate;
  /** Conventions that the published options state, as `name=value`. */
  readonly stated: readonly string[];
  /** Number of combinations evaluated. */
  readonly tried: number;
  /** Stages of the search that the limit on work cut short. */
  readonly untried: readonly string[];
}

/** Looks for the conventions and parameters under which published numbers follow. `own`: the run's conventions. */
export function explain(target: Target, evaluator: Evaluator, own: Scenario, limits?: SearchLimits): ExplainResult {
  const result = search(target, evaluator, own, limits);
  const found = explanationOf(target, result);
  return {
    explanation: found?.explanation ?? null,
    nearest: found === null ? nearestOf(target, result) : null,
    candidate: found?.candidate ?? nearestCandidate(result),
    stated: result.stated.map((h) => h.name),
    tried: result.tried,
    untried: result.untried,
  };
}
