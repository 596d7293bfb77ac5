import { patched, type Scenario, type ScenarioPatch } from "../../evaluate/index.js";
import { simplestIn } from "../../target/index.js";
import { parameter, type Identified, type Parameter } from "./parameter.js";
import { agreedShift, type MainValues } from "./values.js";

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
export function identifyLevel(values: MainValues, scenario: Scenario, level: Level): Identified | null {
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
): Identified {
  const found = identifyLevel(values, scenario, level);
  return { scenario: found?.scenario ?? scenario, parameters: [...parameters, ...(found?.parameters ?? [])] };
}
