/** Recomputes a kind under any scenario from the ratings of one experiment. */
export { createEvaluator, type Evaluator } from "./evaluator.js";
export {
  locations,
  ownScenario,
  patched,
  scenarioKey,
  type Relative,
  type Rescaling,
  type Scenario,
  type ScenarioPatch,
} from "./scenario.js";
