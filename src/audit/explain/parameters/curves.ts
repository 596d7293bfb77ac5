import { patched, type Scenario, type ScenarioPatch } from "../../evaluate/index.js";
import { maxOutliers, roundWithin, simplestIn, simplestWithin } from "../../target/index.js";
import type { Hypothesis } from "../hypotheses/index.js";
import { withLevel, type Level, type ScenarioSetting } from "./level.js";
import { parameter, type Identified, type Parameter } from "./parameter.js";
import { slopesOf } from "./slopes.js";
import { solve, type Nuisance, type Solution } from "./solve.js";
import { closestFirst, fourFifths } from "./trim.js";
import { keeping, type MainValues } from "./values.js";
import { areRounding, residuals } from "./vectors.js";

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
export function identifyUnit(values: MainValues, scenario: Scenario, curve: Curve): Identified[] {
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

const under = (convention: Hypothesis, { hypotheses = [], ...found }: Identified): Identified => ({
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
export function identifyCurve(values: MainValues, scenario: Scenario, curve: Curve, nuisance: Nuisance): Identified[] {
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
    const far = rest.filter((r, i) => Math.abs(r) > 2 * (halfWidth[i] as number) + 2 * scale * error);
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
      const isOnCurve = (i: number): boolean => Math.abs(rest[i] as number) <= 2 * (halfWidth[i] as number);
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
): Identified[] {
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

  function inUnit(from: Scenario, base: Scenario): Identified[] {
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
): Identified[] {
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

  function at(set: ScenarioPatch, parameters: readonly Parameter[], hypotheses: readonly Hypothesis[]): Identified {
    const found = patched(base, set);
    const identified =
      nuisance === "none" ? { scenario: found, parameters } : withLevel(all, found, curve.level, parameters);
    return { ...identified, hypotheses };
  }
}
