import { patched, type Scenario } from "../../evaluate/scenario.js";
import { fourOfFive } from "./trim.js";
import type { Values } from "./values.js";

/** A prior of a rater's quality. */
export type Point = readonly [alpha: number, beta: number];

/** Priors from which a search begins. */
export const priors: readonly Point[] = [
  [10, 2],
  [5, 1],
  [2, 2],
  [20, 2],
  [1, 1],
];

/** Those of them whose fits take tens of rounds and not thousands, as they do where a quality may reach 1. */
export const quickPriors: readonly Point[] = [
  [10, 2],
  [2, 2],
  [20, 2],
];

/** How much nearer a fit with quality has to be than the one without. */
const nearer = 0.8;

export const priorOf = (scenario: Scenario, [alpha, beta]: Point): Scenario =>
  patched(scenario, { conventions: { bayesian_elo: { rater_quality: { alpha, beta } } } });

/** Whether a search may come to something: four of five published numbers are nearer to rough fits with quality than to those without. */
export function isQualityNear(values: Values, scenario: Scenario): boolean {
  const { published } = values;
  const away = (model: Float64Array): number => {
    const rest = published.map((y, i) => y - (model[i] as number));
    return Math.sqrt(fourOfFive(rest).reduce((sum, i) => sum + (rest[i] as number) ** 2, 0));
  };
  const without = patched(scenario, { conventions: { bayesian_elo: { rater_quality: null } } });
  const plain = away(values.model(without));
  return quickPriors.some((prior) => away(values.rough(priorOf(scenario, prior)).model) < nearer * plain);
}
