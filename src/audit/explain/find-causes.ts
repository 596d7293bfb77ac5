/** The causes of all results that differ, with what they show together. */
import { byExperiments, resultKey, type ComparedNumber } from "../result.js";
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

interface OneCause {
  readonly experiment_id: string;
  readonly places: ExplainedResult["places"];
  /** Null in doubt. */
  readonly votes: CandidateVotes | null;
  cause: FoundCause;
}

/** Explains each result alone, then those again of which others of their kind show a convention. */
export function explainer(evaluatorOf: EvaluatorOf, settings: CauseSettings) {
  const all: OneCause[] = [];
  return {
    /** @param open in all their places */
    async explain(open: readonly OpenResult[]): Promise<void> {
      const alike = groupsOf(open, ({ target: { group } }) =>
        JSON.stringify([resultKey(group), group.cells, group.options]),
      );
      for (const places of alike.values()) {
        const [result] = places;
        const { experiment_id } = result.target.group;
        let votes: CandidateVotes | null = null;
        const hear = (alone: SearchResult) => {
          votes = result.doubt === undefined ? votesOf(alone) : null;
        };
        const cause = findCause(result, await evaluatorOf(experiment_id), settings, null, hear);
        all.push({ experiment_id, places, votes, cause });
      }
    },
    shared() {
      const heard = byExperiments(all).flatMap(({ places: [result], votes }) =>
        votes === null ? [] : [[result, votes] as const],
      );
      return inferShared(new Map(all.length > 1 ? heard : []));
    },
    async explainShared(
      shared: ReadonlyMap<OpenResult, SharedConventions>,
      isIn: (experiment: string) => boolean,
    ): Promise<void> {
      for (const one of all) {
        const [result] = one.places;
        const conventions = shared.get(result);
        if (conventions !== undefined && isIn(one.experiment_id))
          one.cause = findCause(
            result,
            await evaluatorOf(one.experiment_id),
            settings,
            conventions,
          );
      }
    },
    explained: (): ExplainedResult[] =>
      byExperiments(all).map(({ places, cause: { tell, ...cause } }) => {
        const numbers = places.flatMap((place) => place.numbers.map(tell));
        return { ...cause, places, numbers };
      }),
  };
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
