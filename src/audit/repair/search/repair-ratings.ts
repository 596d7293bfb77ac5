import { selectRatings } from "../../ratings/index.js";
import type { Budget } from "../budget.js";
import { isMatch, withSessionsBefore, type Mismatch } from "../mismatch.js";
import type { Repair } from "../repair.js";
import { idOf, isMatchAfter, type EditOf } from "./edit.js";
import { bitsOfMisses, chanceBits, evidenceOf } from "./evidence.js";
import { recomputedPrefixes, recomputedSingles } from "./recomputed.js";
import { closingUnitSets } from "./sets.js";
import { closingSingles, type FoundEdit } from "./singles.js";
import { searchSpaces, type SearchSpace } from "./spaces.js";
import { editText, staleText } from "./words.js";

/**
 * Finds the change of ratings that makes the published numbers match: the first sessions of the service order (a stale
 * result); one session, rater, slate or rating that is left out, counted twice, reversed, tied or added; or a few of
 * them. Each reported change was recomputed from the changed ratings, and outweighs chance: the published numbers that
 * differ carry more bits than it takes to name the change.
 */
export function repairRatings(mismatch: Mismatch, budget: Budget): Repair | null {
  const { ratings } = mismatch.evaluator;
  const spaces = searchSpaces(mismatch);
  const first = spaces?.[0]?.influence;
  const ranks = first?.prefixes(budget) ?? recomputedPrefixes(mismatch, budget.share(0.3));
  const carried = bitsOfMisses(mismatch);
  const evidence = first === undefined ? carried : Math.min(evidenceOf(first), carried);
  /** Whether the numbers outweigh the choice of one among `changes`. */
  const isSupported = (changes: number): boolean => Math.log2(Math.max(1, changes)) + chanceBits <= evidence;
  const sessions = new Set(ratings.session).size;
  const stale = isSupported(sessions) ? staleResult(ranks) : null;
  if (stale !== null) return stale;
  if (spaces === null || first === undefined) {
    const { found, tried } = recomputedSingles(mismatch, budget);
    return found[0] === undefined || !isSupported(tried / found.length) ? null : repairOf(found[0], found.length - 1);
  }
  return oneUnit(spaces) ?? severalUnits(spaces);

  function oneUnit(all: readonly SearchSpace[]): Repair | null {
    const found = new Map<string, FoundEdit>();
    let possible = 0;
    for (const space of all) {
      const { found: here, units } = closingSingles(space, budget.share(0.4));
      possible += units;
      for (const one of here) if (!found.has(one.key)) found.set(one.key, one);
    }
    // Changes with the same effect are one choice: the numbers cannot tell them apart.
    return found.size > 0 && isSupported(possible / found.size) ? confirmed([...found.values()]) : null;
  }

  function severalUnits(all: readonly SearchSpace[]): Repair | null {
    let best: FoundEdit[] = [];
    for (const space of all) {
      const size = best[0]?.numbers.length ?? Infinity;
      if (size <= 2) break;
      const found = closingUnitSets(space, evidence, size, budget.share(0.3));
      const least = Math.min(...found.map((f) => f.numbers.length));
      const smallest = found.filter((f) => f.numbers.length === least);
      best = least < size ? smallest : least === size ? [...best, ...smallest] : best;
    }
    return confirmed(best);
  }

  /** The first that also matches when everything is recomputed. */
  function confirmed(found: readonly FoundEdit[]): Repair | null {
    const answer = found.find((f) => isMatchAfter(mismatch, f));
    return answer === undefined ? null : repairOf(answer, found.length - 1);
  }

  function repairOf({ edit, numbers }: EditOf, alternatives: number): Repair {
    const ids = numbers.map((n) => idOf(ratings, edit.unit, n));
    return { change: edit.alteration, unit: edit.unit, ids, alternatives, says: editText(edit, ids, alternatives) };
  }

  /** The newest sessions are missing; `possible` are the ranks at which they may begin. */
  function staleResult(possible: readonly number[]): Repair | null {
    const rank = possible.find((r) => isMatch(withSessionsBefore(mismatch, r)));
    if (rank === undefined) return null;
    const counted = selectRatings(ratings, mismatch.scenario.population);
    const late = new Set(ratings.session.filter((s, i) => s >= rank && counted[i] === 1));
    const ids = [...late].sort((a, b) => b - a).map((r) => ratings.sessions[r]?.id ?? "");
    return { change: "stale", unit: "session", ids, alternatives: possible.length - 1, says: staleText(ids) };
  }
}
