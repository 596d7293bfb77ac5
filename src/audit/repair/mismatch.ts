import type { Table } from "../../metrics/index.js";
import { type Evaluator, patched, type Scenario } from "../evaluate/index.js";
import { fitOf, type Target } from "../target/index.js";

/** A published result, and the scenario under which its recomputed numbers differ. */
export interface Mismatch {
  readonly target: Target;
  readonly evaluator: Evaluator;
  readonly scenario: Scenario;
}

/** The recomputed numbers if they match after all, otherwise null; used with another evaluator or scenario. */
export function matching({ target, evaluator, scenario }: Mismatch): Table | null {
  const table = evaluator.table(target.kind, scenario);
  return fitOf(target, table, scenario.rounding).missBits === 0 ? table : null;
}

/** The same mismatch for the sessions before a rank of the service order. */
export function withSessionsBefore(mismatch: Mismatch, rank: number): Mismatch {
  return { ...mismatch, scenario: patched(mismatch.scenario, { population: { first_sessions: rank } }) };
}
