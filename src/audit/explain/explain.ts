import type { Evaluator, Scenario } from "../evaluate/index.js";
import type { Target } from "../target/index.js";
import { explanationOf, nearestCandidate, nearestOf, type Explanation, type Nearest } from "./explanation.js";
import type { Candidate } from "./search/candidate.js";
import type { SearchLimits } from "../limits.js";
import { search } from "./search/search.js";

interface ExplainResult {
  readonly explanation: Explanation | null;
  /** How close the best candidate comes; null if there is an explanation. */
  readonly nearest: Nearest | null;
  /** The explaining candidate, otherwise the nearest; the run's own if it has neither conventions nor parameters. */
  readonly candidate: Candidate;
  /** Conventions that the published options state, as `name=value`. */
  readonly stated: readonly string[];
  /** Number of combinations evaluated. */
  readonly tried: number;
  /** Stages of the search that the work limit interrupted. */
  readonly untried: readonly string[];
}

/** Searches for the conventions and parameters that reproduce published numbers. `own`: the run's conventions. */
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
