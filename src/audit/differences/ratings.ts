import { Evaluator } from "../evaluate/evaluator.js";
import { altered, type Alteration } from "../facts/altered.js";
import type { Facts } from "../facts/facts.js";
import { selectRatings } from "../facts/population.js";
import { patched, type Scenario } from "../hypotheses/scenario.js";
import { intervalFields } from "../kinds.js";
import { fitOf, type Target } from "../search/target.js";
import type { SmallestDifference } from "./difference.js";

interface Unit {
  readonly unit: "session" | "rater" | "slate";
  readonly of: (facts: Facts) => Int32Array;
  readonly idOf: (facts: Facts, number: number) => string;
}

const units: readonly Unit[] = [
  { unit: "session", of: (f) => f.session, idOf: (f, n) => f.sessions[n]?.id ?? "" },
  { unit: "rater", of: (f) => f.rater, idOf: (f, n) => f.raters[n] ?? "" },
  { unit: "slate", of: (f) => f.slate, idOf: (f, n) => String(f.slateIds[n] ?? "") },
];

const alterations: readonly Alteration[] = ["dropped", "doubled", "flipped", "tied"];
const words: Record<Alteration, string> = { dropped: "left out", doubled: "counted twice", flipped: "counted the other way round", tied: "counted as a tie" };

/** Whether everything follows under `scenario` when `facts` are what was rated. */
function followsFrom(target: Target, facts: Facts, scenario: Scenario): boolean {
  const evaluator = new Evaluator(facts);
  const quick = fitOf(target, evaluator.table(target.kind, scenario, false));
  if (target.kind !== "bayesian_elo") return quick.missBits === 0;
  if (quick.misses.some((i) => !intervalFields.has(target.cells[i]?.field ?? ""))) return false;
  return fitOf(target, evaluator.table(target.kind, scenario)).missBits === 0;
}

/** Evaluations of all ratings that `work` allows; a refit of Bayesian strengths counts as some thousand ratings. */
function trialsFor(target: Target, facts: Facts, work: number): number {
  return Math.floor(work / (4 * facts.score.length + (target.kind === "bayesian_elo" ? 20_000 : 2_000)));
}

/**
 * The one session, rater or slate that, left out, counted twice or turned round, makes the published numbers
 * follow; before those, the first sessions of the service order (a stale result). Bounded by `work`, in ratings.
 */
export function ratingsOfDifference(target: Target, facts: Facts, scenario: Scenario, work: number): SmallestDifference | null {
  let left = trialsFor(target, facts, work);
  const follows = (changed: Facts, under = scenario): boolean => followsFrom(target, changed, under);
  const counted = selectRatings(facts, scenario.population);
  const stale = staleResult();
  if (stale !== null) return stale;
  for (const unit of units) {
    const numbers = unit.of(facts);
    const present = new Set<number>();
    counted.forEach((c, i) => c === 1 && (numbers[i] as number) >= 0 && present.add(numbers[i] as number));
    for (const alteration of alterations) {
      if (!appliesTo(alteration, unit, target)) continue;
      const found: number[] = [];
      for (const number of present) {
        if (left-- <= 0) break;
        const changed = altered(facts, (i) => numbers[i] === number && counted[i] === 1, alteration);
        if (follows(changed)) found.push(number);
      }
      const [first] = found;
      if (first === undefined) continue;
      const id = unit.idOf(facts, first);
      const others = found.length === 1 ? "" : ` (or one of ${found.length - 1} like it)`;
      return {
        change: alteration,
        unit: unit.unit,
        ids: [id],
        alternatives: found.length - 1,
        says: `the numbers follow when ${unit.unit} ${id}${others} is ${words[alteration]}`,
      };
    }
  }
  return twoSessions();

  /** Two sessions, by trying every pair where the work allows it. */
  function twoSessions(): SmallestDifference | null {
    const sessions = [...new Set(facts.session.filter((_, i) => counted[i] === 1))];
    if ((sessions.length * (sessions.length - 1)) / 2 > left) return null;
    for (const [n, a] of sessions.entries()) {
      for (const b of sessions.slice(n + 1)) {
        if (!follows(altered(facts, (i) => facts.session[i] === a || facts.session[i] === b, "dropped"))) continue;
        const ids = [a, b].map((s) => facts.sessions[s]?.id ?? "");
        return { change: "dropped", unit: "session", ids, alternatives: 0, says: `the numbers follow when sessions ${ids.join(" and ")} are left out` };
      }
    }
    return null;
  }

  /** From the newest session back, as far as the work allows. */
  function staleResult(): SmallestDifference | null {
    const inUse = new Set<number>();
    counted.forEach((c, i) => c === 1 && inUse.add(facts.session[i] as number));
    const ranks = [...inUse].sort((a, b) => b - a);
    for (let last = 0; last + 1 < ranks.length; last++) {
      if (left-- <= 0) return null;
      const rank = ranks[last] as number;
      if (!follows(facts, patched(scenario, { population: { first_sessions: rank } }))) continue;
      const ids = ranks.slice(0, last + 1).map((r) => facts.sessions[r]?.id ?? "");
      const what = ids.length === 1 ? `session ${ids[0] ?? ""} was` : `the last ${ids.length} sessions were`;
      return { change: "stale", unit: "session", ids, alternatives: 0, says: `the numbers follow from before ${what} completed` };
    }
    return null;
  }
}

/** Only comparisons can be turned round or tied, and a tie is looked for in single slates only. */
function appliesTo(alteration: Alteration, { unit }: Unit, { kind }: Target): boolean {
  if (alteration === "dropped" || alteration === "doubled") return true;
  const isPairwise = ["win_loss", "percent_chosen", "elo", "bayesian_elo"].includes(kind);
  return isPairwise && (alteration === "flipped" || unit === "slate");
}
