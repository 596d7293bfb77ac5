import { relative } from "node:path";
import { createEvaluator, type Evaluator } from "../../../src/audit/recompute/evaluator.js";
import { ownScenario, type Scenario } from "../../../src/audit/recompute/scenario.js";
import { loadRatings } from "../../../src/audit/recompute/ratings.js";
import { readItemNames, noNames, type ItemNames } from "../../../src/audit/read/item-names.js";
import {
  conventionsWith,
  type Conventions,
  type ConventionsInput,
} from "../../../src/metrics/conventions.js";
import type { PublishingRule } from "../../../src/emulator/index.js";
import { initialState } from "../../../src/emulator/sample/sample.js";
import type { ConventionInput } from "../../../src/emulator/scoring/convention.js";
import type { Study } from "../../../src/emulator/state.js";
import { goldenDir, loadCase, recomputeBehind } from "../load-case.js";
import { withCases, type Change } from "./altered-case.js";

export interface Fixture {
  readonly study: Study;
  readonly evaluator: Evaluator;
  readonly names: ItemNames;
  /** The run's own conventions, under which the service also publishes unless something else is planted. */
  readonly conventions: Conventions;
  readonly base: PublishingRule;
  /** The whole experiment (`""`) or one job. */
  readonly source: string;
}

/** Conventions that have the same name in the run and in the service. */
export type Shared = ConventionInput & Omit<ConventionsInput, "bradley_terry">;

export interface FixtureOptions {
  readonly change?: Change;
  readonly own?: Shared;
  readonly source?: string;
}

const unchanged: Change = (given) => given;
const made = new Map<Change, Map<string, Promise<Fixture>>>();

export function fixtureOf(file: string, options: FixtureOptions = {}): Promise<Fixture> {
  const { change = unchanged, own = {}, source = "" } = options;
  const ofChange = made.get(change) ?? new Map<string, Promise<Fixture>>();
  made.set(change, ofChange);
  const key = JSON.stringify([file, own, source]);
  const fixture = ofChange.get(key) ?? makeFixture(file, { change, own, source });
  ofChange.set(key, fixture);
  return fixture;
}

async function makeFixture(
  file: string,
  { change, own, source }: Required<FixtureOptions>,
): Promise<Fixture> {
  return withCases([{ file, change }], async ([path = ""]) => {
    const state = await initialState({ load: [path] });
    const [study] = [...state.projects.values()].flatMap((p) => [...p.studies.values()]);
    if (study === undefined) throw new Error(`no study in ${file}`);
    const warehouse = await loadCase(relative(goldenDir, path), { threads: 1 });
    await recomputeBehind(warehouse, ["audit_ratings", "key_stimuli"], own);
    const names = (await readItemNames(warehouse)).get(study.experiment.id) ?? noNames;
    const evaluator = createEvaluator(await loadRatings(warehouse, study.experiment.id));
    warehouse.close();
    return {
      study,
      evaluator,
      names,
      source,
      conventions: conventionsWith(own),
      base: { conventions: own, options: "none" },
    };
  });
}

export const ownOf = ({ conventions, source }: Fixture, dimension: string): Scenario =>
  ownScenario(conventions, dimension, source);
