import { patched, type Scenario, type ScenarioPatch, type Evaluator, type Rescaling } from "../../evaluate/index.js";
import { maxOutliers, roundWithin, simplestIn, simplestWithin, oneDigitWithin } from "../../target/index.js";
import { type Hypothesis, scorings } from "../hypotheses.js";
import {
  parameter,
  type FoundParameters,
  type Parameter,
  slopesOf,
  solve,
  type Nuisance,
  type Solution,
  closestFirst,
  fourFifths,
  keeping,
  type MainValues,
  areRounding,
  residuals,
  agreedShift,
  agreedRange,
  type Range,
  pick,
} from "./values.js";
import { countedTies, eloOf, mmStrengths, strengthData } from "../../../metrics/index.js";
import { counted } from "../../../platform/index.js";

/** A parameter that is found by a search along its curve, the numbers of the model as the parameter changes. */
export interface Curve extends ScenarioSetting {
  readonly name: string;
  readonly grid: readonly number[];
  readonly level: Level;
  /** The unit of the ratings: multiplying it by c spreads them c times as far. `named`: conventions that set it. */
  readonly unit: ScenarioSetting & { readonly named: readonly Hypothesis[] };
  /** True if the parameter is measured in that unit (K is, a prior's shape is not). */
  readonly inUnits: boolean;
  /** Conventions that are a value of the parameter: if the numbers allow that value, the convention is reported. */
  readonly named?: readonly Hypothesis[];
}

/** Maximum number of units to try: interval ends, further out than the ratings, distinguish some that these do not. */
const maxUnits = 20;

/**
 * The unit alone, in closed form, with the level that goes with it. Coarse numbers leave a parameter and a unit
 * together so much freedom that the parameter's own value is not among what a search for both finds.
 */
export function identifyUnit(values: MainValues, scenario: Scenario, curve: Curve): FoundParameters[] {
  const [low, high] = slopesOf(values, values.model(scenario)).range;
  if (!(low > 0) || (low <= 1 && high >= 1)) return [];
  const own = curve.unit.of(scenario);
  const named = namedUnits(scenario, curve, own * low, own * high);
  if (named.length > 0) return named.map((h) => under(h, withLevel(values, patched(scenario, h.set), curve.level, [])));
  const units = new Set([...simplestWithin(own * low, own * high), ...roundWithin(own * low, own * high, maxUnits)]);
  return [...units].map((unit) => {
    const scale = parameter("scale", unit, own * low, own * high);
    return withLevel(values, patched(scenario, curve.unit.set(unit)), curve.level, [scale]);
  });
}

/** The conventions that set a unit between `low` and `high`. */
const namedUnits = (scenario: Scenario, { unit }: Curve, low: number, high: number): Hypothesis[] =>
  unit.named.filter(({ set }) => {
    const value = unit.of(patched(scenario, set));
    return low <= value && value <= high && value !== unit.of(scenario);
  });

const under = (convention: Hypothesis, { hypotheses = [], ...found }: FoundParameters): FoundParameters => ({
  ...found,
  hypotheses: [convention, ...hypotheses],
});

/** Shares of the radius in which to look for a simple number, widest first. */
const shares = [2, 1, 0.25, 0.05];
/** Share of the numbers' spread, squared, that the grid's best point may leave for the search to continue. */
const maxLeft = 0.05;
/** Rounds of leaving out the furthest numbers. */
const rounds = 3;

/**
 * One parameter by a search along its curve, with level and unit in closed form where they are free. If not all numbers
 * lie on one curve, the few that are furthest off are left out and the search is repeated.
 */
export function identifyCurve(
  values: MainValues,
  scenario: Scenario,
  curve: Curve,
  nuisance: Nuisance,
): FoundParameters[] {
  const solution = solved(values, scenario, curve, nuisance);
  const found = solution === null ? [] : simplest(values, values, solution, scenario, curve, nuisance);
  if (solution !== null && areRounding(solution.rest, values.halfWidth)) return found;
  const agreeing = agreeingOn(values, scenario, curve, nuisance);
  const again = agreeing === null ? null : solved(agreeing, scenario, curve, nuisance);
  if (agreeing === null || again === null) return found;
  return [...found, ...simplest(values, agreeing, again, scenario, curve, nuisance)];
}

