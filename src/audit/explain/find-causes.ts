/** The causes of all results that differ, with what they show together. */
import { resultKey, type ComparedNumber } from "../result.js";
import { groupsOf } from "../../platform/index.js";
import type { EvaluatorOf } from "../recompute/evaluator.js";
import { sharedBy, votesOf, type CandidateVotes } from "./pool.js";
import type { SearchResult, SharedConventions } from "./search.js";
import { findCause, type CauseSettings, type FoundCause, type OpenResult } from "./find-cause.js";

/** One published result in all its places. */
export interface ExplainedResult extends Omit<FoundCause, "tell"> {
  readonly places: readonly [OpenResult, ...OpenResult[]];
  readonly numbers: readonly ComparedNumber[];
}

export async function explainAll(
  open: readonly OpenResult[],
  evaluatorOf: EvaluatorOf,
  settings: CauseSettings,
): Promise<ExplainedResult[]> {
  const alike = groupsOf(open, ({ target: { group } }) =>
    JSON.stringify([resultKey(group), group.cells, group.options]),
  );
  const all = [...alike.values()];
  const once = all.map(([first]) => first);
  const found = await findCauses(once, evaluatorOf, settings);
  return all.map((places) => {
    const { tell, ...cause } = found.get(places[0])!;
    return { ...cause, places, numbers: places.flatMap(({ numbers }) => numbers.map(tell)) };
  });
}

/** Each result alone, then those again of which others of their kind show a convention. */
async function findCauses(
  open: readonly OpenResult[],
  evaluatorOf: EvaluatorOf,
  settings: CauseSettings,
): Promise<Map<OpenResult, FoundCause>> {
  const causes = new Map<OpenResult, FoundCause>();
  const votes = new Map<OpenResult, CandidateVotes>();
  const byExperiment = [
    ...groupsOf(open, ({ target }) => target.group.experiment_id).values(),
  ].flat();
  for (const result of byExperiment) {
    const evaluator = await evaluatorOf(result.target.group.experiment_id);
    const isHeard = open.length > 1 && result.doubt === undefined;
    const hear = (alone: SearchResult) => isHeard && votes.set(result, votesOf(alone));
    causes.set(result, findCause(result, evaluator, settings, null, hear));
  }
  const shared = inferShared(votes);
  for (const result of byExperiment.filter((one) => shared.has(one))) {
    const evaluator = await evaluatorOf(result.target.group.experiment_id);
    causes.set(result, findCause(result, evaluator, settings, shared.get(result)));
  }
  return causes;
}

/**
 * For a kind in the project, then in each experiment for the rest. Which ratings count is a rule of
 * the service: found for one kind, it is known for the others.
 */
export function inferShared(
  votes: ReadonlyMap<OpenResult, CandidateVotes>,
): Map<OpenResult, SharedConventions> {
  const shared = new Map<OpenResult, SharedConventions>();
  const rules = new Set<string>();
  const isOpen = (result: OpenResult): boolean =>
    votes.get(result)?.get(shared.get(result)?.name ?? "")?.isMatch !== true;
  const byKind = [...groupsOf([...votes.keys()], ({ target }) => target.kind).values()];
  const scopes = [
    ...byKind.toSorted((a, b) => b.length - a.length),
    ...groupsOf([...votes.keys()], ({ target }) =>
      JSON.stringify([target.kind, target.group.experiment_id]),
    ).values(),
  ];
  // A rule found last is known to the kinds that came before.
  for (const scope of [...scopes, ...scopes]) {
    const results = scope.filter(isOpen);
    const found = sharedBy(
      results.map((result) => votes.get(result)!),
      rules,
    );
    if (found === null) continue;
    for (const result of results) shared.set(result, found);
    for (const { set, name } of found.parts)
      if (Object.keys(set).every((key) => key === "population")) rules.add(name);
  }
  return shared;
}
