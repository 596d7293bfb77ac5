import { type Evaluator, patched, type Scenario, type ScenarioPatch } from "../../evaluate/index.js";
import { type Target, maxOutliers } from "../../target/index.js";
import { type Hypothesis, truncation, scorings } from "../hypotheses.js";
import {
  identifyAffine,
  identifyCurve,
  identifyUnit,
  identifyLevel,
  withLevel,
  type Level,
  identifyStop,
  type Curve,
} from "./curves.js";
import {
  usualBits,
  type FoundParameters,
  valuesOf,
  type MainValues,
  project,
  fourFifths,
  agreedShift,
  dot,
  pick,
} from "./values.js";
import { identifyQuality, isQualityNear, qualityFits, quickPriors } from "./quality.js";
import type { RatingColumns } from "../../ratings/index.js";
import type { Conventions, Kind } from "../../../metrics/index.js";

/** Work beyond which a prior of rater quality is searched for last, and only if a few fits suggest one. */
const costlyWork = 1e8;

/** Whether a fit takes long: one of many ratings with rater quality, or one that is repeated after every session. */
export function isCostly(evaluator: Evaluator, { conventions: { bayesian_elo: own } }: Scenario): boolean {
  return isQualityCostly(evaluator) && (own.rater_quality !== null || own.start === "warm");
}

const isQualityCostly = (evaluator: Evaluator): boolean => qualityFits * evaluator.qualityWork > costlyWork;

/** Main values needed to look for parameters: one more than the parameters and the level take. */
const enoughFor = (parameters: number): number => parameters + 1;

/** Every set of parameters under which a scenario may give the published numbers, without a costly prior of quality. */
export function identify(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  combination: readonly Hypothesis[],
): FoundParameters[] {
  const { kind } = target;
  // Counts are on no scale.
  if (!truncation.kinds.includes(kind)) return [];
  const values = valuesOf(target, evaluator, scenario);
  const axes = new Set(combination.map((h) => h.axis));
  const rating = ratings[kind];
  if (rating === undefined)
    return axes.has("rounding") ? [] : identifyAffine(values, scenario, !axes.has("scale") && !axes.has("denominator"));
  if (values.published.length < enoughFor(1)) return [];
  const isUnconditional = combination.every((h) => h.axis === "rounding");
  const withQuality = isUnconditional && !isQualityCostly(evaluator);
  const found = rating.find(values, scenario, axes, evaluator, withQuality);
  if (!target.isRounded || scenario.rounding !== "nearest") return found;
  const truncated = valuesOf(target, evaluator, patched(scenario, truncation.set));
  return [...found, ...found.flatMap((one) => withTruncation(truncated, scenario, one, rating.level))];
}

/** A costly prior of the raters' quality: one of many ratings. */
export function identifyCostlyQuality(target: Target, evaluator: Evaluator, scenario: Scenario): FoundParameters[] {
  if (ratings[target.kind]?.hasQuality !== true || !isQualityCostly(evaluator)) return [];
  const values = valuesOf(target, evaluator, scenario);
  return isQualityNear(values, scenario) ? identifyQuality(values, scenario, quickPriors) : [];
}

function eloParameters(values: MainValues, scenario: Scenario, axes: ReadonlySet<string>): FoundParameters[] {
  const count = values.published.length;
  const level = identifyLevel(values, scenario, eloK.level);
  const found = level === null ? [] : [level];
  if (count >= enoughFor(2)) found.push(...identifyCurve(values, scenario, eloK, "shift"));
  if (count >= enoughFor(3) && !isUsual(values, found)) found.push(...identifyCurve(values, scenario, eloK, "affine"));
  if (count >= enoughFor(2) && !axes.has("tie_value") && !axes.has("ties"))
    found.push(...identifyCurve(values, scenario, eloTie, "shift"));
  return found.filter(supposesSomething);
}

/** `withQuality`: also the prior of rater quality, and the other parameters if each step fits that quality. */
function bayesianParameters(
  values: MainValues,
  scenario: Scenario,
  axes: ReadonlySet<string>,
  evaluator: Evaluator,
  withQuality: boolean,
): FoundParameters[] {
  const count = values.published.length;
  const { rater_quality: quality, start, ties } = scenario.conventions.bayesian_elo;
  const level = identifyLevel(values, scenario, bayesianShape.level);
  const found = level === null ? [] : [level];
  if (count >= enoughFor(2)) found.push(...identifyUnit(values, scenario, bayesianShape));
  if (start === "cold" && (quality === null || withQuality)) {
    if (count >= enoughFor(2)) found.push(...identifyCurve(values, scenario, bayesianShape, "shift"));
    if (count >= enoughFor(3) && !isUsual(values, found))
      found.push(...identifyCurve(values, scenario, bayesianShape, "affine"));
    if (quality === null && ties !== "davidson" && !axes.has("stop_elo"))
      found.push(...identifyStop(values, evaluator, scenario));
  }
  const all = found.filter(supposesSomething);
  if (withQuality && ties !== "davidson" && count >= enoughFor(2) && !isUsual(values, all))
    all.push(...identifyQuality(values, scenario));
  return all;
}

