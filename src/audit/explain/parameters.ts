import { metricKind, type Conventions, type Kind } from "../../metrics/index.js";
import { locations, patched, type Rescaling, type Scenario, type ScenarioPatch } from "../evaluate/scenario.js";
import type { Evaluator } from "../evaluate/evaluator.js";
import { bitsOfDecimal, simplestIn, simplestWithin, centreOf, maxOutliers, modelOf, type Target } from "../target.js";
import { truncation, type Hypothesis } from "./hypotheses.js";

/** A free number that the audit derives from the published ones. */
export interface Parameter {
  readonly name: string;
  readonly value: number;
  /** The published precision allows any value from `low` to `high`. */
  readonly low: number;
  readonly high: number;
  /** Bits to state the value. */
  readonly bits: number;
}

/** A scenario with the parameters found for it. */
export interface FoundParameters {
  readonly scenario: Scenario;
  readonly parameters: readonly Parameter[];
}

/** Bits to state a usual value. */
const usualBits = 3;

/** Whether a value is a convention of the field (`inUse` of the kind), not one that only these numbers suggest. */
export const isInUse = (kind: Kind, { name, value }: Pick<Parameter, "name" | "value">): boolean =>
  metricKind(kind).inUse?.[name]?.includes(value) === true;

function parameter(kind: Kind, name: string, value: number, low: number, high: number): Parameter {
  const bits = isInUse(kind, { name, value }) ? usualBits : bitsOfDecimal(value);
  return { name, value, low: Math.min(low, high, value), high: Math.max(low, high, value), bits };
}

/** A number of a scenario that a service may have set. */
interface RatingSetting {
  readonly name: string;
  readonly of: (scenario: Scenario) => number;
  readonly set: (value: number) => ScenarioPatch;
}

/** The parameters of a rating. The other kinds have a scale and a shift in their place. */
interface RatingSettings {
  /** Moves every rating by the same amount. */
  readonly level: RatingSetting;
  /** Spreads every rating from the level; null if the spread also depends on something else. */
  readonly unit: RatingSetting | null;
  /** Bends the ratings: found by iteration, from the best of a few values. */
  readonly curve: RatingSetting & { readonly grid: readonly number[] };
}

const eloSetting = (name: "k" | "start"): RatingSetting => ({
  name,
  of: (s) => s.conventions.elo[name],
  set: (value) => ({ conventions: { elo: { [name]: value } satisfies Partial<Conventions["elo"]> } }),
});
const bayesianSetting = (name: "shape" | "anchor" | "scale"): RatingSetting => ({
  name,
  of: (s) => s.conventions.bayesian_elo[name],
  set: (value) => ({ conventions: { bayesian_elo: { [name]: value } satisfies Partial<Conventions["bayesian_elo"]> } }),
});

const ratings: Readonly<Partial<Record<Kind, RatingSettings>>> = {
  elo: {
    level: eloSetting("start"),
    unit: null,
    curve: { ...eloSetting("k"), grid: [2, 6, 12, 24, 48, 96] },
  },
  bayesian_elo: {
    level: bayesianSetting("anchor"),
    unit: bayesianSetting("scale"),
    curve: { ...bayesianSetting("shape"), grid: [1.2, 2, 4, 10, 30] },
  },
};

/** The change that gives a rating's parameter a value. */
export function patchOf(kind: Kind, name: string, value: number): ScenarioPatch {
  const { level, unit, curve } = ratings[kind] ?? {};
  return [level, unit, curve].find((setting) => setting?.name === name)?.set(value) ?? {};
}

/** The parameters that may be fitted to the numbers of a kind. */
export function parameterNames(kind: Kind): string[] {
  const { level, unit, curve } = ratings[kind] ?? {};
  return [...[level, unit, curve].flatMap((setting) => setting?.name ?? []), "scale", "shift"];
}

/** Whether the numbers of a kind are ratings, such as Elos. */
export const isRating = (kind: Kind): boolean => ratings[kind] !== undefined;

/** The published numbers on the metric's own scale, and the recomputed ones beside them. */
interface MainValues {
  /** The middle of what each number may have been before it was rounded. */
  readonly published: Float64Array;
  readonly halfWidth: Float64Array;
  /** The same numbers recomputed under a scenario. */
  readonly model: (scenario: Scenario) => Float64Array;
}

