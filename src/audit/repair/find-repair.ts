import { metricKind, type Table } from "../../metrics/index.js";
import type { Evaluator } from "../evaluate/evaluator.js";
import type { Scenario } from "../evaluate/scenario.js";
import type { Population } from "../ratings/population.js";
import type { RatingColumns } from "../ratings/rating-columns.js";
import { fitOf, type Target } from "../target.js";
import {
  changeOf,
  createRecomputation,
  eventsIn,
  unitsOf,
  type EventChange,
  type Events,
  type TableAfter,
  type UnitEvents,
} from "./events.js";
import { repairItems } from "./repair-items.js";
import {
  bitsOfMisses,
  repairChanceBits,
  createBudget,
  type Alteration,
  type Budget,
  type FoundRepair,
  type Mismatch,
  type UnitName,
} from "./repair.js";
import { sumEquations, type SumEquations } from "./sums.js";

/** Conventions under which the numbers nearly match, and the bits that name them. */
interface NearMiss {
  readonly name: string;
  readonly scenario: Scenario;
  readonly nameBits: number;
}

/** Bits for a change of published items and for one of ratings, which has to be named in fewer. */
interface Evidence {
  readonly ofItems: number;
  readonly ofRatings: number;
}

/** Default bound on the work of one repair, in numbers read or written. */
const repairWork = 1e8;
/** Maximum number of single units found: more would mean nothing. */
const mostFound = 400;
/** Work of the effects of all units, for each event. */
const passWork = 3;

/**
 * Finds the smallest change that makes the published numbers match where no convention explains
 * them: a change to the published items; or the last sessions, or one session, rater, slate or
 * rating, under the run's own conventions or under the nearest ones; otherwise the few items that
 * differ. Null: none found within `work`.
 */
export function findRepair(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  nearest: NearMiss | null = null,
  work = repairWork,
): FoundRepair | null {
  const budget = createBudget(work);
  const mismatch: Mismatch = { target, evaluator, scenario };
  const bits = evidenceIn(mismatch);
  const items = repairItems(mismatch, bits.ofItems, budget);
  if (items?.isCertain === true) return items.repair;
  const own = repairRatings(
    mismatch,
    bits.ofRatings,
    nearest === null ? budget : budget.share(0.5),
  );
  if (own !== null) return own;
  return (
    (nearest === null ? null : repairUnder(mismatch, nearest, bits, budget)) ??
    items?.repair ??
    null
  );
}

const evidenceIn = (mismatch: Mismatch): Evidence => ({
  ofItems: bitsOfMisses(mismatch, false),
  ofRatings: bitsOfMisses(mismatch, true),
});

/** A change together with conventions: the numbers must outweigh both. */
function repairUnder(
  mismatch: Mismatch,
  near: NearMiss,
  own: Evidence,
  budget: Budget,
): FoundRepair | null {
  const { name, scenario, nameBits } = near;
  const under = { ...mismatch, scenario };
  const bits = evidenceIn(under);
  const items = repairItems(under, Math.min(own.ofItems - nameBits, bits.ofItems), budget);
  const left = Math.min(own.ofRatings - nameBits, bits.ofRatings);
  const found = items?.isCertain === true ? items.repair : repairRatings(under, left, budget);
  return found === null ? null : { ...found, under: name, says: `under ${name}, ${found.says}` };
}

/** Ratings outside the counted population that may have been counted. */
type Pool = "incomplete" | "training" | "incorrect";

/** One way to change the ratings of some units, and what such a change does to the numbers. */
interface SearchSpace {
  readonly unit: UnitName;
  readonly alteration: Alteration;
  /** Where the ratings come from that are added; null for other alterations. */
  readonly pool: Pool | null;
  readonly events: Events;
  readonly sums: SumEquations;
  readonly recompute: (change: EventChange) => TableAfter;
}

/** A change of some units that makes the numbers match. */
interface FoundEdit {
  readonly space: SearchSpace;
  readonly ids: readonly string[];
  readonly gives: Table;
  /** Equal for equal changes of the same events. */
  readonly key: string;
}

/**
 * Finds the change of ratings that makes the published numbers match: the first sessions of the
 * service order (a stale result); or one session, rater, slate or rating that is left out, counted
 * twice, reversed, tied or added. Each reported change outweighs chance: the published numbers that
 * differ carry more bits (`evidence`) than it takes to name the change.
 */