/** Solves on rough numbers, then on exact ones if most published numbers come near. */
function solved(values: MainValues, scenario: Scenario, curve: Curve, nuisance: Nuisance): Solution | null {
  const { published, halfWidth } = values;
  const at = (x: number): Scenario => patched(scenario, curve.set(x));
  const rough = solve({ published, halfWidth, nuisance, grid: curve.grid, model: (x) => values.rough(at(x)).model });
  if (rough === null) return null;
  let exact: Solution | null = rough;
  const { error } = values.rough(at(rough.x));
  if (error > 0) {
    const { rest, scale, x } = rough;
    const far = rest.filter((r, i) => Math.abs(r) > 2 * halfWidth[i]! + 2 * scale * error);
    if (far.length > maxOutliers(rest.length)) return null;
    exact = solve({ published, halfWidth, nuisance, grid: [x], model: (y) => values.model(at(y)) });
  }
  return exact !== null && exact.scale > 0 ? exact : null;
}

/** Least trimmed squares: the numbers of a curve on which four fifths lie; null if there is none. */
function agreeingOn(values: MainValues, scenario: Scenario, curve: Curve, nuisance: Nuisance): MainValues | null {
  const { published, halfWidth } = values;
  const count = published.length - maxOutliers(published.length);
  if (count === published.length) return null;
  const at = (x: number): Scenario => patched(scenario, curve.set(x));
  const starts = curve.grid.map((x) => closestFirst(published, values.rough(at(x)).model, nuisance));
  const start = starts.reduce((best, s) => (s.squares < best.squares ? s : best));
  const spread = closestFirst(published, new Float64Array(published.length), "shift").squares;
  if (!(start.squares <= maxLeft * spread)) return null;
  let kept = start.order.slice(0, count).sort((a, b) => a - b);
  for (let round = 0; round < rounds; round++) {
    const used = keeping(values, kept);
    const solution = solved(used, scenario, curve, nuisance);
    if (solution === null) return null;
    const rest = residuals(published, values.model(at(solution.x)), solution.shift, solution.scale);
    if (areRounding(solution.rest, used.halfWidth)) {
      const isOnCurve = (i: number): boolean => Math.abs(rest[i]!) <= 2 * halfWidth[i]!;
      return keeping(values, Array.from(rest.keys()).filter(isOnCurve));
    }
    const next = fourFifths(rest).sort((a, b) => a - b);
    if (next.every((n, i) => n === kept[i])) return null;
    kept = next;
  }
  return null;
}

/** The simplest parameters near a solution for the values `used`; the level is the one that most of `all` agree on. */
function simplest(
  all: MainValues,
  used: MainValues,
  solution: Solution,
  scenario: Scenario,
  curve: Curve,
  nuisance: Nuisance,
): FoundParameters[] {
  if (nuisance !== "affine") return near(all, solution, scenario, scenario, curve, nuisance);
  const own = curve.unit.of(scenario);
  const found = own * solution.scale;
  const error = (2 * Math.min(...used.halfWidth)) / (Math.max(...used.published) - Math.min(...used.published));
  const within = (times: number): number => simplestIn(found * (1 - times * error), found * (1 + times * error));
  // A unit and a parameter make up for each other: with the simpler unit, the parameter is solved for again.
  const isLine = areRounding(solution.rest, used.halfWidth);
  const units = new Set(isLine ? [within(8), within(1)] : [within(1)]);
  units.delete(own);
  const named = namedUnits(scenario, curve, found * (1 - error), found * (1 + error));
  if (named.length > 0)
    return named.flatMap((h) => {
      const base = patched(scenario, h.set);
      return inUnit(base, base).map((one) => under(h, one));
    });
  return [...units].flatMap((wanted) => {
    const unit = parameter("scale", wanted, found * (1 - error), found * (1 + error));
    const isCurves = (p: Parameter): boolean => p.name === curve.name;
    return inUnit(scenario, patched(scenario, curve.unit.set(wanted))).map(({ parameters, ...rest }) => ({
      ...rest,
      parameters: [...parameters.filter(isCurves), unit, ...parameters.filter((p) => !isCurves(p))],
    }));
  });

  function inUnit(from: Scenario, base: Scenario): FoundParameters[] {
    const factor = curve.inUnits ? curve.unit.of(base) / own : 1;
    const scaled = { ...solution, x: solution.x * factor, radius: solution.radius * factor };
    const again = isLine ? solved(used, base, curve, "shift") : null;
    return near(all, again ?? scaled, from, base, curve, nuisance);
  }
}

