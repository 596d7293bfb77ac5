import type { Kind } from "../../../metrics/index.js";
import { type RatingColumns, plainestKey, slateGroupsOf } from "../../ratings/index.js";
import type { Hypothesis } from "./hypothesis.js";
import { populationFamilies, populations } from "./populations.js";
import { patched, scenarioKey, type Scenario } from "../../evaluate/index.js";
import { scorings } from "./scorings.js";

/** Every convention that may be tried for a number, apart from the run's own. `isRounded`: decimals may be missing. */
export function hypothesesFor(
  kind: Kind,
  own: Scenario,
  ratings: RatingColumns,
  dimension: string,
  source: string,
  isRounded = true,
): Hypothesis[] {
  const expanded = populationFamilies.flatMap((family) => family.expand(ratings, dimension, source));
  return [...populations, ...scorings, ...expanded].filter(
    (h) => h.kinds.includes(kind) && isPossible(h, ratings) && bears(h),
  );

  function bears({ axis, set }: Hypothesis): boolean {
    const other = patched(own, set);
    if (axis === "relative") return true;
    if (axis === "rounding") return isRounded && other.rounding !== own.rounding;
    if (axis === "item" && plainestKey(ratings, other.population.item) === plainestKey(ratings, own.population.item))
      return false;
    return scenarioKey(kind, other) !== scenarioKey(kind, own);
  }
}

/** Leaves out what cannot make a difference for these ratings. */
function isPossible({ axis, name }: Hypothesis, ratings: RatingColumns): boolean {
  const has = (column: Uint8Array | Int8Array, value: number): boolean => column.includes(value);
  if (axis === "training") return has(ratings.training, 1);
  if (axis === "incomplete") return has(ratings.completed, 0);
  if (axis === "incorrect") return has(ratings.correct, 0);
  if (axis === "pairs") return slateGroupsOf(ratings).irregular.length > 0;
  if (name === "item=condition" || name === "item=source") return ratings.stimuli.some((s) => s.name.includes("/"));
  return true;
}
