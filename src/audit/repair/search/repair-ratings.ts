import { selectRatings } from "../../ratings/index.js";
import type { Budget } from "../budget.js";
import { chanceBits } from "../chance.js";
import { matching, withSessionsBefore, type Mismatch } from "../mismatch.js";
import type { FoundRepair } from "../repair.js";
import { idOf, matchingAfter, type EditOf } from "./edit.js";
import { evidenceOf } from "./evidence.js";
import { closingUnitSets } from "./sets.js";
import { closingSingles, type FoundEdit } from "./singles.js";
import { searchSpaces, type SearchSpace } from "./spaces.js";
import { editText, staleText } from "./words.js";

/**
 * Finds the change of ratings that makes the published numbers match: the first sessions of the service order (a stale
 * result); one session, rater, slate or rating that is left out, counted twice, reversed, tied or added; or a few of
 * them. Each reported change was recomputed from the changed ratings, and outweighs chance: the published numbers that
 * differ carry more bits than it takes to name the change; at most `bits` of them count. Null also for numbers that are
 * no sums of ratings (medians, means by rater, rater quality, early stops, other scales).
 */
export function repairRatings(mismatch: Mismatch, bits: number, budget: Budget): FoundRepair | null {
  const { ratings } = mismatch.evaluator;
  const spaces = searchSpaces(mismatch);
  const first = spaces?.[0]?.influence;
  if (spaces === null || first === undefined) return null;
  const evidence = Math.min(evidenceOf(first), bits);
  /** Whether the numbers outweigh the choice of one among `changes`. */
  const isSupported = (changes: number): boolean => Math.log2(Math.max(1, changes)) + chanceBits <= evidence;
  if (!isSupported(1)) return null;
  const stale = isSupported(new Set(ratings.session).size) ? staleResult(first.prefixes(budget)) : null;
  return stale ?? oneUnit(spaces) ?? severalUnits(spaces);

  function oneUnit(all: readonly SearchSpace[]): FoundRepair | null {
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

  function severalUnits(all: readonly SearchSpace[]): FoundRepair | null {
    let best: FoundEdit[] = [];
    for (const space of all) {
      const size = best[0]?.numbers.length ?? Infinity;
      const found = closingUnitSets(space, evidence, size, budget.share(0.3));
      const least = Math.min(...found.map((f) => f.numbers.length));
      const smallest = found.filter((f) => f.numbers.length === least);
      best = least < size ? smallest : least === size ? [...best, ...smallest] : best;
    }
    return confirmed(best);
  }

  /** The first that also matches when everything is recomputed. */
  function confirmed(found: readonly EditOf[]): FoundRepair | null {
    for (const { edit, numbers } of found) {
      const gives = matchingAfter(mismatch, { edit, numbers });
      if (gives === null) continue;
      const { alteration: change, unit } = edit;
      const ids = numbers.map((n) => idOf(ratings, unit, n));
      const alternatives = found.length - 1;
      return { change, unit, ids, alternatives, says: editText(edit, ids, alternatives), gives };
    }
    return null;
  }

  /** The newest sessions are missing; `possible` are the ranks at which they may begin. */
  function staleResult(possible: readonly number[]): FoundRepair | null {
    for (const rank of possible) {
      const gives = matching(withSessionsBefore(mismatch, rank));
      if (gives === null) continue;
      const counted = selectRatings(ratings, mismatch.scenario.population);
      const late = new Set(ratings.session.filter((s, i) => s >= rank && counted[i] === 1));
      const ids = [...late].sort((a, b) => b - a).map((r) => ratings.sessions[r]?.id ?? "");
      return { change: "stale", unit: "session", ids, alternatives: possible.length - 1, says: staleText(ids), gives };
    }
    return null;
  }
}