function valuesOf(target: Target, evaluator: Evaluator, scenario: Scenario): MainValues {
  const { kind, cells, halfWidth } = target;
  const all = (s: Scenario): Float64Array => modelOf(target, evaluator.table(kind, s, false));
  const present = all(scenario);
  const used = cells.flatMap(({ field }, i) => (field in locations && Number.isFinite(present[i]) ? [i] : []));
  const published = Float64Array.from(used, (i) => centreOf(target, cells[i]!, scenario.rounding, present[i]!));
  return { published, halfWidth: pick(halfWidth, used), model: (s) => pick(all(s), used) };
}

const pick = (values: Float64Array, indices: readonly number[]): Float64Array =>
  Float64Array.from(indices, (i) => values[i]!);

/** Fewest numbers from which two parameters are found. */
const enoughForTwo = 3;

/**
 * Every set of parameters under which a scenario may give the published numbers: a level or a shift, a scale, in closed
 * form; and the number that bends a rating. A parameter whose range contains the scenario's own value is none. Numbers
 * are fitted to the conventions that are given; under a `combination` of others, parameters have values in use.
 */
export function identify(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  combination: readonly Hypothesis[],
): FoundParameters[] {
  const { kind } = target;
  // Counts are on no scale.
  if (!truncation.kinds.includes(kind)) return [];
  const isFree = combination.every(({ axis }) => axis === "rounding" || axis === "scale");
  const found = identifyAny(target, evaluator, scenario, combination, isFree);
  return isFree ? found : found.filter(({ parameters }) => parameters.every((p) => isInUse(kind, p)));
}

function identifyAny(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  combination: readonly Hypothesis[],
  isFree: boolean,
): FoundParameters[] {
  const { kind } = target;
  const values = valuesOf(target, evaluator, scenario);
  const has = (...axes: string[]): boolean => combination.some((h) => axes.includes(h.axis));
  const rating = ratings[kind];
  if (rating === undefined)
    return has("rounding") ? [] : rescalings(kind, values, scenario, !has("scale", "denominator"));
  const found = withLevel(kind, values, scenario, rating.level, []);
  if (values.published.length < enoughForTwo) return found;
  if (rating.unit !== null && !has("unit")) found.push(...stretched(kind, values, scenario, rating.level, rating.unit));
  if (!isFree) return found;
  found.push(...bent(kind, values, scenario, rating));
  if (rating.unit === null && !has("rounding")) found.push(...lines(kind, values, scenario));
  return found;
}

/** Where a rating's level differs by less than a unit of the last decimal, it is rounding and no level. */
function withLevel(
  kind: Kind,
  { published, halfWidth, model }: MainValues,
  scenario: Scenario,
  level: RatingSetting,
  others: readonly Parameter[],
): FoundParameters[] {
  const [low, high] = agreedShift(published, model(scenario), halfWidth).range;
  const isOwn = !Number.isFinite(low) || !Number.isFinite(high) || (low <= 0 && high >= 0);
  if (isOwn || Math.max(Math.abs(low), Math.abs(high)) < 2 * Math.min(...halfWidth))
    return others.length === 0 ? [] : [{ scenario, parameters: others }];
  const own = level.of(scenario);
  const value = simplestIn(own + low, own + high);
  const found = parameter(kind, level.name, value, own + low, own + high);
  return [{ scenario: patched(scenario, level.set(value)), parameters: [...others, found] }];
}

/** The unit of a rating, with the level that goes with it. */
function stretched(
  kind: Kind,
  values: MainValues,
  scenario: Scenario,
  level: RatingSetting,
  unit: RatingSetting,
): FoundParameters[] {
  const [low, high] = slopesOf(values, values.model(scenario));
  if (!(low > 0) || (low <= 1 && high >= 1)) return [];
  const own = unit.of(scenario);
  return simplestWithin(own * low, own * high).flatMap((value) => {
    const found = parameter(kind, unit.name, value, own * low, own * high);
    return withLevel(kind, values, patched(scenario, unit.set(value)), level, [found]);
  });
}

const newtonSteps = 20;

