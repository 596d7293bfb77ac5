import { metricKind } from "../../../metrics/index.js";
import { influenceOf, type Influence } from "../influence/index.js";
import type { Mismatch } from "../mismatch.js";
import { alterationsOf, poolsOf, unitNames, type Edit } from "./edit.js";

/** All units of one name under one edit: a space to search. */
export interface SearchSpace {
  readonly influence: Influence;
  readonly edit: Edit;
}

/** Everything that may have been changed, the likeliest first; null if single events have no known influence. */
export function searchSpaces(mismatch: Mismatch): SearchSpace[] | null {
  const { target, scenario } = mismatch;
  if (scenario.rescaled !== null || scenario.relative !== null || scenario.rounding !== "nearest") return null;
  const isPairwise = metricKind(target.kind).family === "pairwise";
  const influence = influenceOf(mismatch, scenario.population);
  if (influence === null) return null;
  const units = unitNames.filter((unit) => unit !== "rating" || !isPairwise);
  const spaces: SearchSpace[] = units.flatMap((unit) =>
    alterationsOf(unit, isPairwise).map((alteration) => ({ influence, edit: { unit, alteration, pool: null } })),
  );
  for (const pool of poolsOf(scenario.population)) {
    const wide = influenceOf(mismatch, pool.population);
    if (wide === null || wide.events.count === influence.events.count) continue;
    spaces.push(...units.map((unit) => ({ influence: wide, edit: { unit, alteration: "added", pool } }) as const));
  }
  return spaces;
}
