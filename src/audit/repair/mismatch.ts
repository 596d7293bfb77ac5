import { type Evaluator, patched, type Scenario } from "../evaluate/index.js";
import { fitOf, type Target } from "../target/index.js";

/** A published result, and the scenario under which its recomputed numbers differ. */
export interface Mismatch {
  readonly target: Target;
  readonly evaluator: Evaluator;
  readonly scenario: Scenario;
}

/** Whether the recomputed numbers match after all; used with another evaluator or scenario. */
export function isMatch({ target, evaluator, scenario }: Mismatch): boolean {
  return fitOf(target, evaluator.table(target.kind, scenario), scenario.rounding).missBits === 0;
}

/** The same mismatch for the sessions before a rank of the service order. */
export function withSessionsBefore(mismatch: Mismatch, rank: number): Mismatch {
  return { ...mismatch, scenario: patched(mismatch.scenario, { population: { first_sessions: rank } }) };
}
