import {
  conventionsWith,
  metricKind,
  type Conventions,
  type ConventionsInput,
  type Kind,
} from "../../metrics/index.js";
import type { Rounding } from "../target/index.js";
import { inServiceOrder, populationKey, type Population } from "../ratings/index.js";

/** published = shift + scale · computed. */
export interface Rescaling {
  readonly scale: number;
  readonly shift: number;
}

/** Numbers published relative to one item, as a difference or in percent of it; null: to the highest. */
export interface Relative {
  readonly to: string | null;
  readonly as: "difference" | "percent";
}

/** Everything that determines a number: which ratings count, how they are scored, and how the result is published. */
export interface Scenario {
  readonly population: Population;
  readonly conventions: Conventions;
  readonly relative: Relative | null;
  /** Null if the numbers are published on the scale on which they are computed. */
  readonly rescaled: Rescaling | null;
  readonly rounding: Rounding;
}

/** The run's own conventions, for one dimension and source. */
export function ownScenario(conventions: Conventions, dimension: string, source: string): Scenario {
  return {
    conventions,
    population: {
      training: conventions.training,
      incomplete: conventions.incomplete,
      incorrect: conventions.incorrect,
      job: source === "" ? null : source,
      without_job: null,
      dimension,
      item: "own",
      order: "service",
      first_sessions: null,
      repeats: "all",
      pairs: conventions.pairs,
    },
    relative: null,
    rescaled: null,
    rounding: "nearest",
  };
}

/** A part of a scenario that differs. */
export interface ScenarioPatch {
  readonly population?: Partial<Population>;
  readonly conventions?: ConventionsInput;
  readonly relative?: Relative;
  readonly rescaled?: Rescaling;
  readonly rounding?: Rounding;
}

export function patched(scenario: Scenario, patch: ScenarioPatch): Scenario {
  return {
    conventions: patch.conventions ? conventionsWith(patch.conventions, scenario.conventions) : scenario.conventions,
    population: patch.population ? { ...scenario.population, ...patch.population } : scenario.population,
    relative: patch.relative ?? scenario.relative,
    rescaled: patch.rescaled ?? scenario.rescaled,
    rounding: patch.rounding ?? scenario.rounding,
  };
}

/** Two scenarios with one key compute the same numbers of a kind. */
export function scenarioKey(name: Kind, { population, conventions }: Scenario): string {
  const kind = metricKind(name);
  const counted = kind.isOrdered ? population : inServiceOrder(population);
  return `${name}:${populationKey(counted)}:${JSON.stringify(kind.decidedBy(conventions))}`;
}
