import { createEvaluator, type Evaluator } from "../../evaluate/evaluator.js";
import { altered, type Alteration, selectRatings } from "../../ratings/index.js";
import type { Scenario } from "../../evaluate/scenario.js";
import { fitOf, type Target } from "../../target/index.js";
import type { Influence } from "../influence/influence.js";
import { eloInfluence } from "../influence/elo.js";
import { pairInfluence } from "../influence/pair.js";
import { poolMembers, poolsOf, type Pool } from "../influence/pool.js";
import { scoreInfluence } from "../influence/score.js";
import { alterationsOf, memberOf, unitNames, type UnitName } from "../influence/units.js";

/** All units of one name, changed in one way: where a difference is looked for. */
export interface Field {
  readonly influence: Influence;
  readonly name: UnitName;
  readonly alteration: Alteration;
  /** What is added to, for what is added. */
  readonly pool: Pool | null;
}

const pairwise: ReadonlySet<string> = new Set(["win_loss", "percent_chosen", "elo", "bayesian_elo"]);

/** Everything that may have been changed, the likeliest first; null where the numbers are no sums and no replay. */
export function fieldsOf(target: Target, evaluator: Evaluator, scenario: Scenario): Field[] | null {
  if (scenario.rescaled !== null || scenario.rounding !== "nearest") return null;
  const own = scenario.population;
  const makeInfluence =
    target.kind === "elo" ? eloInfluence : pairwise.has(target.kind) ? pairInfluence : scoreInfluence;
  const influence = makeInfluence(target, evaluator, scenario, own);
  if (influence === null) return null;
  const names = unitNames.filter((name) => name !== "rating" || !pairwise.has(target.kind));
  const fields: Field[] = [];
  for (const name of names) {
    for (const alteration of alterationsOf(name, pairwise.has(target.kind)))
      fields.push({ influence, name, alteration, pool: null });
  }
  for (const pool of poolsOf(own)) {
    const wide = makeInfluence(target, evaluator, scenario, pool.population);
    if (wide === null || wide.events.count === influence.events.count) continue;
    for (const name of names) fields.push({ influence: wide, name, alteration: "added", pool });
  }
  return fields;
}

/** Whether the numbers follow from the ratings with some units changed, everything computed anew. */
export function followsAnew(
  target: Target,
  { ratings }: Evaluator,
  scenario: Scenario,
  { name, alteration, pool }: Omit<Field, "influence">,
  numbers: readonly number[],
): boolean {
  const isOfUnit = memberOf(ratings, name, new Set(numbers));
  const own = selectRatings(ratings, scenario.population);
  const isConcerned =
    pool === null ? (i: number): boolean => own[i] === 1 : poolMembers(own, selectRatings(ratings, pool.population));
  const changed = altered(ratings, (i) => isConcerned(i) && isOfUnit(i), alteration);
  return followsFrom(target, createEvaluator(changed), scenario);
}

export function followsFrom(target: Target, evaluator: Evaluator, scenario: Scenario): boolean {
  return fitOf(target, evaluator.table(target.kind, scenario), scenario.rounding).missBits === 0;
}
