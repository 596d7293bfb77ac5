import type { Table } from "../../metrics/index.js";
import { selectRatings } from "../ratings/index.js";
import { fitOf, type Target } from "../target/index.js";
import { idOf, matchingAfter, searchSpaces, type Edit, type EditOf, type SearchSpace } from "./edits.js";
import { eventsOf, unitsOf, type Units } from "./events.js";
import { chanceBits, log2Choose, matching, withSessionsBefore, type Budget, type Mismatch } from "./mismatch.js";
import { nearestSets } from "./nearest-sets.js";
import { editText, staleText, type FoundRepair } from "./repair.js";
import { closingSubsets } from "./subsets.js";
import { closingUnits, isClosed, mayClose, passWork, subtract } from "./sums.js";

/** An edit that makes the numbers match. */
interface FoundEdit extends EditOf {
  /** Equal for equal changes of the same events. */
  readonly key: string;
}

/** Maximum number of units found in one space: more would mean nothing. */
const mostFound = 400;
/** Maximum number of units in a set: among larger ones, chance finds a fit for almost any numbers. */
const mostUnits = 4;
/** Bits to name the units, the alteration and the size of a set. */
const editBits = 5;

/**
 * Finds the change of ratings that makes the published numbers match: the first sessions of the service order (a stale
 * result); one session, rater, slate or rating that is left out, counted twice, reversed, tied or added; or a few of
 * them. Each reported change was recomputed from the changed ratings, and outweighs chance: the published numbers that
 * differ carry more bits (`evidence`) than it takes to name the change.
 */
export function repairRatings(mismatch: Mismatch, evidence: number, budget: Budget): FoundRepair | null {
  const { target, evaluator, scenario } = mismatch;
  const { ratings } = evaluator;
  /** Whether the numbers outweigh the choice of one among `changes`. */
  const isSupported = (changes: number): boolean => Math.log2(changes) + chanceBits <= evidence;
  if (!isSupported(1)) return null;
  const spaces = searchSpaces(mismatch);
  if (spaces === null) return null;
  return staleResult(spaces[0]!) ?? oneUnit(spaces) ?? severalUnits(spaces);

  /** The newest sessions are missing. */
  function staleResult(space: SearchSpace): FoundRepair | null {
    if (!isSupported(new Set(ratings.session).size)) return null;
    const possible = closingPrefixes(target, space, budget.share(0.3));
    for (const rank of possible) {
      const gives = matching(withSessionsBefore(mismatch, rank));
      if (gives === null) continue;
      const counted = selectRatings(ratings, scenario.population);
      const late = new Set(ratings.session.filter((s, i) => s >= rank && counted[i] === 1));
      const ids = [...late].sort((a, b) => b - a).map((r) => ratings.sessions[r]?.id ?? "");
      return { change: "stale", unit: "session", ids, alternatives: possible.length - 1, says: staleText(ids), gives };
    }
    return null;
  }

  function oneUnit(all: readonly SearchSpace[]): FoundRepair | null {
    const found = new Map<string, FoundEdit>();
    let possible = 0;
    for (const space of all) {
      const units = unitsOf(space.events, space.edit.unit, space.edit.alteration);
      possible += units.numbers.length;
      for (const one of closingSingles(target, space, units, budget.share(0.4)))
        if (!found.has(one.key)) found.set(one.key, one);
    }
    // Changes with the same effect are one choice: the numbers cannot tell them apart.
    return found.size > 0 && isSupported(possible / found.size) ? confirmed([...found.values()]) : null;
  }

  function severalUnits(all: readonly SearchSpace[]): FoundRepair | null {
    let best: FoundEdit[] = [];
    for (const space of all) {
      const size = best[0]?.numbers.length ?? Infinity;
      const units = unitsOf(space.events, space.edit.unit, space.edit.alteration);
      const most = Math.min(largestSet(units.numbers.length, evidence), size);
      const found = most < 2 ? [] : closingSets(mismatch, space, units, most, budget.share(0.3));
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
}

const isMatch = (target: Target, table: Table): boolean => fitOf(target, table).missBits === 0;

/** Ranks r such that leaving out every session from r on makes the numbers match, newest first. */
function closingPrefixes(target: Target, { events, sums, recomputation }: SearchSpace, budget: Budget): number[] {
  if (!budget.spend(passWork * events.count)) return [];
  const sessions = unitsOf(events, "session", "dropped");
  const effects = sums.effectsOf(sessions, "dropped");
  const residual = sums.gap.residual.slice();
  const found: number[] = [];
  const late: number[] = [];
  for (let s = sessions.numbers.length - 1; s > 0; s--) {
    subtract(effects, s, residual);
    late.push(s);
    if (!isClosed(residual, sums.gap.slack)) continue;
    const table = recomputation.after({ events: eventsOf(sessions, late), alteration: "dropped" });
    if (!budget.spend(recomputation.work())) break;
    if (isMatch(target, table)) found.push(sessions.numbers[s]!);
  }
  return found;
}

/** Single units whose edit makes the numbers match. */
function closingSingles(target: Target, space: SearchSpace, units: Units, budget: Budget): FoundEdit[] {
  const { edit, events, sums, recomputation } = space;
  if (!budget.spend(passWork * events.count)) return [];
  const found: number[] = [];
  // The newest ones first: an online Elo forgets the others.
  for (const u of closingUnits(sums.effectsOf(units, edit.alteration), sums.gap).reverse()) {
    const table = recomputation.after({ events: eventsOf(units, [u]), alteration: edit.alteration });
    if (!budget.spend(recomputation.work()) || found.length === mostFound) break;
    if (isMatch(target, table)) found.push(u);
  }
  return found.reverse().map((u) => foundEdit(edit, units, [u]));
}

/** Sets of 2 to `most` units whose edit makes the numbers match, by the sums that differ if any do. */
function closingSets(mismatch: Mismatch, space: SearchSpace, units: Units, most: number, budget: Budget): FoundEdit[] {
  const { edit, events, sums, recomputation } = space;
  if (!budget.spend(passWork * events.count)) return [];
  if (isClosed(sums.gap.residual, sums.gap.slack))
    return nearestSets(mismatch, space, units, most, budget).map((set) => foundEdit(edit, units, set));
  const effects = sums.effectsOf(units, edit.alteration);
  if (!mayClose(effects, sums.gap, most)) return [];
  const found: FoundEdit[] = [];
  for (const set of closingSubsets(effects, sums.gap, most, budget)) {
    const table = recomputation.after({ events: eventsOf(units, set), alteration: edit.alteration });
    if (!budget.spend(recomputation.work())) break;
    if (isMatch(mismatch.target, table)) found.push(foundEdit(edit, units, set));
  }
  return found;
}

/** Two units of the same events are one change under two names. */
function foundEdit(edit: Edit, units: Units, chosen: readonly number[]): FoundEdit {
  return {
    edit,
    numbers: chosen.map((u) => units.numbers[u]!),
    key: `${edit.alteration}:${eventsOf(units, chosen).join()}`,
  };
}

/** The most units that can be named in fewer bits than `evidence` has. */
function largestSet(units: number, evidence: number): number {
  const isSupported = (size: number): boolean => editBits + log2Choose(units, size) + chanceBits <= evidence;
  let size = 1;
  while (size < units && size < mostUnits && isSupported(size + 1)) size++;
  return size;
}
