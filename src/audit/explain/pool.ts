/** What the results of a project show together: one program computed them. */
import { byExperiments, resultKey } from "../result.js";
import { groupsOf } from "../../platform/index.js";
import type { EvaluatorOf } from "../recompute/evaluator.js";
import { findCause, type CauseSettings, type FoundCause, type OpenResult } from "./find-cause.js";
import { maxOutliers, missesOf } from "../compare/target.js";
import { whatIs, type Hypothesis } from "../recompute/hypotheses.js";
import { candidateName, type SearchResult, type SharedConventions } from "./search.js";
import { bitsForPool, chanceBits, missesOnlyWrong } from "./weigh.js";

interface Vote {
  readonly parts: readonly Hypothesis[];
  readonly bits: number;
  readonly isMatch: boolean;
}

export type CandidateVotes = ReadonlyMap<string, Vote>;

const knownBits = 0.1;

export function votesOf(result: SearchResult): CandidateVotes {
  const { own, candidates } = result;
  const votes = new Map<string, Vote>();
  for (const candidate of candidates) {
    const { fit, hypotheses: parts } = candidate;
    // Names of interval ends are tried with every explanation of a result.
    if (parts.some((part) => whatIs(part) === "names")) continue;
    const isMatch = missesOf(fit) <= maxOutliers(missesOf(own.fit)) && missesOnlyWrong(candidate);
    const bits = isMatch
      ? bitsForPool(result, candidate)
      : -Math.max(0, fit.missBits - own.fit.missBits);
    votes.set(candidateName(candidate), { parts, isMatch, bits });
  }
  return votes;
}

/** The highest sum of bits, above cost and margin, and of several results. `known`: almost free. */
export function sharedBy(
  all: readonly CandidateVotes[],
  known: ReadonlySet<string> = new Set(),
): SharedConventions | null {
  const tried = new Map<string, readonly Hypothesis[]>();
  for (const votes of all) for (const [name, { parts }] of votes) tried.set(name, parts);
  const bitsOf = ({ name, bits }: Hypothesis): number => (known.has(name) ? knownBits : bits);
  const weighed = [...tried].flatMap(([name, parts]) => {
    const votes = all.flatMap((votes) => votes.get(name) ?? []);
    const matches = votes.filter(({ isMatch }) => isMatch).length;
    const isKnown = parts.every((part) => known.has(part.name));
    const alternatives = isKnown
      ? 1
      : [...tried.values()].filter((other) => other.length <= parts.length).length;
    const gained = votes.reduce((sum, { bits }) => sum + bits, 0);
    const left = parts.reduce((sum, part) => sum - bitsOf(part), gained);
    if (matches < (isKnown ? 1 : 2) || left < chanceBits + Math.log2(alternatives)) return [];
    return [{ name, parts, left }];
  });
  weighed.sort((a, b) => b.left - a.left || (a.name < b.name ? -1 : 1));
  const [best] = weighed;
  if (best === undefined) return null;
  return { name: best.name, parts: best.parts.map((part) => ({ ...part, bits: knownBits })) };
}

interface VotedCause {
  readonly experiment_id: string;
  /** Null in doubt. */
  readonly votes: CandidateVotes | null;
  found: FoundCause;
}

/** Explains each result alone, then again by what others of its kind show. */
export function explainer(evaluatorOf: EvaluatorOf, settings: CauseSettings) {
  const all: VotedCause[] = [];
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
        const evaluator = await evaluatorOf(experiment_id);
        const found = findCause(places, evaluator, settings, null, hear);
        all.push({ experiment_id, found, votes });
      }
    },
    shared() {
      const heard = byExperiments(all).flatMap(({ found: { places }, votes }) =>
        votes === null ? [] : [[places[0], votes] as const],
      );
      return inferShared(new Map(all.length > 1 ? heard : []));
    },
    async explainShared(
      shared: ReadonlyMap<OpenResult, SharedConventions>,
      isIn: (experiment: string) => boolean,
    ): Promise<void> {
      for (const voted of all) {
        const { experiment_id } = voted;
        const { places } = voted.found;
        const conventions = shared.get(places[0]);
        if (conventions !== undefined && isIn(experiment_id))
          voted.found = findCause(places, await evaluatorOf(experiment_id), settings, conventions);
      }
    },
    explained: (): FoundCause[] => byExperiments(all).map(({ found }) => found),
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
