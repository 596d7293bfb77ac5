import { countedTies, eloOf, mmStrengths, strengthData } from "../../../metrics/index.js";
import { counted } from "../../../platform/index.js";
import { type Evaluator, patched, type Scenario } from "../../evaluate/index.js";
import { maxOutliers, simplestIn } from "../../target/index.js";
import { scorings } from "../hypotheses/index.js";
import { parameter, type Identified } from "./parameter.js";
import type { MainValues } from "./values.js";

const maxSteps = 5000;
/** The iteration is followed until no item moves by this many Elo; every lower threshold gives the same numbers. */
const atRest = 1e-9;

const fixedPoint = scorings.filter((h) => h.name === "stop_elo=none");

/**
 * The stopping threshold of an early-stopped Bayesian fit: finds the iterates of the MM iteration (metrics.md) that
 * give the most published numbers, and the thresholds that stop there.
 */
export function identifyStop(values: MainValues, evaluator: Evaluator, scenario: Scenario): Identified[] {
  const convention = scenario.conventions.bayesian_elo;
  const { counts, items } = evaluator.pairs(scenario.population);
  const index = values.items.map((item) => items.indexOf(item));
  const data = strengthData(countedTies(counts, convention));
  let strength: Float64Array | undefined;
  let moved = 1e6;
  let range: [low: number, high: number] | null = null;
  /** The first and the last round that give the fewest misses. */
  let rounds: [first: number, last: number] = [0, 0];
  let fewest = maxOutliers(values.published.length);
  for (let step = 0; step < maxSteps && moved > atRest; step++) {
    const next = mmStrengths(data, convention, Infinity, strength); // one step: any change is below Infinity
    evaluator.work += data.a.length;
    strength = next.strength;
    const missed = missesOf(strength);
    if (missed < fewest || (missed === fewest && range === null))
      [range, rounds, fewest] = [[next.maxChangeElo, moved], [step + 1, step + 1], missed];
    else if (missed === fewest && range?.[0] === moved)
      [range, rounds] = [
        [next.maxChangeElo, range[1]],
        [rounds[0], step + 1],
      ];
    moved = next.maxChangeElo;
  }
  if (range === null) return [];
  const [low, high] = range;
  if (low <= atRest) {
    // The fixed point gives the numbers as well: a fully converged fit is the usual one.
    const converged = fixedPoint.reduce((s, h) => patched(s, h.set), scenario);
    return convention.stop_elo === null ? [] : [{ scenario: converged, parameters: [], hypotheses: fixedPoint }];
  }
  const value = simplestIn(low + (high - low) * 1e-9, high);
  const stopped = patched(scenario, { conventions: { bayesian_elo: { stop_elo: value, start: "cold" } } });
  const [first, last] = rounds;
  const after = first === last ? counted(first, "round") : `${first} to ${last} rounds`;
  const says = `the iteration was stopped early, after ${after}, when no item moved by ${value} Elo`;
  return [{ scenario: stopped, parameters: [{ ...parameter("stop_elo", value, low, high), says }] }];

  function missesOf(strengths: Float64Array): number {
    return values.published.filter((y, i) => {
      const elo = eloOf(strengths[index[i] as number] as number, convention);
      return !(Math.abs(y - elo) <= 1.001 * (values.halfWidth[i] as number));
    }).length;
  }
}
