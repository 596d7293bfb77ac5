import { eloOf, mmStrengths, strengthData } from "../../../metrics/index.js";
import type { Evaluator } from "../../evaluate/evaluator.js";
import { patched, type Scenario } from "../../evaluate/scenario.js";
import { scorings } from "../hypotheses/scorings.js";
import { parameter, type Identified } from "./parameter.js";
import { simplestIn } from "../../target/index.js";
import { mostOutliers } from "./trim.js";
import type { Values } from "./values.js";

const maxSteps = 5000;
/** The iteration is followed until no item moves by so much; every lower threshold gives the same numbers. */
const atRest = 1e-6;

const fixedPoint = scorings.filter((h) => h.name === "stop_elo=none");

/**
 * The stopping threshold of an early-stopped Bayesian fit: finds which iterates of the MM iteration (metrics.md)
 * give the most of the published numbers, and the thresholds that stop there.
 */
export function identifyStop(values: Values, evaluator: Evaluator, scenario: Scenario): Identified | null {
  const convention = scenario.conventions.bayesian_elo;
  const { counts, items } = evaluator.pairs(scenario.population);
  const index = values.items.map((item) => items.indexOf(item));
  const data = strengthData(counts);
  let strength: Float64Array | undefined;
  let before = 1e6;
  let range: [low: number, high: number] | null = null;
  let fewest = mostOutliers(values.published.length);
  for (let step = 0; step < maxSteps && before > atRest; step++) {
    const next = mmStrengths(data, convention, Infinity, strength); // one step: any change is below Infinity
    evaluator.work += data.a.length;
    strength = next.strength;
    const wrong = missesOf(strength);
    if (wrong < fewest || (wrong === fewest && range === null)) [range, fewest] = [[next.maxChangeElo, before], wrong];
    else if (wrong === fewest && range?.[0] === before) range = [next.maxChangeElo, range[1]];
    before = next.maxChangeElo;
  }
  if (range === null) return null;
  const [low, high] = range;
  if (low <= atRest) {
    // The fixed point gives the numbers as well: an iteration carried to its end is what is usual.
    const scenarioAtRest = fixedPoint.reduce((s, h) => patched(s, h.set), scenario);
    return convention.stop_elo === null ? null : { scenario: scenarioAtRest, parameters: [], switches: fixedPoint };
  }
  const value = simplestIn(low + (high - low) * 1e-9, high);
  return {
    scenario: patched(scenario, { conventions: { bayesian_elo: { stop_elo: value, start: "cold" } } }),
    parameters: [parameter("stop_elo", value, low, high)],
  };

  function missesOf(own: Float64Array): number {
    return values.published.filter((y, i) => {
      const elo = eloOf(own[index[i] as number] as number, convention);
      return !(Math.abs(y - elo) <= 1.001 * (values.halfWidth[i] as number));
    }).length;
  }
}
