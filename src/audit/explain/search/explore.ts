import { isIntervalEnd, mainField } from "../../../metrics/index.js";
import { type Evaluator, patched, type Scenario } from "../../evaluate/index.js";
import { itemsOf } from "../../ratings/index.js";
import { equalAt, unrounded } from "../../published/index.js";
import type { Target } from "../../target/index.js";
import { hypothesesFor, type Hypothesis } from "../hypotheses/index.js";
import {
  axisOf,
  identify,
  identifyCostlyQuality,
  isCostly,
  isFarFromSum,
  isReachable,
  levels,
  type Identified,
  type Parameter,
} from "../parameters/index.js";
import type { Candidate } from "./candidate.js";
import type { Candidates } from "./candidates.js";
import { stagesOf, type Combination, type Stage } from "./stages.js";

interface Exploration {
  readonly target: Target;
  readonly evaluator: Evaluator;
  /** The run's conventions. */
  readonly own: Scenario;
  /** Conventions to start from, on top of the run's. */
  readonly given: readonly Hypothesis[];
  /** Maximum number of conventions to combine. */
  readonly depth: number;
  /** The evaluator's work at which to stop. */
  readonly maxWork: number;
  readonly candidates: Candidates;
}

/** Share of the published items that an item key must name for it to be tried. */
const minNamed = 0.8;

/** Tries every stage from one start and returns the names of the stages that the work limit interrupted. */
export function explore({ target, evaluator, own, given, depth, maxWork, candidates }: Exploration): string[] {
  const { kind, group } = target;
  const isElo = levels[kind] !== undefined;
  const start = scenarioOf([]);
  const { fit } = candidates.consider(given, [], start) ?? candidates.own;
  const differing = new Set([...candidates.own.fit.misses, ...fit.misses].map((i) => target.cells[i]?.field ?? ""));
  const { ratings } = evaluator;
  const hypotheses = hypothesesFor(kind, start, ratings, group.dimension, group.source, target.isRounded).filter(
    isUsable,
  );
  const labels = depth < 2 ? [] : hypotheses.filter((h) => h.axis === "labels");
  return stagesOf(hypotheses, depth)
    .filter((stage) => isCutShort(stage))
    .map(({ name }) => name);

  /** Tries the combinations of one stage; true if the work runs out before the last one. */
  function isCutShort({ minBits, tries, combinations }: Stage): boolean {
    if (candidates.isSettled(minBits)) return false;
    if (tries === "reachable parameters" && isElo && candidates.isSure()) return false;
    for (const combination of combinations) {
      if (candidates.beats(minBits)) return false;
      if (evaluator.work > maxWork) return true;
      const scenario = scenarioOf(combination);
      if (isFar(combination, scenario)) continue;
      if (tries === "conventions") consider(withGiven(combination), [], scenario);
      else if (tries === "costly quality") considerAll(combination, identifyCostlyQuality(target, evaluator, scenario));
      else if (tries === "parameters" || isReachable(target, evaluator, scenario, combinations.length))
        considerAll(combination, identify(target, evaluator, scenario, combination));
    }
    return false;
  }

  /** Combinations that take long are judged by their parts first. */
  function isFar(combination: Combination, scenario: Scenario): boolean {
    if (kind !== "bayesian_elo" || combination.length < 2 || !isCostly(evaluator, scenario)) return false;
    return isFarFromSum(
      target,
      evaluator,
      start,
      combination.map((h) => scenarioOf([h])),
    );
  }

  /** The combination on top of what is given; a hypothesis replaces the given one of its axis. */
  function withGiven(combination: Combination): Combination {
    return [...given.filter((g) => combination.every((h) => h.axis !== g.axis)), ...combination];
  }

  function scenarioOf(combination: Combination): Scenario {
    return withGiven(combination).reduce((scenario, h) => patched(scenario, h.set), own);
  }

  /** False for what changes no differing number, item keys that do not give the names of most published items, and references not published as such. */
  function isUsable({ fields, set: { population, relative } }: Hypothesis): boolean {
    if (fields?.some((field) => differing.has(field)) === false) return false;
    if (relative !== undefined) {
      const zero = relative.as === "percent" ? 100 : 0;
      const isReference = (item: string): boolean => relative.to === null || relative.to === item;
      return target.cells.some(
        ({ item, field, published: { value } }) =>
          field === mainField(kind) && equalAt(value, zero, unrounded) && isReference(item),
      );
    }
    if (population?.item === undefined) return true;
    const names = new Set(itemsOf(ratings, population.item).names);
    const published = new Set(target.cells.map((cell) => cell.item));
    return [...published].filter((item) => names.has(item)).length >= minNamed * published.size;
  }

  /** Considers what `identify` found; a parameter of an Elo replaces the convention of its axis. */
  function considerAll(combination: Combination, found: readonly Identified[]): void {
    for (const { parameters, scenario, hypotheses: more = [] } of found) {
      const replaced = new Set(isElo ? parameters.map(axisOf) : []);
      const supposed = withGiven([...combination, ...more]).filter((h) => !replaced.has(h.axis));
      consider(supposed, parameters, scenario);
    }
  }

  /** Interval labels change no rating: other labels are tried once everything but the interval ends matches. */
  function consider(supposed: Combination, parameters: readonly Parameter[], scenario: Scenario): void {
    const candidate = candidates.consider(supposed, parameters, scenario);
    if (candidate === null || !missesOnlyEnds(target, candidate)) return;
    for (const label of labels) {
      const relabelled = [...supposed.filter((h) => h.axis !== label.axis), label];
      relabelled.sort((a, b) => hypotheses.indexOf(a) - hypotheses.indexOf(b));
      candidates.consider(relabelled, parameters, patched(scenario, label.set));
    }
  }
}

function missesOnlyEnds({ kind, cells }: Target, { fit: { misses, unpublished } }: Candidate): boolean {
  const isEnd = (cell: number): boolean => isIntervalEnd(kind, cells[cell]?.field ?? "");
  return misses.length > 0 && unpublished.length === 0 && misses.every(isEnd);
}
