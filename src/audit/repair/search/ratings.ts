import type { Evaluator } from "../../evaluate/evaluator.js";
import { selectRatings } from "../../ratings/index.js";
import { patched, type Scenario } from "../../evaluate/scenario.js";
import type { Target } from "../../target/index.js";
import type { Budget } from "../budget.js";
import { fieldsOf, followsAnew, followsFrom, type Field } from "./candidates.js";
import type { Repair } from "../repair.js";
import { chanceBits, evidenceOf } from "./evidence.js";
import { setsOf } from "./sets.js";
import { singlesOf, type Found } from "./singles.js";
import { idOf } from "../influence/units.js";
import { wholePrefixes, wholeSingles } from "./whole.js";
import { saysOf, undeterminedText } from "../words.js";

interface Answer {
  readonly field: Omit<Field, "influence">;
  readonly numbers: readonly number[];
}

/**
 * The change of ratings that makes the published numbers follow: the first sessions of the service order (a stale
 * result); one session, rater, slate or rating that is left out, counted twice, turned round, tied or added; or a few
 * of them. Whatever is reported was computed anew from the changed ratings, and outweighs chance: the published
 * numbers that differ say more than it takes to name the change.
 */
export function ratingsOfRepair(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  budget: Budget,
): Repair | null {
  const { ratings } = evaluator;
  const fields = fieldsOf(target, evaluator, scenario);
  const first = fields?.[0]?.influence;
  const stale = staleResult(first?.prefixes(budget) ?? wholePrefixes(target, evaluator, scenario, budget.share(0.3)));
  if (stale !== null) return stale;
  if (fields === null || first === undefined) {
    const { found } = wholeSingles(target, evaluator, scenario, budget);
    return found[0] === undefined ? null : told(found[0], found.length - 1);
  }
  const evidence = evidenceOf(first);
  return oneUnit(fields) ?? severalUnits(fields);

  function oneUnit(all: readonly Field[]): Repair | null {
    const found = new Map<string, Found>();
    let possible = 0;
    for (const field of all) {
      const { found: here, units } = singlesOf(field, budget.share(0.4));
      possible += units;
      for (const one of here) if (!found.has(one.key)) found.set(one.key, one);
    }
    const [answer] = [...found.values()];
    if (answer === undefined) return null;
    if (Math.log2(possible) + chanceBits > evidence) return undetermined(answer, found.size);
    return confirmed([...found.values()]);
  }

  function severalUnits(all: readonly Field[]): Repair | null {
    let best: Found[] = [];
    for (const field of all) {
      const size = best[0]?.numbers.length ?? Infinity;
      if (size <= 2) break;
      const found = setsOf(field, evidence, size, budget.share(0.3));
      const least = Math.min(...found.map((f) => f.numbers.length));
      const smallest = found.filter((f) => f.numbers.length === least);
      best = least < size ? smallest : least === size ? [...best, ...smallest] : best;
    }
    return confirmed(best);
  }

  /** The first that also follows when everything is computed anew. */
  function confirmed(found: readonly Found[]): Repair | null {
    const answer = found.find((f) => followsAnew(target, evaluator, scenario, f.field, f.numbers));
    return answer === undefined ? null : told(answer, found.length - 1);
  }

  function told({ field: { name, alteration, pool }, numbers }: Answer, alternatives: number): Repair {
    const ids = numbers.map((n) => idOf(ratings, name, n));
    return {
      change: alteration,
      unit: name,
      ids,
      alternatives,
      says: saysOf(name, ids, alteration, pool, alternatives),
    };
  }

  function undetermined({ field, numbers }: Answer, changes: number): Repair {
    return {
      change: "undetermined",
      unit: field.name,
      ids: [],
      alternatives: changes,
      says: undeterminedText(changes, numbers.length),
    };
  }

  /** The newest sessions that are missing; `ranks` are where they may begin. */
  function staleResult(ranks: readonly number[]): Repair | null {
    const rank = ranks.find((r) =>
      followsFrom(target, evaluator, patched(scenario, { population: { first_sessions: r } })),
    );
    if (rank === undefined) return null;
    const ids = countedFrom(rank).map((r) => ratings.sessions[r]?.id ?? "");
    const what = ids.length === 1 ? `session ${ids[0] ?? ""} was` : `the last ${ids.length} sessions were`;
    return {
      change: "stale",
      unit: "session",
      ids,
      alternatives: ranks.length - 1,
      says: `the numbers follow from before ${what} completed`,
    };
  }

  function countedFrom(rank: number): number[] {
    const counted = selectRatings(ratings, scenario.population);
    const late = new Set(ratings.session.filter((s, i) => s >= rank && counted[i] === 1));
    return [...late].sort((a, b) => b - a);
  }
}