/** Simple values near a solution on the curve through `base`, each with the level that goes with it. */
function near(
  all: MainValues,
  { x, radius }: Solution,
  scenario: Scenario,
  base: Scenario,
  curve: Curve,
  nuisance: Nuisance,
): FoundParameters[] {
  const own = curve.of(scenario);
  const isNear = (value: number): boolean => Math.abs(value - x) <= 3 * radius;
  const simple = shares.map((share) => simplestIn(x - share * radius, x + share * radius));
  const values = [...new Set([...(isNear(own) ? [own] : []), ...simple, x])]
    .filter((value) => value > 0 || value === own)
    .map((value) =>
      at(curve.set(value), value === own ? [] : [parameter(curve.name, value, x - radius, x + radius)], []),
    );
  const named = (curve.named ?? []).filter(({ set }) => {
    const value = curve.of(patched(base, set));
    return isNear(value) && value !== own;
  });
  return [...values, ...named.map((h) => at(h.set, [], [h]))];

  function at(
    set: ScenarioPatch,
    parameters: readonly Parameter[],
    hypotheses: readonly Hypothesis[],
  ): FoundParameters {
    const found = patched(base, set);
    const identified =
      nuisance === "none" ? { scenario: found, parameters } : withLevel(all, found, curve.level, parameters);
    return { ...identified, hypotheses };
  }
}

/** A number of a scenario that a search may change. */
export interface ScenarioSetting {
  readonly of: (scenario: Scenario) => number;
  readonly set: (value: number) => ScenarioPatch;
}

/** A number that shifts every rating by the same amount: an Elo's start, a prior mode's anchor. */
export interface Level extends ScenarioSetting {
  readonly name: string;
}

/** The simplest level that the published numbers allow; null if the scenario's own will do. */
export function identifyLevel(values: MainValues, scenario: Scenario, level: Level): FoundParameters | null {
  const [low, high] = agreedShift(values.published, values.model(scenario), values.halfWidth).range;
  if (!Number.isFinite(low) || !Number.isFinite(high) || (low <= 0 && high >= 0)) return null;
  // Less than a unit of the last decimal comes from rounding and is not another level.
  if (Math.max(Math.abs(low), Math.abs(high)) < 2 * Math.min(...values.halfWidth)) return null;
  const own = level.of(scenario);
  const value = simplestIn(own + low, own + high);
  return {
    scenario: patched(scenario, level.set(value)),
    parameters: [parameter(level.name, value, own + low, own + high)],
  };
}

/** A scenario found by some parameters, with the level that goes with it. */
export function withLevel(
  values: MainValues,
  scenario: Scenario,
  level: Level,
  parameters: readonly Parameter[],
): FoundParameters {
  const found = identifyLevel(values, scenario, level);
  return { scenario: found?.scenario ?? scenario, parameters: [...parameters, ...(found?.parameters ?? [])] };
}

const maxSteps = 5000;
/** The iteration is followed until no item moves by this many Elo; every lower threshold gives the same numbers. */
const atRest = 1e-9;

