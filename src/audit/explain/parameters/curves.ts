import type { Hypothesis } from "../hypotheses/hypothesis.js";
import { patched, type Scenario, type ScenarioPatch } from "../../evaluate/scenario.js";
import { parameter, type Identified, type Parameter } from "./parameter.js";
import { roundWithin, simplestIn, simplestWithin } from "../../target/index.js";
import { slopesOf } from "./slopes.js";
import { solve, type Nuisance, type Solution } from "./solve.js";
import { closestFirst, fourOfFive, mostOutliers } from "./trim.js";
import { keeping, shiftRange, type Values } from "./values.js";

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
  /** Conventions that are a value of the parameter: where they may be it, they are what is supposed. */
  readonly named?: readonly Hypothesis[];
}

/** The level, to the simplest number that the published ones allow; null where the scenario's own will do. */
export function identifyLevel(values: Values, scenario: Scenario, level: Level): Identified | null {
  const [low, high] = shiftRange(values.published, values.model(scenario), values.halfWidth);
  if (!Number.isFinite(low) || !Number.isFinite(high) || (low <= 0 && high >= 0)) return null;
  // Less than a unit of the last decimal is how the numbers were rounded, not where the ratings start.
  if (Math.max(Math.abs(low), Math.abs(high)) < 2 * Math.min(...values.halfWidth)) return null;
  const own = level.of(scenario);
  const value = simplestIn(own + low, own + high);
  return {
    scenario: patched(scenario, level.set(value)),
    parameters: [parameter(level.name, value, own + low, own + high)],
  };
}

/** A scenario found by some parameters, with the level that then goes with it. */
export function withLevel(
  values: Values,
  scenario: Scenario,
  level: Level,
  parameters: readonly Parameter[],
): Identified {
  const found = identifyLevel(values, scenario, level);
  return { scenario: found?.scenario ?? scenario, parameters: [...parameters, ...(found?.parameters ?? [])] };
}

/** Units that are tried: interval ends, which lie further out than the ratings, tell apart what these do not. */
const mostUnits = 20;

/**
 * The unit alone, where ratings are as many units from their level: in closed form, with the level that goes with it.
 * Coarse numbers leave a parameter and a unit together so much room that the parameter's own value is not among what is found.
 */
export function identifyUnit(values: Values, scenario: Scenario, curve: Curve): Identified[] {
  const {
    range: [low, high],
  } = slopesOf(values, values.model(scenario));
  if (!(low > 0) || (low <= 1 && high >= 1)) return [];
  const own = curve.unit.of(scenario);
  const units = new Set([...simplestWithin(own * low, own * high), ...roundWithin(own * low, own * high, mostUnits)]);
  return [...units].map((unit) => {
    const scale = parameter("scale", unit, own * low, own * high);
    return withLevel(values, patched(scenario, curve.unit.set(unit)), curve.level, [scale]);
  });
}

/** Shares of the radius in which a simple number is looked for, widest first. */
const shares = [2, 1, 0.25, 0.05];

/**
 * One parameter by a search along its curve; level and unit in closed form where they are free. Where the numbers do
 * not all follow, the few that are furthest off are left out and the others are asked again.
 */
export function identifyCurve(values: Values, scenario: Scenario, curve: Curve, nuisance: Nuisance): Identified[] {
  const solution = solved(values, scenario, curve, nuisance);
  const found = solution === null ? [] : simplest(values, values, solution, scenario, curve, nuisance);
  if (solution !== null && follows(solution.rest, values.halfWidth)) return found;
  const agreeing = agreeingOn(values, scenario, curve, nuisance);
  if (agreeing === null) return found;
  const again = solved(agreeing, scenario, curve, nuisance);
  return again === null ? found : [...found, ...simplest(values, agreeing, again, scenario, curve, nuisance)];
}

/** Where each point costs much: first roughly, and exactly where that comes near most of the numbers. */
function solved(values: Values, scenario: Scenario, curve: Curve, nuisance: Nuisance): Solution | null {
  const { published, halfWidth } = values;
  const at = (x: number): Scenario => patched(scenario, curve.set(x));
  let solution = solve({ published, halfWidth, nuisance, grid: curve.grid, model: (x) => values.rough(at(x)).model });
  if (solution === null) return null;
  const { x, rest, scale } = solution;
  const { error } = values.rough(at(x));
  if (error > 0) {
    const far = rest.filter((r, i) => Math.abs(r) > 2 * (halfWidth[i] as number) + 2 * scale * error);
    if (far.length > mostOutliers(rest.length)) return null;
    solution = solve({ published, halfWidth, nuisance, grid: [x], model: (y) => values.model(at(y)) });
  }
  return solution !== null && solution.scale > 0 ? solution : null;
}

