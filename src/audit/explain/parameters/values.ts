import { kinds, metricKind, type Kind, type RoughPrecision } from "../../../metrics/index.js";
import { type Scenario, locations, type Evaluator } from "../../evaluate/index.js";
import { bitsOfDecimal, centreOf, modelOf, type Target, maxOutliers } from "../../target/index.js";
import type { Hypothesis } from "../hypotheses.js";

/** A free number that the audit derives from the published ones. */
export interface Parameter {
  readonly name: string;
  readonly value: number;
  /** The published precision allows any value from `low` to `high`. */
  readonly low: number;
  readonly high: number;
  /** Bits to state the value. */
  readonly bits: number;
  /** Completes "The published numbers match when …", for a value that says more than its name. */
  readonly says?: string;
}

/** A scenario with the parameters found for it. */
export interface FoundParameters {
  readonly scenario: Scenario;
  readonly parameters: readonly Parameter[];
  /** Conventions that the parameters presuppose. */
  readonly hypotheses?: readonly Hypothesis[];
}

/** The axis of a parameter: it replaces a convention of that axis. */
export function axisOf({ name }: Pick<Parameter, "name">): string {
  return name === "alpha" || name === "beta" ? "rater_quality" : name;
}

/** Bits to state a usual value. */
export const usualBits = 3;

/** Parameter to the values that some kind uses, and that cost less to name. */
const usual = new Map<string, Set<number>>();
for (const kind of kinds)
  for (const [name, values] of Object.entries(metricKind(kind).inUse ?? {}))
    usual.set(name, new Set([...(usual.get(name) ?? []), ...values]));

/** Whether a value is a convention of the field (`inUse` of the kind), not one that only these numbers suggest. */
export const isInUse = (kind: Kind, { name, value }: Pick<Parameter, "name" | "value">): boolean =>
  metricKind(kind).inUse?.[name]?.includes(value) === true;

export function parameter(name: string, value: number, low: number, high: number): Parameter {
  const bits = usual.get(name)?.has(value) === true ? usualBits : bitsOfDecimal(value);
  return { name, value, low: Math.min(low, high, value), high: Math.max(low, high, value), bits };
}

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
  const published = Float64Array.from(cells, (cell, i) => centreOf(target, cell, scenario.rounding, present[i]!));
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
    if (open < agree || (open === agree && !(distance(found) < distance(range)))) return;
    range = found;
    agree = open;
  });
  return { range, agree };
}

/** The shifts of the model that reproduce the most numbers. */
export function agreedShift(published: Float64Array, model: Float64Array, halfWidth: Float64Array): Agreement {
  const ranges = Array.from(published, (y, i): Range => {
    const offset = y - model[i]!;
    return [offset - halfWidth[i]!, offset + halfWidth[i]!];
  });
  return agreedRange(ranges);
}

/** The values at `indices`. */
export const pick = (values: Float64Array, indices: readonly number[]): Float64Array =>
  Float64Array.from(indices, (i) => values[i]!);

export const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, v, i) => sum + v * b[i]!, 0);

/** published - shift - scale · model. */
export const residuals = (published: Float64Array, model: Float64Array, shift = 0, scale = 1): Float64Array =>
  published.map((y, i) => y - shift - scale * model[i]!);

/** True if each residual is at most twice the rounding of its number: then one curve gives them all. */
export const areRounding = (rest: Float64Array, halfWidth: Float64Array): boolean =>
  rest.every((r, i) => Math.abs(r) <= 2 * halfWidth[i]!);

/** By how much a parameter may be off before a number is missed, given how the numbers change with it. */
export const radiusOf = (slope: Float64Array, halfWidth: Float64Array): number =>
  slope.reduce((least, s, i) => Math.min(least, halfWidth[i]! / Math.abs(s)), Infinity);

/** What may separate a model from the numbers apart from the parameter: nothing, a shift, or a shift and a scale. */
export type Nuisance = "none" | "shift" | "affine";

/** published ≈ shift + scale · model(x). */
export interface Solution {
  readonly x: number;
  /** How far x may be off before a published number is missed, by the slope at the solution. */
  readonly radius: number;
  readonly shift: number;
  readonly scale: number;
  /** Residuals of the published numbers. */
  readonly rest: Float64Array;
}

interface FitProblem {
  readonly published: Float64Array;
  readonly halfWidth: Float64Array;
  readonly model: (x: number) => Float64Array;
  readonly grid: readonly number[];
  readonly nuisance: Nuisance;
}

interface Projected extends Pick<Solution, "rest" | "shift" | "scale"> {
  readonly squares: number;
}

/** A value of the parameter with what it leaves. */
interface ParameterStep extends Projected {
  readonly x: number;
}

const mean = (values: Float64Array): number => values.reduce((sum, v) => sum + v, 0) / values.length;

/** Fits the nuisance by least squares. */
export function project(published: Float64Array, model: Float64Array, nuisance: Nuisance): Projected {
  let shift = 0;
  let scale = 1;
  if (nuisance !== "none") {
    const centre = mean(model);
    const level = mean(published);
    if (nuisance === "affine") {
      let cross = 0;
      let square = 0;
      model.forEach((m, i) => {
        cross += (m - centre) * (published[i]! - level);
        square += (m - centre) ** 2;
      });
      scale = square > 0 ? cross / square : 1;
    }
    shift = level - scale * centre;
  }
  const rest = residuals(published, model, shift, scale);
  return { rest, shift, scale, squares: dot(rest, rest) };
}

const newtonSteps = 12;

