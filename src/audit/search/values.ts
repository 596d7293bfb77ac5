import type { Evaluator } from "../evaluate/evaluator.js";
import type { Scenario } from "../hypotheses/scenario.js";
import { modelOf, type Target } from "./target.js";

/** The main values for which a scenario has a number: what a search for parameters looks at. */
export interface Values {
  readonly items: readonly string[];
  readonly published: Float64Array;
  readonly halfWidth: Float64Array;
  /** The same numbers under a scenario. */
  readonly model: (scenario: Scenario) => Float64Array;
}

export function valuesOf(target: Target, evaluator: Evaluator, scenario: Scenario): Values {
  const all = (s: Scenario): Float64Array => modelOf(target, evaluator.table(target.kind, s, false));
  const present = all(scenario);
  const used = target.cells.flatMap(({ field }, i) => (field === "value" && Number.isFinite(present[i]) ? [i] : []));
  const pick = (values: Float64Array): Float64Array => Float64Array.from(used, (i) => values[i] as number);
  return {
    items: used.map((i) => target.cells[i]?.item ?? ""),
    published: Float64Array.from(used, (i) => target.cells[i]?.published.value ?? NaN),
    halfWidth: pick(target.halfWidth),
    model: (s) => pick(all(s)),
  };
}

/** The range of shifts under which every number is reproduced, or around the middle one where there is none. */
export function shiftRange(published: Float64Array, model: Float64Array, halfWidth: Float64Array): [number, number] {
  let low = -Infinity;
  let high = Infinity;
  published.forEach((y, i) => {
    low = Math.max(low, y - (model[i] as number) - (halfWidth[i] as number));
    high = Math.min(high, y - (model[i] as number) + (halfWidth[i] as number));
  });
  if (low <= high) return [low, high];
  const offsets = published.map((y, i) => y - (model[i] as number)).sort();
  const middle = offsets[offsets.length >> 1] ?? 0;
  const half = Math.min(...halfWidth);
  return [middle - half, middle + half];
}
