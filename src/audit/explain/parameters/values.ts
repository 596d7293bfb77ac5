import { locations, type Evaluator, type Scenario } from "../../evaluate/index.js";
import type { RoughPrecision } from "../../../metrics/index.js";
import { centreOf, modelOf, type Target } from "../../target/index.js";
import { pick } from "./vectors.js";

/** The published numbers on the metric's own scale that a scenario defines: what parameters are found from. */
export interface MainValues {
  readonly items: readonly string[];
  /** The middle of what each number may have been before it was rounded. */
  readonly published: Float64Array;
  readonly halfWidth: Float64Array;
  /** The same numbers recomputed under a scenario. */
  readonly model: (scenario: Scenario) => Float64Array;
  /** The same at less cost, none further off than `error`; 0 if they are exact. */
  readonly rough: (
    scenario: Scenario,
    precision?: RoughPrecision,
  ) => { readonly model: Float64Array; readonly error: number };
}

export function valuesOf(target: Target, evaluator: Evaluator, scenario: Scenario): MainValues {
  const { kind, cells } = target;
  const model = (s: Scenario): Float64Array => modelOf(target, evaluator.table(kind, s, false));
  const rough: MainValues["rough"] = (s, precision) => {
    const found = evaluator.rough(kind, s, precision);
    return found === null ? { model: model(s), error: 0 } : { model: modelOf(target, found.table), error: found.error };
  };
  const present = rough(scenario, "coarse").model;
  const published = Float64Array.from(cells, (cell, i) =>
    centreOf(target, cell, scenario.rounding, present[i] as number),
  );
  const used = cells.flatMap(({ field }, i) => (field in locations && Number.isFinite(present[i]) ? [i] : []));
  const items = cells.map(({ item }) => item);
  return keeping({ items, published, halfWidth: target.halfWidth, model, rough }, used);
}

/** The values whose index is kept. */
export function keeping(values: MainValues, kept: readonly number[]): MainValues {
  return {
    items: kept.map((i) => values.items[i] ?? ""),
    published: pick(values.published, kept),
    halfWidth: pick(values.halfWidth, kept),
    model: (s) => pick(values.model(s), kept),
    rough: (s, precision) => {
      const { model, error } = values.rough(s, precision);
      return { model: pick(model, kept), error };
    },
  };
}

export type Range = readonly [low: number, high: number];

/** A range on which `agree` ranges agree. */
interface Agreement {
  readonly range: Range;
  readonly agree: number;
}

/** What most of the ranges have in common, so that a wrong number does no harm. Of several ranges the most central. */
export function agreedRange(ranges: readonly Range[]): Agreement {
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

/** The shifts of the model that reproduce the most numbers. */
export function agreedShift(published: Float64Array, model: Float64Array, halfWidth: Float64Array): Agreement {
  const ranges = Array.from(published, (y, i): Range => {
    const offset = y - (model[i] as number);
    return [offset - (halfWidth[i] as number), offset + (halfWidth[i] as number)];
  });
  return agreedRange(ranges);
}
