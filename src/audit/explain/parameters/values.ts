import type { Evaluator } from "../../evaluate/evaluator.js";
import type { RoughPrecision } from "../../../metrics/index.js";
import { locations } from "../../evaluate/rescaled.js";
import type { Scenario } from "../../evaluate/scenario.js";
import { unrounded } from "../../published/precision.js";
import { centreOf, modelOf, type Target } from "../../target/index.js";

/** The numbers on the scale of the metric for which a scenario has one: what a search for parameters looks at. */
export interface Values {
  readonly items: readonly string[];
  /** The middle of what each number may have been before it was rounded. */
  readonly published: Float64Array;
  readonly halfWidth: Float64Array;
  /** The same numbers under a scenario. */
  readonly model: (scenario: Scenario) => Float64Array;
  /** The same at less cost, none further off than `error`; 0 where they are exact. */
  readonly rough: (
    scenario: Scenario,
    precision?: RoughPrecision,
  ) => { readonly model: Float64Array; readonly error: number };
}

export function valuesOf(target: Target, evaluator: Evaluator, scenario: Scenario): Values {
  const all = (s: Scenario): Float64Array => modelOf(target, evaluator.table(target.kind, s, false));
  const present = modelOf(
    target,
    evaluator.rough(target.kind, scenario, "coarse")?.table ?? evaluator.table(target.kind, scenario, false),
  );
  const used = target.cells.flatMap(({ field }, i) => (field in locations && Number.isFinite(present[i]) ? [i] : []));
  const pick = (values: Float64Array): Float64Array => Float64Array.from(used, (i) => values[i] as number);
  const centres = Float64Array.from(target.cells, (cell, i) =>
    centreOf(cell, target.group.precision[cell.field] ?? unrounded, scenario.rounding, present[i] as number),
  );
  return {
    items: used.map((i) => target.cells[i]?.item ?? ""),
    published: pick(centres),
    halfWidth: pick(target.halfWidth),
    model: (s) => pick(all(s)),
    rough: (s, precision) => {
      const rough = evaluator.rough(target.kind, s, precision);
      return rough === null
        ? { model: pick(all(s)), error: 0 }
        : { model: pick(modelOf(target, rough.table)), error: rough.error };
    },
  };
}

/** Those of the values whose index is kept. */
export function keeping(values: Values, kept: readonly number[]): Values {
  const pick = (all: Float64Array): Float64Array => Float64Array.from(kept, (i) => all[i] as number);
  return {
    items: kept.map((i) => values.items[i] ?? ""),
    published: pick(values.published),
    halfWidth: pick(values.halfWidth),
    model: (s) => pick(values.model(s)),
    rough: (s, precision) => {
      const { model, error } = values.rough(s, precision);
      return { model: pick(model), error };
    },
  };
}

export type Range = readonly [low: number, high: number];

/**
 * What most of the ranges have in common: where one published number is wrong, the others still agree. Of several
 * such places the one nearest to the middle of all.
 */
export function agreedRange(ranges: readonly Range[]): { readonly range: Range; readonly agree: number } {
  const edges = ranges.flatMap(([low, high]) => [
    { at: low, by: 1 },
    { at: high, by: -1 },
  ]);
  edges.sort((a, b) => a.at - b.at || b.by - a.by);
  const centres = ranges.map(([low, high]) => (low + high) / 2).sort((a, b) => a - b);
  const middle = centres[centres.length >> 1] ?? 0;
  const distance = ([low, high]: Range): number => Math.abs((low + high) / 2 - middle);
  let range: Range = [NaN, NaN];
  let agree = 0;
  let open = 0;
  edges.forEach(({ at, by }, i) => {
    open += by;
    if (by < 0) return;
    const found: Range = [at, edges[i + 1]?.at ?? at];
    if (open > agree || (open === agree && distance(found) < distance(range))) [range, agree] = [found, open];
  });
  return { range, agree };
}

/** The shifts under which the most numbers are reproduced. */
export function shiftRange(published: Float64Array, model: Float64Array, halfWidth: Float64Array): Range {
  return agreedShift(published, model, halfWidth).range;
}

export function agreedShift(
  published: Float64Array,
  model: Float64Array,
  halfWidth: Float64Array,
): { readonly range: Range; readonly agree: number } {
  const ranges = Array.from(published, (y, i): Range => {
    const offset = y - (model[i] as number);
    return [offset - (halfWidth[i] as number), offset + (halfWidth[i] as number)];
  });
  return agreedRange(ranges);
}