/** Gauss-Newton from the two best points of the grid. Null if the model is finite at none of them. */
export function solve({ published, halfWidth, model, grid, nuisance }: FitProblem): Solution | null {
  const at = (x: number): Projected => project(published, model(x), nuisance);
  const points = grid.map((x) => ({ x, ...at(x) })).filter((p) => Number.isFinite(p.squares));
  const squaresAt = (i: number): number => points[i]?.squares ?? Infinity;
  const minima = points
    .filter((p, i) => p.squares <= squaresAt(i - 1) && p.squares <= squaresAt(i + 1))
    .sort((a, b) => a.squares - b.squares)
    .slice(0, 2);
  const [first, second] = minima.map(descend);
  const best = second !== undefined && first !== undefined && second.squares < first.squares ? second : first;
  return best ?? null;

  function descend(from: ParameterStep): Solution & Projected {
    let best = from;
    let slope = slopeAt(best);
    for (let step = 0; step < newtonSteps; step++) {
      const square = dot(slope, slope);
      const change = square > 0 ? -dot(slope, best.rest) / square : 0;
      if (!Number.isFinite(change) || Math.abs(change) <= 1e-14 * Math.abs(best.x)) break;
      const next = better(best, change);
      if (next === null) break;
      best = next;
      slope = slopeAt(best);
    }
    return { ...best, radius: radiusOf(slope, halfWidth) };
  }

  function slopeAt({ x, rest }: ParameterStep): Float64Array {
    const step = Math.max(1e-6, Math.abs(x) * 1e-6);
    return at(x + step).rest.map((r, i) => (r - rest[i]!) / step);
  }

  /** The point after the whole step or, failing that, after a fraction of it; null if none is better. */
  function better({ x, squares }: ParameterStep, change: number): ParameterStep | null {
    for (let factor = 1; factor > 1e-3; factor /= 4) {
      const next = x + factor * change;
      if (next <= 0) continue;
      const point = at(next);
      if (point.squares < squares) return { x: next, ...point };
    }
    return null;
  }
}

/** Numbers beyond which only some are compared in pairs. */
const maxInPairs = 120;
/** Rounds of fitting to the closest numbers and choosing the closest again. */
const rounds = 3;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** All indices below `count`, or an even sample of them. */
export function someOf(count: number): number[] {
  const stride = Math.ceil(count / maxInPairs);
  return Array.from({ length: Math.ceil(count / stride) }, (_, i) => i * stride);
}

/** Residuals of a shift by the median, or of a line with the median slope: a few wrong numbers do not move them. */
function robustRest(published: Float64Array, model: Float64Array, nuisance: Nuisance): Float64Array {
  const some = someOf(published.length);
  const slope = (i: number, j: number): number => (published[i]! - published[j]!) / (model[i]! - model[j]!);
  const slopes = (): number[] =>
    some.flatMap((i) => some.filter((j) => j < i && model[j] !== model[i]).map((j) => slope(i, j)));
  const rest = residuals(published, model, 0, nuisance === "affine" ? median(slopes()) : 1);
  const shift = nuisance === "none" ? 0 : median([...rest]);
  return rest.map((r) => r - shift);
}

const closestOf = (rest: Float64Array): number[] =>
  Array.from(rest.keys()).sort((a, b) => Math.abs(rest[a]!) - Math.abs(rest[b]!) || a - b);

/** The indices of the four fifths with the smallest residuals. */
export const fourFifths = (rest: Float64Array): number[] =>
  closestOf(rest).slice(0, rest.length - maxOutliers(rest.length));

/**
 * Least trimmed squares: the indices of the numbers from the closest to the model to the furthest, the model being
 * fitted to the closest four fifths, and the sum of the squares of their residuals.
 */
export function closestFirst(
  published: Float64Array,
  model: Float64Array,
  nuisance: Nuisance,
): { order: number[]; squares: number } {
  const count = published.length - maxOutliers(published.length);
  let rest = robustRest(published, model, nuisance);
  let order = closestOf(rest);
  for (let round = 0; round < rounds && nuisance !== "none"; round++) {
    const kept = order.slice(0, count);
    const { shift, scale } = project(pick(published, kept), pick(model, kept), nuisance);
    rest = residuals(published, model, shift, scale);
    order = closestOf(rest);
  }
  const kept = pick(rest, order.slice(0, count));
  return { order, squares: dot(kept, kept) };
}

/** The slopes that reconcile the most numbers with the model, and those numbers: the furthest are left out in turn. */
export function slopesOf(values: MainValues, model: Float64Array): { range: Range; kept: number[] } {
  const count = values.published.length;
  const { order } = closestFirst(values.published, model, "affine");
  for (let drop = 0; drop <= maxOutliers(count); drop = drop < 2 ? drop + 1 : 2 * drop) {
    const kept = order.slice(0, count - drop);
    const range = slopeRange(keeping(values, kept), pick(model, kept));
    if (range[0] <= range[1]) return { range, kept };
  }
  return { range: [NaN, NaN], kept: [] };
}

/** The slopes that some shift reconciles with every number: those that every pair of numbers allows. */
function slopeRange({ published, halfWidth }: MainValues, model: Float64Array): Range {
  const some = someOf(published.length);
  let low = -Infinity;
  let high = Infinity;
  for (const i of some) {
    for (const j of some) {
      const run = model[i]! - model[j]!;
      if (j >= i || run === 0) continue;
      const rise = (published[i]! - published[j]!) / run;
      const slack = (halfWidth[i]! + halfWidth[j]!) / Math.abs(run);
      low = Math.max(low, rise - slack);
      high = Math.min(high, rise + slack);
    }
  }
  return [low, high];
}
