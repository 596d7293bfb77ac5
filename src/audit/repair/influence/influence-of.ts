import type { Kind } from "../../../metrics/index.js";
import type { Evaluator } from "../../evaluate/evaluator.js";
import type { Scenario } from "../../evaluate/scenario.js";
import type { Population } from "../../ratings/index.js";
import type { Target } from "../../target/index.js";
import { eloInfluence } from "./elo.js";
import type { Influence } from "./influence.js";
import { pairInfluence } from "./pair.js";
import { scoreInfluence } from "./score.js";

type MakeInfluence = typeof eloInfluence;

const influences: Record<Kind, MakeInfluence> = {
  win_loss: pairInfluence,
  percent_chosen: pairInfluence,
  percent_approved: scoreInfluence,
  mean: scoreInfluence,
  stats: scoreInfluence,
  elo: eloInfluence,
  bayesian_elo: pairInfluence,
};

/**
 * The influence of the ratings of `population` (those of the scenario, or more that may be added) on the published
 * numbers. Null where these are neither sums over ratings nor an online Elo.
 */
export function influenceOf(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  population: Population,
): Influence | null {
  return influences[target.kind](target, evaluator, scenario, population);
}
