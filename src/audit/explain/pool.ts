/** What the results of a project show together: one program computed them. */
import { maxOutliers, type Target } from "../target.js";
import type { Hypothesis } from "./hypotheses.js";
import { candidateName, type SearchResult, type SharedConventions } from "./search.js";
import { bitsForPool, chanceBits, missesOnlyWrong } from "./weigh.js";

interface Vote {
  readonly parts: readonly Hypothesis[];
  /** Bits for it, or, below zero, against it; what it costs to name is not counted. */
  readonly bits: number;
  /** Whether it reproduces four of five of the numbers that differ. */
  readonly isMatch: boolean;
}

/** The votes of one result, by the candidate's name. */
export type CandidateVotes = ReadonlyMap<string, Vote>;

/** Bits of a convention that is known from elsewhere in the project. */
const knownBits = 0.1;

/** How the numbers of one result speak for and against every candidate of its search. */
export function votesOf(target: Target, result: SearchResult): CandidateVotes {
  const { own, candidates } = result;
  const differing = own.fit.misses.length + own.fit.unpublished.length;
  const votes = new Map<string, Vote>();
  for (const candidate of candidates) {
    const { fit, hypotheses: parts } = candidate;
    // Names of interval ends are tried with every explanation of a result.
    if (parts.some(({ axis }) => axis === "labels")) continue;
    const isMatch =
      fit.misses.length + fit.unpublished.length <= maxOutliers(differing) &&
      missesOnlyWrong(target, result, candidate);
    if (isMatch) {
      votes.set(candidateName(candidate), {
        parts,
        isMatch,
        bits: bitsForPool(target, result, candidate),
      });
    } else
      votes.set(candidateName(candidate), {
        parts,
        isMatch,
        bits: -Math.max(0, fit.missBits - own.fit.missBits),
      });
  }
  return votes;
}

/**
 * The candidate for which the results together speak most: it is paid for once, each result adds
 * its bits, and results that contradict it subtract theirs. Null if the sum does not reach its cost
 * and the margin, which grows with the candidates tried, or if only one result shows it. What is
 * `known` of the project costs almost nothing.
 */
export function sharedBy(
  all: readonly CandidateVotes[],
  known: ReadonlySet<string> = new Set(),
): SharedConventions | null {
  const tried = new Map<string, readonly Hypothesis[]>();
  for (const votes of all) for (const [name, { parts }] of votes) tried.set(name, parts);
  const bitsOf = ({ name, bits }: Hypothesis): number => (known.has(name) ? knownBits : bits);
  const weighed = [...tried].flatMap(([name, parts]) => {
    const votes = all.flatMap((own) => own.get(name) ?? []);
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