const fixedPoint = scorings.filter((h) => h.name === "stop_elo=none");

/** Rounds of an iteration that give the same numbers, and the thresholds at which it stops there. */
interface StoppedRounds {
  readonly first: number;
  readonly last: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The stopping threshold of an early-stopped Bayesian fit: finds the iterates of the MM iteration (metrics.md) that
 * give the most published numbers, and the thresholds that stop there.
 */
export function identifyStop(values: MainValues, evaluator: Evaluator, scenario: Scenario): FoundParameters[] {
  const convention = scenario.conventions.bayesian_elo;
  const { counts, items } = evaluator.pairs(scenario.population);
  const index = values.items.map((item) => items.indexOf(item));
  const data = strengthData(countedTies(counts, convention));
  let strength: Float64Array | undefined;
  let moved = 1e6;
  /** The rounds that give the fewest misses, and the thresholds that stop there. */
  let best = null as StoppedRounds | null;
  let fewest = maxOutliers(values.published.length);
  for (let step = 0; step < maxSteps && moved > atRest; step++) {
    const next = mmStrengths(data, convention, Infinity, strength); // one step: any change is below Infinity
    evaluator.work += data.a.length;
    strength = next.strength;
    const missed = missesOf(strength);
    if (missed < fewest || (missed === fewest && best === null)) {
      best = { low: next.maxChangeElo, high: moved, first: step + 1, last: step + 1 };
      fewest = missed;
    } else if (missed === fewest && best?.low === moved) best = { ...best, low: next.maxChangeElo, last: step + 1 };
    moved = next.maxChangeElo;
  }
  if (best === null) return [];
  const { low, high, first, last } = best;
  if (low <= atRest) {
    // The fixed point gives the numbers as well: a fully converged fit is the usual one.
    const converged = fixedPoint.reduce((s, h) => patched(s, h.set), scenario);
    return convention.stop_elo === null ? [] : [{ scenario: converged, parameters: [], hypotheses: fixedPoint }];
  }
  const value = simplestIn(low + (high - low) * 1e-9, high);
  const stopped = patched(scenario, { conventions: { bayesian_elo: { stop_elo: value, start: "cold" } } });
  const after = first === last ? counted(first, "round") : `${first} to ${last} rounds`;
  const says = `the iteration was stopped early, after ${after}, when no item moved by ${value} Elo`;
  return [{ scenario: stopped, parameters: [{ ...parameter("stop_elo", value, low, high), says }] }];

  function missesOf(strengths: Float64Array): number {
    return values.published.filter((y, i) => {
      const elo = eloOf(strengths[index[i]!]!, convention);
      return !(Math.abs(y - elo) <= 1.001 * values.halfWidth[i]!);
    }).length;
  }
}

/** Fewest numbers from which a scale and a shift are found: one more than there are parameters. */
const minNumbers = 3;
/** Maximum number of pairs of a scale and a shift to try, the cheapest to state first. */
const maxPairs = 4;

/**
 * published = shift + scale · computed, in closed form: a shift alone, a scale alone, or both; the scale may be
 * reversed (negative). `withScale` false if a convention already states the scale.
 */
export function identifyAffine(values: MainValues, scenario: Scenario, withScale: boolean): FoundParameters[] {
  if (scenario.rescaled !== null || scenario.relative !== null || values.published.length < 2) return [];
  const plain = values.model(scenario);
  const found = shiftAlone(values, plain);
  for (const sign of withScale ? [1, -1] : []) {
    const model = modelUnder({ scale: sign, shift: 0 });
    found.push(...scaleAlone(values, model, sign), ...both(values, model, sign));
  }
  return found
    .filter((f) => movesMost(f.rescaled))
    .map(({ rescaled, parameters }) => ({ scenario: patched(scenario, { rescaled }), parameters }));

  function modelUnder(rescaled: Rescaling): Float64Array {
    return values.model(patched(scenario, { rescaled }));
  }

  /** A map that moves most numbers by less than a unit of the last decimal is rounding, not a scale. */
  function movesMost({ scale, shift }: Rescaling): boolean {
    const model = modelUnder({ scale, shift });
    const moved = model.filter((v, i) => Math.abs(v - plain[i]!) > 2 * values.halfWidth[i]!);
    return moved.length > model.length / 2;
  }
}

interface Found {
  readonly rescaled: Rescaling;
  readonly parameters: readonly Parameter[];
}

/** Points counted from another number make a whole shift; a fraction comes from wrongly shifted ratings. */
function shiftAlone({ published, halfWidth }: MainValues, model: Float64Array): Found[] {
  const { range, agree } = agreedShift(published, model, halfWidth);
  if (published.length - agree > maxOutliers(published.length)) return [];
  const [low, high] = range;
  const shift = Math.round((low + high) / 2);
  if (shift === 0 || !(low <= shift && shift <= high)) return [];
  return [{ rescaled: { scale: 1, shift }, parameters: [parameter("shift", shift, low, high)] }];
}

function scaleAlone({ published, halfWidth }: MainValues, model: Float64Array, sign: number): Found[] {
  const ranges = Array.from(published, (y, i): Range => {
    const own = model[i]!;
    const half = Math.sign(own) * halfWidth[i]!;
    return [(y - half) / own, (y + half) / own];
  }).filter(([low, high]) => Number.isFinite(low) && Number.isFinite(high));
  const { range, agree } = agreedRange(ranges);
  if (ranges.length - agree > maxOutliers(ranges.length)) return [];
  const [low, high] = range;
  return simplestWithin(low, high)
    .filter((size) => size > 0 && sign * size !== 1)
    .map((size) => ({
      rescaled: { scale: sign * size, shift: 0 },
      parameters: [parameter("scale", sign * size, sign * low, sign * high)],
    }));
}

function both(values: MainValues, model: Float64Array, sign: number): Found[] {
  if (values.published.length < minNumbers) return [];
  const { range, kept } = slopesOf(values, model);
  const [low, high] = range;
  if (!(low > 0)) return [];
  if (sign > 0 && low <= 1 && high >= 1) return []; // then it is a shift alone
  const shifts = shiftsOver(keeping(values, kept), pick(model, kept), range);
  const sizes = new Set([...simplestWithin(low, high), ...oneDigitWithin(low, high)]);
  const found = [...sizes].flatMap((size): Found[] => {
    const scaled = model.map((m) => size * m);
    const shift = simplestWithin(...agreedShift(values.published, scaled, values.halfWidth).range)[0] ?? 0;
    if (shift === 0) return [];
    const scale = parameter("scale", sign * size, sign * low, sign * high);
    return [{ rescaled: { scale: scale.value, shift }, parameters: [scale, parameter("shift", shift, ...shifts)] }];
  });
  return found.sort((a, b) => bitsOf(a) - bitsOf(b)).slice(0, maxPairs);
}

const bitsOf = ({ parameters }: Found): number => parameters.reduce((sum, { bits }) => sum + bits, 0);

/** Every shift that goes with some slope of a range; both ends are convex in the slope. */
function shiftsOver({ published, halfWidth }: MainValues, model: Float64Array, [low, high]: Range): Range {
  /** The shift that keeps every number above (side 1) or below (side -1) its line of this slope, times side. */
  const end = (slope: number, side: 1 | -1): number =>
    published.reduce((most, y, i) => Math.max(most, side * (y - side * halfWidth[i]! - slope * model[i]!)), -Infinity);
  return [minimum((slope) => end(slope, 1), low, high), -minimum((slope) => end(slope, -1), low, high)];
}

/** The minimum of a convex function by ternary search, nearly to the precision of a double. */
function minimum(of: (x: number) => number, low: number, high: number): number {
  for (let step = 0; step < 80; step++) {
    const third = (high - low) / 3;
    if (of(low + third) <= of(high - third)) high -= third;
    else low += third;
  }
  return of((low + high) / 2);
}