/** The number that bends a rating, by Gauss-Newton from the best point of a grid, whatever the level. */
function bent(kind: Kind, values: MainValues, scenario: Scenario, { curve, level }: RatingSettings): FoundParameters[] {
  const restAt = (x: number): Float64Array => {
    const model = values.model(patched(scenario, curve.set(x)));
    return centred(values.published.map((y, i) => y - model[i]!));
  };
  const starts = curve.grid.map((x) => ({ x, rest: restAt(x) })).filter(({ rest }) => rest.every(Number.isFinite));
  if (starts.length === 0) return [];
  let best = starts.reduce((a, b) => (dot(b.rest, b.rest) < dot(a.rest, a.rest) ? b : a));
  let slope = slopeAt(best);
  for (let step = 0; step < newtonSteps; step++) {
    const x = best.x - dot(slope, best.rest) / dot(slope, slope);
    if (!(x > 0) || x === best.x) break;
    const next = { x, rest: restAt(x) };
    if (!(dot(next.rest, next.rest) < dot(best.rest, best.rest))) break;
    best = next;
    slope = slopeAt(best);
  }
  const { x, rest } = best;
  if (rest.filter((r, i) => Math.abs(r) > 2 * values.halfWidth[i]!).length > maxOutliers(rest.length)) return [];
  const radius = slope.reduce((least, s, i) => Math.min(least, values.halfWidth[i]! / Math.abs(s)), Infinity);
  const isNear = (value: number): boolean => Math.abs(value - x) <= 3 * radius;
  // The values in use are conventions, tried as such.
  const named = metricKind(kind).hypotheses.filter(({ axis }) => axis === curve.name);
  if ([curve.of(scenario), ...named.map((h) => Number(h.value))].some(isNear)) return [];
  return simplestWithin(x - radius, x + radius).flatMap((value) => {
    const found = parameter(kind, curve.name, value, x - radius, x + radius);
    return withLevel(kind, values, patched(scenario, curve.set(value)), level, [found]);
  });

  function slopeAt({ x: from, rest: before }: { readonly x: number; readonly rest: Float64Array }): Float64Array {
    const step = 1e-6 * from;
    return restAt(from + step).map((r, i) => (r - before[i]!) / step);
  }
}

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, v, i) => sum + v * b[i]!, 0);

function centred(values: Float64Array): Float64Array {
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  return values.map((v) => v - mean);
}

/** Maximum number of pairs of a scale and a shift to try, the cheapest to state first. */
const maxPairs = 4;

/** published = shift + scale · computed: a shift alone, a scale alone, or both; a negative scale is reversed. */
function rescalings(kind: Kind, values: MainValues, scenario: Scenario, withScale: boolean): FoundParameters[] {
  const { published, halfWidth, model } = values;
  if (scenario.rescaled !== null || scenario.relative !== null || published.length < 2) return [];
  const modelUnder = (rescaled: Rescaling): Float64Array => model(patched(scenario, { rescaled }));
  const plain = model(scenario);
  const found = [shiftAlone(), ...(withScale ? [1, -1] : []).flatMap((sign) => [...scaleAlone(sign), ...both(sign)])];
  return found
    .filter((parameters) => parameters.length > 0)
    .map((parameters) => {
      const valueOf = (name: string, otherwise: number): number =>
        parameters.find((p) => p.name === name)?.value ?? otherwise;
      return { rescaled: { scale: valueOf("scale", 1), shift: valueOf("shift", 0) }, parameters };
    })
    .filter(({ rescaled }) => movesMost(rescaled))
    .map(({ rescaled, parameters }) => ({ scenario: patched(scenario, { rescaled }), parameters }));

  /** A map that moves most numbers by less than a unit of the last decimal is rounding, not a scale. */
  function movesMost(rescaled: Rescaling): boolean {
    const moved = modelUnder(rescaled).filter((v, i) => Math.abs(v - plain[i]!) > 2 * halfWidth[i]!);
    return moved.length > plain.length / 2;
  }

  /** Points counted from another number make a whole shift; a fraction comes from wrong ratings. */
  function shiftAlone(): Parameter[] {
    const { range, agree } = agreedShift(published, plain, halfWidth);
    const [low, high] = range;
    const shift = Math.round((low + high) / 2);
    if (published.length - agree > maxOutliers(published.length) || shift === 0) return [];
    return low <= shift && shift <= high ? [parameter(kind, "shift", shift, low, high)] : [];
  }

  function scaleAlone(sign: number): Parameter[][] {
    const signed = modelUnder({ scale: sign, shift: 0 });
    const ranges = Array.from(published, (y, i): Range => {
      const half = Math.sign(signed[i]!) * halfWidth[i]!;
      return [(y - half) / signed[i]!, (y + half) / signed[i]!];
    }).filter((range) => range.every(Number.isFinite));
    const { range, agree } = agreedRange(ranges);
    const [low, high] = range;
    if (ranges.length - agree > maxOutliers(ranges.length) || (sign > 0 && low <= 1 && high >= 1)) return [];
    return simplestWithin(low, high)
      .filter((size) => size > 0)
      .map((size) => [parameter(kind, "scale", sign * size, sign * low, sign * high)]);
  }

  function both(sign: number): Parameter[][] {
    if (published.length < enoughForTwo) return [];
    const signed = modelUnder({ scale: sign, shift: 0 });
    const [low, high] = slopesOf(values, signed);
    if (!(low > 0) || (sign > 0 && low <= 1 && high >= 1)) return [];
    const shiftsAt = (size: number): Range =>
      agreedShift(
        published,
        signed.map((m) => size * m),
        halfWidth,
      ).range;
    const ends = [...shiftsAt(low), ...shiftsAt(high)];
    const bitsOf = (all: readonly Parameter[]): number => all.reduce((sum, { bits }) => sum + bits, 0);
    /** A shift by less than a unit of the last decimal is rounding. */
    const unit = 2 * Math.max(...halfWidth);
    return simplestWithin(low, high)
      .map((size) => {
        const shifts = shiftsAt(size);
        const shift = simplestWithin(...shifts)[0] ?? 0;
        const all = [...shifts, ...ends].filter(Number.isFinite);
        const [least, most] = [Math.min(...all), Math.max(...all)];
        return (least <= 0 && most >= 0) || Math.abs(shift) < unit
          ? []
          : [
              parameter(kind, "scale", sign * size, sign * low, sign * high),
              parameter(kind, "shift", shift, least, most),
            ];
      })
      .sort((a, b) => bitsOf(a) - bitsOf(b))
      .slice(0, maxPairs);
  }
}