function repairRatings(mismatch: Mismatch, evidence: number, budget: Budget): FoundRepair | null {
  const { target, evaluator, scenario } = mismatch;
  const { ratings } = evaluator;
  /** Whether the numbers outweigh the choice of one among `changes`. */
  const isSupported = (changes: number): boolean =>
    Math.log2(changes) + repairChanceBits <= evidence;
  const isPlain =
    scenario.rescaled === null && scenario.relative === null && scenario.forms.length === 0;
  if (!isPlain || scenario.rounding !== "nearest" || !isSupported(1)) return null;
  const spaces = searchSpaces(mismatch);
  return spaces === null ? null : (staleResult(spaces[0]!) ?? oneUnit(spaces));

  /** The newest sessions are missing. */
  function staleResult(space: SearchSpace): FoundRepair | null {
    if (!isSupported(new Set(ratings.session).size)) return null;
    const [first, ...others] = matchesAmong(space, newestSessions, Infinity, budget.share(0.3));
    if (first === undefined) return null;
    const ids = [...first.ids].reverse();
    const { gives } = first;
    return {
      change: "stale",
      unit: "session",
      ids,
      alternatives: others.length,
      says: staleText(ids),
      gives,
    };
  }

  function oneUnit(all: readonly SearchSpace[]): FoundRepair | null {
    const found = new Map<string, FoundEdit>();
    let possible = 0;
    for (const space of all) {
      possible += unitsOf(space.events, space.unit, space.alteration).numbers.length;
      for (const one of matchesAmong(space, singleUnits, mostFound, budget.share(0.4)).reverse())
        if (!found.has(one.key)) found.set(one.key, one);
    }
    // Changes with the same effect are one choice: the numbers cannot tell them apart.
    return found.size > 0 && isSupported(possible / found.size)
      ? repairOf([...found.values()])
      : null;
  }

  /**
   * The sets of units of a space whose change makes the numbers match; those found when the budget
   * ends.
   */
  function matchesAmong(
    space: SearchSpace,
    setsIn: UnitSets,
    most: number,
    own: Budget,
  ): FoundEdit[] {
    const { events, unit, alteration, recompute } = space;
    if (!own.spend(passWork * events.count)) return [];
    const units = unitsOf(events, unit, alteration);
    const found: FoundEdit[] = [];
    for (const set of setsIn(space, units)) {
      const change = changeOf(units, set, alteration);
      if (!space.sums.holdAfter(change)) continue;
      const { table, work } = recompute(change);
      if (!own.spend(work) || found.length === most) break;
      if (fitOf(target, table).missBits > 0) continue;
      const ids = set.map((u) => idOf(ratings, unit, units.numbers[u]!));
      found.push({ space, ids, gives: table, key: `${alteration}:${change.events.join()}` });
    }
    return found;
  }
}

/** Sets of units, as indices, whose effects on the sums close the gap as one number. */
type UnitSets = (space: SearchSpace, units: UnitEvents) => Iterable<readonly number[]>;

/** The last units of all, from fewest to most. */
function* newestSessions(
  { sums, alteration }: SearchSpace,
  units: UnitEvents,
): Iterable<readonly number[]> {
  const projected = sums.projected(units, alteration);
  if (projected === null) return;
  const { effect, wanted, within } = projected;
  let total = 0;
  for (let u = effect.length - 1; u > 0; u--) {
    total += effect[u]!;
    const isNear = Math.abs(wanted - total) <= within;
    if (isNear) yield Array.from({ length: effect.length - u }, (_, i) => u + i);
  }
}

/** The newest units first: an online Elo forgets the others. */
function* singleUnits(
  { sums, alteration }: SearchSpace,
  units: UnitEvents,
): Iterable<readonly number[]> {
  const projected = sums.projected(units, alteration);
  if (projected === null) return;
  const { effect, wanted, within } = projected;
  for (let u = effect.length - 1; u >= 0; u--)
    if (Math.abs(wanted - effect[u]!) <= within) yield [u];
}

/**
 * Everything that may have been changed, the likeliest first; null if there are no such ratings.
 */
