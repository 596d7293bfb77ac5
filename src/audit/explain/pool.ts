/** What the results of a project show together: one program computed them. */
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
    const isMatch =
      missesOf(fit) <= maxOutliers(missesOf(own.fit)) && missesOnlyWrong(result, candidate);
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
