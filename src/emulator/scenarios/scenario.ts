import type { EmulatorOptions } from "../options.js";

/** A night to rehearse: what the emulator does, and how `recount run` ends over it. */
export interface Scenario<N extends string = string> {
  readonly name: N;
  /** One sentence. */
  readonly description: string;
  readonly options: Pick<EmulatorOptions, "publishing" | "faults">;
  /** How a run ends that has a whole snapshot of a quiet night before it. */
  readonly ends: {
    readonly exitCode: 0 | 1 | 2 | 3 | 4;
    /** A verdict that some of the published numbers get, or words of the line that the run ends with. */
    readonly shows: string;
  };
}

export const defineScenario = <const N extends string>(scenario: Scenario<N>): Scenario<N> => scenario;

/** The experiment that most scenarios change: the smallest pairwise one of the sample. */
export const changed = "Voices5";