function searchSpaces(mismatch: Mismatch): SearchSpace[] | null {
  const { population } = mismatch.scenario;
  const isPairwise = metricKind(mismatch.target.kind).family === "pairwise";
  const own = changeable(mismatch, population);
  if (own === null) return null;
  const units: UnitName[] = isPairwise
    ? ["session", "rater", "slate"]
    : ["session", "rater", "slate", "rating"];
  const spaces = units.flatMap((unit) =>
    alterationsOf(unit, isPairwise).map((alteration): SearchSpace => ({
      ...own,
      unit,
      alteration,
      pool: null,
    })),
  );
  for (const [pool, included] of poolsOf(population)) {
    const wide = changeable(mismatch, { ...population, ...included });
    if (wide === null || wide.events.count === own.events.count) continue;
    spaces.push(
      ...units.map((unit): SearchSpace => ({ ...wide, unit, alteration: "added", pool })),
    );
  }
  return spaces;
}

function changeable(
  mismatch: Mismatch,
  wide: Population,
): Pick<SearchSpace, "events" | "sums" | "recompute"> | null {
  const events = eventsIn(mismatch, wide);
  const sums = events && sumEquations(mismatch, events);
  return events && sums && { events, sums, recompute: createRecomputation(mismatch, events) };
}

/** Only comparisons can be reversed or tied, and ties are tried for single slates only. */
function alterationsOf(unit: UnitName, isPairwise: boolean): readonly Alteration[] {
  if (!isPairwise) return ["dropped", "doubled"];
  return unit === "slate"
    ? ["dropped", "doubled", "flipped", "tied"]
    : ["dropped", "doubled", "flipped"];
}

/** The parts of the data that the population excludes, and what would include them. */
function poolsOf({
  incomplete,
  training,
  incorrect,
}: Population): (readonly [Pool, Partial<Population>])[] {
  const pools: (readonly [Pool, Partial<Population>])[] = [];
  if (incomplete === "exclude") pools.push(["incomplete", { incomplete: "include" }]);
  if (training === "exclude") pools.push(["training", { training: "include" }]);
  if (incorrect !== "include") pools.push(["incorrect", { incorrect: "include" }]);
  return pools;
}

/** The name of a unit in a report. */
function idOf(ratings: RatingColumns, unit: UnitName, number: number): string {
  if (unit === "session") return ratings.sessions[number]?.id ?? "";
  if (unit === "rater") return ratings.raters[number] ?? "";
  if (unit === "slate") return String(ratings.slateIds[number] ?? "");
  const slate = ratings.slate[number]!;
  return `${slate === -1 ? "" : String(ratings.slateIds[slate])}/${
    ratings.stimuli[ratings.stimulus[number]!]?.name ?? ""
  }`;
}

/** The first of several changes that the numbers cannot tell apart. */
function repairOf([first, ...others]: readonly FoundEdit[]): FoundRepair {
  const { space, ids, gives } = first!;
  const { unit, alteration: change } = space;
  const says = `the numbers match when ${editText(space, ids.join())}${othersText(others.length)}`;
  return { change, unit, ids, alternatives: others.length, says, gives };
}

const done: Record<Exclude<Alteration, "added">, string> = {
  dropped: "left out",
  doubled: "counted twice",
  flipped: "reversed",
  tied: "counted as a tie",
};

/** From here on, alternatives are not counted. */
const mostCounted = 1000;

/** "session s7 is left out". */
function editText({ unit, alteration, pool }: SearchSpace, id: string): string {
  const named = `${unit} ${id}`;
  if (alteration !== "added") return `${named} is ${done[alteration]}`;
  if (pool !== "incomplete") return `the ${pool ?? ""} ratings of ${named} are also counted`;
  if (unit === "session") return `${named}, not completed, is also counted`;
  return `the ratings of ${named} in sessions that were not completed are also counted`;
}

function othersText(alternatives: number): string {
  if (alternatives === 0) return "";
  if (alternatives === 1) return " (one other change would do as well)";
  return (
    ` (${alternatives < mostCounted - 1 ? "" : "more than "}${alternatives} other changes ` +
    "would do as well)"
  );
}

function staleText(ids: readonly string[]): string {
  const sessions =
    ids.length === 1 ? `session ${ids[0] ?? ""} was` : `the last ${ids.length} sessions were`;
  return `the numbers match a result from before ${sessions} completed`;
}