const follows = (rest: Float64Array, halfWidth: Float64Array): boolean =>
  rest.every((r, i) => Math.abs(r) <= 2 * (halfWidth[i] as number));

/** Share of the spread of the numbers that the grid's best point may leave, squared, for the search to go on. */
const hopeful = 0.05;

/** Least trimmed squares: four of five numbers that lie on one curve, and what else does; null where there are none. */
function agreeingOn(values: Values, scenario: Scenario, curve: Curve, nuisance: Nuisance): Values | null {
  const { published, halfWidth } = values;
  const count = published.length - mostOutliers(published.length);
  if (count === published.length) return null;
  const modelAt = (x: number): Float64Array => values.model(patched(scenario, curve.set(x)));
  const starts = curve.grid.map((x) =>
    closestFirst(published, values.rough(patched(scenario, curve.set(x))).model, nuisance),
  );
  const start = starts.reduce((best, s) => (s.squares < best.squares ? s : best));
  const spread = closestFirst(published, new Float64Array(published.length), "shift").squares;
  if (!(start.squares <= hopeful * spread)) return null;
  let kept = start.order.slice(0, count).sort((a, b) => a - b);
  for (let round = 0; round < 3; round++) {
    const solution = solved(keeping(values, kept), scenario, curve, nuisance);
    if (solution === null) return null;
    const model = modelAt(solution.x);
    const rest = published.map((y, i) => y - solution.shift - solution.scale * (model[i] as number));
    if (follows(solution.rest, keeping(values, kept).halfWidth)) {
      return keeping(
        values,
        Array.from(rest.keys()).filter((i) => Math.abs(rest[i] as number) <= 2 * (halfWidth[i] as number)),
      );
    }
    const next = fourOfFive(rest).sort((a, b) => a - b);
    if (next.every((n, i) => n === kept[i])) return null;
    kept = next;
  }
  return null;
}

/** The simplest parameters about a solution that `used` gave; the level is the one that most of all values agree on. */
function simplest(
  all: Values,
  used: Values,
  solution: Solution,
  scenario: Scenario,
  curve: Curve,
  nuisance: Nuisance,
): Identified[] {
  if (nuisance !== "affine") return about(all, solution, scenario, scenario, curve, nuisance);
  const own = curve.unit.of(scenario);
  const found = own * solution.scale;
  const error = (2 * Math.min(...used.halfWidth)) / (Math.max(...used.published) - Math.min(...used.published));
  const within = (times: number): number => simplestIn(found * (1 - times * error), found * (1 + times * error));
  // The unit and the parameter make up for each other: with the simpler unit the parameter is found again.
  const isLine = follows(solution.rest, used.halfWidth);
  const units = isLine ? [...new Set([within(8), within(1)])] : [within(1)];
  return units
    .filter((wanted) => wanted !== own)
    .flatMap((wanted) => {
      const base = patched(scenario, curve.unit.set(wanted));
      const factor = curve.inUnits ? wanted / own : 1;
      const scaled = { ...solution, x: solution.x * factor, radius: solution.radius * factor };
      const unit = parameter("scale", wanted, found * (1 - error), found * (1 + error));
      const again = isLine ? solved(used, base, curve, "shift") : null;
      return about(all, again ?? scaled, scenario, base, curve, nuisance).map(({ parameters, ...rest }) => {
        const isOwn = (name: string): boolean => name === curve.name;
        return {
          ...rest,
          parameters: [...parameters.filter((p) => isOwn(p.name)), unit, ...parameters.filter((p) => !isOwn(p.name))],
        };
      });
    });
}

/** Simple values about x on the curve through `base`, each with the level that goes with it. */
function about(
  all: Values,
  { x, radius }: Solution,
  scenario: Scenario,
  base: Scenario,
  curve: Curve,
  nuisance: Nuisance,
): Identified[] {
  const simple = shares.map((share) => simplestIn(x - share * radius, x + share * radius));
  const same = curve.of(scenario);
  const isNear = (value: number): boolean => Math.abs(value - x) <= 3 * radius;
  const values = [...new Set([...(isNear(same) ? [same] : []), ...simple, x])]
    .filter((value) => value > 0 || value === same)
    .map((value) =>
      at(curve.set(value), value === same ? [] : [parameter(curve.name, value, x - radius, x + radius)], []),
    );
  const named = (curve.named ?? []).filter(
    ({ set }) => isNear(curve.of(patched(base, set))) && curve.of(patched(base, set)) !== same,
  );
  return [...values, ...named.map((h) => at(h.set, [], [h]))];

  function at(set: ScenarioPatch, own: readonly Parameter[], switches: readonly Hypothesis[]): Identified {
    const found = patched(base, set);
    return {
      ...(nuisance === "none" ? { scenario: found, parameters: own } : withLevel(all, found, curve.level, own)),
      switches,
    };
  }
}
