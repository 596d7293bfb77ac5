import type { Hypothesis } from "../hypotheses/hypothesis.js";
import { patched, type Scenario, type ScenarioPatch } from "../hypotheses/scenario.js";
import type { Parameter } from "./candidate.js";
import { bitsOfDecimal, simplestIn } from "./decimals.js";
import { project, solve, type Nuisance } from "./solve.js";
import { shiftRange, type Values } from "./values.js";

/** A scenario with the parameters that were found for it. */
export interface Identified {
  readonly scenario: Scenario;
  readonly parameters: readonly Parameter[];
  /** Conventions that have to be supposed with them. */
  readonly switches?: readonly Hypothesis[];
}

/** A number that raises or lowers every rating alike: an Elo's start, a prior mode's anchor. */
export interface Level {
  readonly name: string;
  readonly of: (scenario: Scenario) => number;
  readonly set: (value: number) => ScenarioPatch;
}

/** A parameter that is found by a search along its curve. */
export interface Curve {
  readonly name: string;
  readonly of: (scenario: Scenario) => number;
  readonly set: (value: number) => ScenarioPatch;
  readonly grid: readonly number[];
  readonly level: Level;
  /** The unit of the ratings: multiplying it by c spreads them c times as far. */
  readonly unit: { readonly of: (scenario: Scenario) => number; readonly set: (value: number) => ScenarioPatch };
  /** True where the parameter is measured in that unit (K is, a prior's shape is not). */
  readonly inUnits: boolean;
}

/** Values that a service is likely to have chosen: naming one costs 3 bits. */
const usual: Readonly<Record<string, readonly number[]>> = {
  k: [8, 10, 16, 20, 24, 30, 32, 40, 50, 64],
  start: [0, 100, 1000, 1200, 1400, 1500, 1600, 2000],
  scale: [0.01, 10, 20, 25, 100, 200, 400],
  shift: [-100, -25, -20, -1, 1, 100],
  tie_value: [0.25, 0.75],
  shape: [1.5, 2, 3, 4, 5, 10],
  anchor: [0, 1000, 1200, 1500, 2000],
  stop_elo: [0.001, 0.01, 0.1, 1],
};

export function parameter(name: string, value: number, low: number, high: number): Parameter {
  const bits = usual[name]?.includes(value) === true ? 3 : bitsOfDecimal(value);
  return { name, value, low: Math.min(low, value), high: Math.max(high, value), bits };
}

/** The level, to the simplest number that the published ones allow; null where the scenario's own will do. */
export function identifyLevel(values: Values, scenario: Scenario, level: Level): Identified | null {
  const [low, high] = shiftRange(values.published, values.model(scenario), values.halfWidth);
  if (!Number.isFinite(low) || !Number.isFinite(high) || (low <= 0 && high >= 0)) return null;
  // Less than a unit of the last decimal is how the numbers were rounded, not where the ratings start.
  if (Math.max(Math.abs(low), Math.abs(high)) < 2 * Math.min(...values.halfWidth)) return null;
  const own = level.of(scenario);
  const value = simplestIn(own + low, own + high);
  return { scenario: patched(scenario, level.set(value)), parameters: [parameter(level.name, value, own + low, own + high)] };
}

/** Shares of the radius in which a simple number is looked for, widest first. */
const shares = [2, 1, 0.25, 0.05];

/** Sum of squares that a curve leaves at its grid's best point: how promising the scenario is. */
export function promiseOf(values: Values, scenario: Scenario, curve: Curve, nuisance: Nuisance): number {
  const squares = curve.grid.map((x) => project(values.published, values.model(patched(scenario, curve.set(x))), nuisance).squares);
  return Math.min(...squares.filter(Number.isFinite), Infinity);
}

/** One parameter by a search along its curve; level and unit in closed form where they are free. */
export function identifyCurve(values: Values, scenario: Scenario, curve: Curve, nuisance: Nuisance): Identified[] {
  const { published, halfWidth } = values;
  const at = (x: number): Scenario => patched(scenario, curve.set(x));
  const solution = solve({ published, halfWidth, nuisance, grid: curve.grid, model: (x) => values.model(at(x)) });
  if (solution === null || !(solution.scale > 0)) return [];
  const { x, radius } = solution;
  let base = scenario;
  let factor = 1;
  const unit: Parameter[] = [];
  if (nuisance === "affine") {
    const own = curve.unit.of(scenario);
    const error = (2 * Math.min(...halfWidth)) / (Math.max(...published) - Math.min(...published));
    const wanted = simplestIn(own * solution.scale * (1 - error), own * solution.scale * (1 + error));
    if (wanted === own) return [];
    base = patched(scenario, curve.unit.set(wanted));
    unit.push(parameter("scale", wanted, own * solution.scale * (1 - error), own * solution.scale * (1 + error)));
    factor = curve.inUnits ? wanted / own : 1;
  }
  const low = (x - radius) * factor;
  const high = (x + radius) * factor;
  const centre = x * factor;
  const simple = shares.map((share) => simplestIn(centre - (share * (high - low)) / 2, centre + (share * (high - low)) / 2));
  return [...new Set([...simple, centre])]
    .filter((value) => value > 0)
    .map((value) => {
      const found = patched(base, curve.set(value));
      const own = value === curve.of(scenario) ? [] : [parameter(curve.name, value, low, high)];
      const levelled = nuisance === "none" ? null : identifyLevel(values, found, curve.level);
      return {
        scenario: levelled?.scenario ?? found,
        parameters: [...own, ...unit, ...(levelled?.parameters ?? [])],
      };
    });
}
