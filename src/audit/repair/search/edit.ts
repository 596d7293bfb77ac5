import type { Table } from "../../../metrics/index.js";
import { createEvaluator } from "../../evaluate/index.js";
import { altered, selectRatings, type Alteration, type Population, type RatingColumns } from "../../ratings/index.js";
import type { UnitName } from "../influence/index.js";
import { matching, type Mismatch } from "../mismatch.js";

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

export const unitNames: readonly UnitName[] = ["session", "rater", "slate", "rating"];

/** Only comparisons can be reversed or tied, and ties are tried for single slates only. */
export function alterationsOf(unit: UnitName, isPairwise: boolean): readonly Alteration[] {
  if (!isPairwise) return ["dropped", "doubled"];
  if (unit === "rating") return [];
  return unit === "slate" ? ["dropped", "doubled", "flipped", "tied"] : ["dropped", "doubled", "flipped"];
}

/** The parts of the data that the population excludes. */
export function poolsOf(own: Population): RatingPool[] {
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
    chosen.has(unit === "rating" ? i : (ratings[unit][i] as number));
  return matching({ ...mismatch, evaluator: createEvaluator(altered(ratings, isEdited, alteration)) });
}

/** The name of a unit in a report. */
export function idOf(ratings: RatingColumns, unit: UnitName, number: number): string {
  if (unit === "session") return ratings.sessions[number]?.id ?? "";
  if (unit === "rater") return ratings.raters[number] ?? "";
  if (unit === "slate") return String(ratings.slateIds[number] ?? "");
  const slate = ratings.slate[number] as number;
  return `${slate === -1 ? "" : String(ratings.slateIds[slate])}/${ratings.stimuli[ratings.stimulus[number] as number]?.name ?? ""}`;
}
