import { metricKind, type Table } from "../../metrics/index.js";
import { createEvaluator } from "../evaluate/index.js";
import { altered, selectRatings, type Alteration, type Population, type RatingColumns } from "../ratings/index.js";
import { eventsIn, type Events, type UnitName } from "./events.js";
import { matching, type Mismatch } from "./mismatch.js";
import { createRecomputation, type Recomputation } from "./recompute.js";
import { sumEquations, type SumEquations } from "./sums.js";

/** Ratings outside the counted population that may have been counted. */
interface RatingPool {
  readonly name: "incomplete" | "training" | "incorrect";
  readonly population: Population;
}

/** One way to change the ratings of some units: sessions, raters, slates or single ratings. */
export interface Edit {
  readonly unit: UnitName;
  readonly alteration: Alteration;
  /** Where the ratings come from that are added; null for other alterations. */
  readonly pool: RatingPool | null;
}

/** The numbers of the units of an edit. */
export interface EditOf {
  readonly edit: Edit;
  readonly numbers: readonly number[];
}

/** Events that may have been changed, and what a change of them does to the numbers. */
export interface Changeable {
  readonly events: Events;
  readonly sums: SumEquations;
  readonly recomputation: Recomputation;
}

/** All units of one name under one edit: a space to search. */
export interface SearchSpace extends Changeable {
  readonly edit: Edit;
}

/** Everything that may have been changed, the likeliest first; null if the numbers are not on the scale of the ratings. */
export function searchSpaces(mismatch: Mismatch): SearchSpace[] | null {
  const { target, scenario } = mismatch;
  const isPlain = scenario.rescaled === null && scenario.relative === null && scenario.forms.length === 0;
  if (!isPlain || scenario.rounding !== "nearest") return null;
  const isPairwise = metricKind(target.kind).family === "pairwise";
  const own = changeable(mismatch, scenario.population);
  if (own === null) return null;
  const units: UnitName[] = isPairwise ? ["session", "rater", "slate"] : ["session", "rater", "slate", "rating"];
  const spaces: SearchSpace[] = units.flatMap((unit) =>
    alterationsOf(unit, isPairwise).map((alteration) => ({ ...own, edit: { unit, alteration, pool: null } })),
  );
  for (const pool of poolsOf(scenario.population)) {
    const wide = changeable(mismatch, pool.population);
    if (wide === null || wide.events.count === own.events.count) continue;
    spaces.push(...units.map((unit): SearchSpace => ({ ...wide, edit: { unit, alteration: "added", pool } })));
  }
  return spaces;
}

function changeable(mismatch: Mismatch, wide: Population): Changeable | null {
  const events = eventsIn(mismatch, wide);
  const sums = events && sumEquations(mismatch, events);
  return events && sums && { events, sums, recomputation: createRecomputation(mismatch, events) };
}

/** Only comparisons can be reversed or tied, and ties are tried for single slates only. */
function alterationsOf(unit: UnitName, isPairwise: boolean): readonly Alteration[] {
  if (!isPairwise) return ["dropped", "doubled"];
  return unit === "slate" ? ["dropped", "doubled", "flipped", "tied"] : ["dropped", "doubled", "flipped"];
}

/** The parts of the data that the population excludes. */
function poolsOf(own: Population): RatingPool[] {
  const pools: RatingPool[] = [];
  if (own.incomplete === "exclude") pools.push({ name: "incomplete", population: { ...own, incomplete: "include" } });
  if (own.training === "exclude") pools.push({ name: "training", population: { ...own, training: "include" } });
  if (own.incorrect !== "include") pools.push({ name: "incorrect", population: { ...own, incorrect: "include" } });
  return pools;
}

/** The numbers after an edit, recomputed from the changed ratings, if they match; otherwise null. */
export function matchingAfter(mismatch: Mismatch, { edit: { unit, alteration, pool }, numbers }: EditOf): Table | null {
  const { ratings } = mismatch.evaluator;
  const chosen = new Set(numbers);
  const counted = selectRatings(ratings, mismatch.scenario.population);
  const wide = pool === null ? null : selectRatings(ratings, pool.population);
  const isEdited = (i: number): boolean =>
    (wide === null ? counted[i] === 1 : wide[i] === 1 && counted[i] === 0) &&
    chosen.has(unit === "rating" ? i : ratings[unit][i]!);
  return matching({ ...mismatch, evaluator: createEvaluator(altered(ratings, isEdited, alteration)) });
}

/** The name of a unit in a report. */
export function idOf(ratings: RatingColumns, unit: UnitName, number: number): string {
  if (unit === "session") return ratings.sessions[number]?.id ?? "";
  if (unit === "rater") return ratings.raters[number] ?? "";
  if (unit === "slate") return String(ratings.slateIds[number] ?? "");
  const slate = ratings.slate[number]!;
  return `${slate === -1 ? "" : String(ratings.slateIds[slate])}/${ratings.stimuli[ratings.stimulus[number]!]?.name ?? ""}`;
}