const supposesSomething = ({ parameters, hypotheses = [] }: FoundParameters): boolean =>
  parameters.length + hypotheses.length > 0;

/** True if usual values alone reproduce every number: then nothing more complex is searched for. */
function isUsual({ published, halfWidth, model }: MainValues, found: readonly FoundParameters[]): boolean {
  return found.filter(supposesSomething).some(({ scenario, parameters }) => {
    if (parameters.some((p) => p.bits > usualBits)) return false;
    return model(scenario).every((m, i) => Math.abs(published[i]! - m) <= halfWidth[i]!);
  });
}

/** Truncated numbers are half a unit too low for their level: the same parameters with the level found again. */
function withTruncation(
  values: MainValues,
  scenario: Scenario,
  found: FoundParameters,
  level: Level,
): FoundParameters[] {
  const others = found.parameters.filter((p) => p.name !== level.name);
  const isUsualLevel = found.parameters.some((p) => p.name === level.name && p.bits <= usualBits);
  if (others.length === 0 || isUsualLevel) return [];
  const truncated = patched(patched(found.scenario, level.set(level.of(scenario))), truncation.set);
  const identified = withLevel(values, truncated, level, others);
  return [{ ...identified, hypotheses: [...(found.hypotheses ?? []), truncation] }];
}

const eloPatch = (elo: Partial<Conventions["elo"]>): ScenarioPatch => ({ conventions: { elo } });
const bayesianPatch = (bayesian_elo: Partial<Conventions["bayesian_elo"]>): ScenarioPatch => ({
  conventions: { bayesian_elo },
});

const unitsOf = (kind: Kind): readonly Hypothesis[] =>
  scorings.filter(({ axis, kinds }) => axis === "unit" && kinds.includes(kind));

const eloK: Curve = {
  name: "k",
  of: (s) => s.conventions.elo.k,
  set: (k) => eloPatch({ k }),
  grid: [1, 2, 4, 6, 8, 11, 16, 20, 24, 28, 32, 36, 40, 50, 64, 90, 128, 256],
  level: { name: "start", of: (s) => s.conventions.elo.start, set: (start) => eloPatch({ start }) },
  unit: { of: (s) => s.conventions.elo.scale, set: (scale) => eloPatch({ scale }), named: unitsOf("elo") },
  inUnits: true,
};

const eloTie: Curve = {
  ...eloK,
  name: "tie_value",
  of: (s) => s.conventions.elo.tie_value,
  set: (tie_value) => eloPatch({ tie_value }),
  grid: [0.05, 0.25, 0.4, 0.6, 0.75, 0.95],
  inUnits: false,
  named: scorings.filter((h) => h.axis === "tie_value"),
};

const bayesianShape: Curve = {
  name: "shape",
  of: (s) => s.conventions.bayesian_elo.shape,
  set: (shape) => bayesianPatch({ shape }),
  grid: [1.1, 1.5, 2, 3, 4, 6, 8, 11, 16, 25, 50, 100],
  level: { name: "anchor", of: (s) => s.conventions.bayesian_elo.anchor, set: (anchor) => bayesianPatch({ anchor }) },
  unit: {
    of: (s) => s.conventions.bayesian_elo.scale,
    set: (scale) => bayesianPatch({ scale }),
    named: unitsOf("bayesian_elo"),
  },
  inUnits: false,
};

/** The points of a curve. */
export type SampledCurve = Pick<Curve, "grid" | "set">;

/** Thresholds of an early-stopped fit; from one to the next it moves by less than the first. */
const stops: SampledCurve = {
  grid: [30, 10, 3, 1, 0.3, 0.1, 0.03, 0.01],
  set: (stop_elo) => bayesianPatch({ stop_elo, start: "cold" }),
};

/** K at fewer points: long replays of a small K take most of the time. */
const kWithinReach: SampledCurve = { ...eloK, grid: eloK.grid.filter((k) => ![1, 4, 8].includes(k)) };

/** How the parameters of a rating are found. */
interface RatingSearch {
  /** What shifts all numbers of the kind. */
  readonly level: Level;
  /** True if raters may have a quality, whose prior is then searched for. */
  readonly hasQuality: boolean;
  readonly find: (
    values: MainValues,
    scenario: Scenario,
    axes: ReadonlySet<string>,
    evaluator: Evaluator,
    withQuality: boolean,
  ) => FoundParameters[];
  /** The curves along which parameters are searched; none if each of their points costs too much. */
  readonly curves: (conventions: Conventions) => readonly SampledCurve[];
  /** The work of one evaluation, about. */
  readonly work: (ratings: RatingColumns) => number;
}

/** Kinds that are ratings; the others have an offset and a scale in place of such parameters. */
export const ratings: Readonly<Partial<Record<Kind, RatingSearch>>> = {
  elo: {
    level: eloK.level,
    hasQuality: false,
    find: eloParameters,
    curves: () => [kWithinReach, eloTie],
    work: ({ score, stimuli }) => Math.min(score.length / 2, 2000 * stimuli.length),
  },
  bayesian_elo: {
    level: bayesianShape.level,
    hasQuality: true,
    find: bayesianParameters,
    curves: ({ bayesian_elo: { rater_quality, start, ties } }) => {
      if (rater_quality !== null || start !== "cold") return [];
      return ties === "davidson" ? [bayesianShape] : [bayesianShape, stops];
    },
    work: ({ stimuli }) => 5 * stimuli.length ** 2,
  },
};