/** A scale of ratings whose unit also depends on something else; a shift alone is a level. */
const lines = (kind: Kind, values: MainValues, scenario: Scenario): FoundParameters[] =>
  rescalings(kind, values, scenario, true).filter(({ parameters }) => parameters.some(({ name }) => name === "scale"));

type Range = readonly [low: number, high: number];

/** A range on which `agree` ranges agree. */
interface Agreement {
  readonly range: Range;
  readonly agree: number;
}

/** What most of the ranges have in common, so that a wrong number does no harm. Of several ranges the most central. */
function agreedRange(ranges: readonly Range[]): Agreement {
  const edges = ranges.flatMap(([low, high]) => [
    { at: low, by: 1 },
    { at: high, by: -1 },
  ]);
  edges.sort((a, b) => a.at - b.at || b.by - a.by);
  const middle = median(ranges.map(([low, high]) => (low + high) / 2));
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
function agreedShift(published: Float64Array, model: Float64Array, halfWidth: Float64Array): Agreement {
  const ranges = Array.from(published, (y, i): Range => {
    const offset = y - model[i]!;
    return [offset - halfWidth[i]!, offset + halfWidth[i]!];
  });
  return agreedRange(ranges);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Numbers beyond which only some are compared in pairs. */
const maxInPairs = 120;

/** All indices below `count`, or an even sample of them. */
function someOf(count: number): number[] {
  const stride = Math.ceil(count / maxInPairs);
  return Array.from({ length: Math.ceil(count / stride) }, (_, i) => i * stride);
}

/** The slopes that some shift reconciles with most numbers: those furthest from a line of medians are left out in turn. */
function slopesOf({ published, halfWidth }: MainValues, model: Float64Array): Range {
  const some = someOf(published.length);
  const slopes = some.flatMap((i) =>
    some
      .filter((j) => j < i && model[j] !== model[i])
      .map((j) => (published[i]! - published[j]!) / (model[i]! - model[j]!)),
  );
  const slope = median(slopes);
  const rest = published.map((y, i) => y - slope * model[i]!);
  const level = median([...rest]);
  const order = Array.from(rest.keys()).sort((a, b) => Math.abs(rest[a]! - level) - Math.abs(rest[b]! - level));
  for (let drop = 0; drop <= maxOutliers(order.length); drop = drop < 2 ? drop + 1 : 2 * drop) {
    const range = slopeRange(order.slice(0, order.length - drop));
    if (range[0] <= range[1]) return range;
  }
  return [NaN, NaN];

  /** The slopes that every pair of numbers allows. */
  function slopeRange(kept: readonly number[]): Range {
    const used = someOf(kept.length).map((at) => kept[at]!);
    let low = -Infinity;
    let high = Infinity;
    for (const i of used) {
      for (const j of used) {
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
}