/** Work of the searches under all combinations beyond which each is first checked for reach. */
const muchWork = 1e8;
/** Evaluations that one search for parameters takes, about. */
const evaluations = 60;

/**
 * Whether a search for parameters under a scenario may succeed. `searches`: how many searches the check saves from, so
 * that it is left out if they are cheap.
 */
export function isReachable(target: Target, evaluator: Evaluator, scenario: Scenario, searches: number): boolean {
  const rating = ratings[target.kind];
  if (rating === undefined) return true;
  const curves = rating.curves(scenario.conventions);
  if (curves.length === 0) return isLevelWithinReach(target, evaluator, scenario);
  if (searches * evaluations * rating.work(evaluator.ratings) <= muchWork) return true;
  return curves.some((curve) => isWithinReach(target, evaluator, scenario, curve));
}

/** How far a curve may bend from the chord between two points of its grid, as a share of the chord. */
const bend = 0.25;
/** How far beyond its ends a chord still counts, as a share of it. */
const beyond = 0.25;

/**
 * Whether some value of a parameter may bring a scenario to the published numbers. The numbers follow a curve as the
 * parameter changes, known at the points of its grid: they are within reach if they lie near the chord between two of
 * them, up to a level and a unit and without the fifth of the numbers that may be wrong.
 */
export function isWithinReach(target: Target, evaluator: Evaluator, scenario: Scenario, curve: SampledCurve): boolean {
  const { published, halfWidth, rough } = valuesOf(target, evaluator, scenario);
  if (published.length < 4) return true;
  const points = curve.grid.map((x) => rough(patched(scenario, curve.set(x)), "coarse"));
  const error = Math.max(...halfWidth, ...points.map((point) => point.error));
  const isFinite = (values: Float64Array): boolean => values.every(Number.isFinite);
  return points.some(({ model: to }, i) => {
    const from = points[i - 1]?.model;
    return from !== undefined && isFinite(from) && isFinite(to) && isNearChord(published, from, to, error);
  });
}

/** Whether a level may bring a scenario to four fifths of the published numbers. */
export function isLevelWithinReach(target: Target, evaluator: Evaluator, scenario: Scenario): boolean {
  const { published, halfWidth, rough } = valuesOf(target, evaluator, scenario);
  const { model, error } = rough(scenario, "coarse");
  const widened = halfWidth.map((half) => half + error);
  return published.length - agreedShift(published, model, widened).agree <= maxOutliers(published.length);
}

/** Projects `published` and the chord off the first point, a level and a unit, and compares what is left of them. */
function isNearChord(published: Float64Array, from: Float64Array, to: Float64Array, error: number): boolean {
  let kept = Array.from(published.keys());
  for (const isTrimmed of [false, true]) {
    const y = project(pick(published, kept), pick(from, kept), "affine");
    const chord = project(pick(to, kept), pick(from, kept), "affine");
    const share = chord.squares > 0 ? dot(y.rest, chord.rest) / chord.squares : 0;
    const unit = y.scale - share * chord.scale + share;
    const rest = y.rest.map((r, i) => r - share * chord.rest[i]!);
    const distance = Math.sqrt(dot(rest, rest));
    const isBetween = unit > 0 && share / unit >= -beyond && share / unit <= 1 + beyond;
    const maxDistance = bend * unit * Math.sqrt(chord.squares) + 2 * error * Math.sqrt(kept.length);
    if (isBetween && distance <= maxDistance) return true;
    if (!isTrimmed) kept = fourFifths(rest);
  }
  return false;
}

/** How many times the smaller effect of two conventions may differ under the other one. */
const interplay = 2;

/**
 * Whether a combination is too far from the published numbers to be worth its cost, judged by the numbers under each
 * of its parts alone: their effects are added up, give or take twice the smaller ones, and a level. `base`: the scenario
 * that the parts change.
 */
export function isFarFromSum(
  target: Target,
  evaluator: Evaluator,
  base: Scenario,
  parts: readonly Scenario[],
): boolean {
  const { published, halfWidth, model } = valuesOf(target, evaluator, base);
  const from = model(base);
  const effects = parts.map((part) => model(part).map((value, i) => value - from[i]!));
  const sizes = effects.map((effect) => effect.reduce((most, value) => Math.max(most, Math.abs(value)), 0));
  const slack = interplay * (sizes.reduce((sum, size) => sum + size, 0) - Math.max(...sizes));
  if (published.length === 0 || !Number.isFinite(slack)) return false;
  const sum = from.map((value, i) => effects.reduce((total, effect) => total + effect[i]!, value));
  const widened = halfWidth.map((half) => half + slack);
  return published.length - agreedShift(published, sum, widened).agree > maxOutliers(published.length);
}
