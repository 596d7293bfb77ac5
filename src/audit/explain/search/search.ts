import type { Evaluator } from "../../evaluate/evaluator.js";
import { itemsOf } from "../../ratings/index.js";
import { hypothesesFor } from "../hypotheses/catalogue.js";
import { combinations, isCut, type Hypothesis } from "../hypotheses/hypothesis.js";
import { statedIn } from "../hypotheses/options.js";
import { patched, type Scenario } from "../../evaluate/scenario.js";
import { intervalFields, type Rough } from "../../../metrics/index.js";
import { byPreference, isTooFree, totalBits, type Candidate } from "./candidate.js";
import {
  axisOf,
  curvesOf,
  identify,
  identifyDearQuality,
  isLevelWithinReach,
  isWithinReach,
  type Identified,
  type Parameter,
} from "../parameters/index.js";
import { fitOf, modelOf, valuesApart, type Target } from "../../target/index.js";

export interface SearchLimits {
  /** Most conventions supposed at once. */
  readonly depth: number;
  /** Ratings, comparisons and pairs gone through before the search of one result ends. */
  readonly work: number;
}

export const defaultLimits: SearchLimits = { depth: 2, work: 5e9 };

/** What was looked at, best first. */
export interface SearchResult {
  /** The run's own conventions. */
  readonly own: Candidate;
  readonly candidates: readonly Candidate[];
  /** Conventions that the published options state, where they do. */
  readonly stated: readonly Hypothesis[];
  /** Combinations evaluated. */
  readonly tried: number;
  /** What the limit on work kept from being tried; empty where everything was. */
  readonly untried: readonly string[];
}

/** An explanation must save this many bits over listing the differences one by one (8 to 1 against chance). */
export const marginBits = 3;

/** Least bits that any candidate of a stage can cost. */
const floors = { singles: 2, parameters: 4, pairs: 5, singleParameters: 7, triples: 8, pairParameters: 9 } as const;
/** Values between which numbers must tell apart, over their spread, for one model not to pass for another with other parameters. */
const fineValues = 2000;
/** Saved bits beyond which an explanation without misses is not looked for again among the less simple. */
const certainBits = 100;
/** Saved bits beyond which parameters of an Elo are not looked for under further conventions, though a number is missed. */
const sureBits = 50;
/** Work of searching for parameters under every combination beyond which it is first seen which are within reach. */
const muchWork = 1e8;
/** Evaluations that one search for parameters takes, about. */
const evaluations = 60;

/** Looks for the conventions under which the published numbers follow, simplest first. */
export function search(
  target: Target,
  evaluator: Evaluator,
  own: Scenario,
  limits: SearchLimits = defaultLimits,
): SearchResult {
  const { group, kind } = target;
  const end = evaluator.work + limits.work;
  const untried: string[] = [];
  const all: Candidate[] = [];
  const quickCells = target.cells.filter(({ field }) => !intervalFields.has(field)).length;
  const seen = new Set<string>();
  const isFine = valuesApart(target) >= fineValues;
  let hypotheses: readonly Hypothesis[] = [];
  const base = consider([], [], own) as Candidate;
  const stated = statedIn(kind, group.options);
  const beyondOwn = stated.filter((h) => JSON.stringify(patched(own, h.set)) !== JSON.stringify(own));
  let given: readonly Hypothesis[] = beyondOwn;
  if (given.length > 0) {
    tryOut([]);
    explore();
    given = [];
  }
  explore();
  const candidates = all.filter((c) => c !== base).sort(byPreference);
  return { own: base, candidates, stated, tried: seen.size, untried };

  /** Goes from simple to complex, from the run's own conventions or from those that the options state. */
  function explore(): void {
    const root = given.reduce((s, h) => patched(s, h.set), own);
    hypotheses = hypothesesFor(kind, root, evaluator.ratings, group.dimension, group.source, target.isRounded).filter(
      canName,
    );
    const pairs = limits.depth < 2 ? [] : combinations(hypotheses, 2);
    const triples = limits.depth < 3 ? [] : combinations(hypotheses, 3);
    stage(
      "conventions one by one",
      floors.singles,
      hypotheses.map((h) => [h]),
      tryOut,
    );
    // Numbers that are cut off under a convention look like a parameter of the run's own, or of what is cut off.
    stage("conventions with numbers cut off", floors.pairs, pairs.filter(isCut), tryOut);
    stage("parameters", floors.parameters, [[], ...hypotheses.map((h) => [h]).filter(isCut)], withParameters);
    stage(
      "conventions two by two",
      floors.pairs,
      pairs.filter((pair) => !isCut(pair)),
      tryOut,
    );
    stage(
      "parameters under each convention",
      floors.singleParameters,
      reachable(
        "parameters under each convention",
        floors.singleParameters,
        hypotheses.map((h) => [h]),
      ),
      withParameters,
    );
    stage("conventions three by three", floors.triples, triples, tryOut);
    stage(
      "parameters under each two conventions",
      floors.pairParameters,
      reachable("parameters under each two conventions", floors.pairParameters, pairs),
      withParameters,
    );
    stage("the prior of the raters' quality", floors.singleParameters, [[]], withDearQuality);
  }

  /** Leaves out item keys under which four of five published items do not go by their names. */
  function canName({ set: { population } }: Hypothesis): boolean {
    if (population?.item === undefined) return true;
    const names = new Set(itemsOf(evaluator.ratings, population.item).names);
    const published = new Set(target.cells.map((cell) => cell.item));
    return [...published].filter((item) => names.has(item)).length >= 0.8 * published.size;
  }

  function best(): number {
    return all.reduce((least, c) => Math.min(least, totalBits(c)), Infinity);
  }

  /** Nothing that supposes more could do better, or as well but by a chance of 2^-100. */
  function isSettled(floor: number): boolean {
    const least = best();
    return (
      least < floor || (isFine && all.some((c) => c.fit.missBits === 0 && totalBits(base) - totalBits(c) > certainBits))
    );
  }

  function stage(
    name: string,
    floor: number,
    combinations: readonly (readonly Hypothesis[])[],
    run: (switches: readonly Hypothesis[]) => void,
  ): void {
    if (isSettled(floor)) return;
    for (const switches of combinations) {
      if (best() < floor) return;
      if (evaluator.work > end) {
        untried.push(name);
        return;
      }
      run(switches);
    }
  }

  /** The switches on top of what is given; a switch takes the place of what is given on its axis. */
  function withGiven(switches: readonly Hypothesis[]): readonly Hypothesis[] {
    return [...given.filter((g) => switches.every((h) => h.axis !== g.axis)), ...switches];
  }

  function scenarioOf(switches: readonly Hypothesis[]): Scenario {
    return withGiven(switches).reduce((s, h) => patched(s, h.set), own);
  }

  function tryOut(switches: readonly Hypothesis[]): void {
    considerLabelled(withGiven(switches), [], scenarioOf(switches));
  }

  function withParameters(switches: readonly Hypothesis[]): void {
    considerAll(switches, identify(target, evaluator, scenarioOf(switches), switches));
  }

  function withDearQuality(switches: readonly Hypothesis[]): void {
    considerAll(switches, identifyDearQuality(target, evaluator, scenarioOf(switches)));
  }

  function considerAll(switches: readonly Hypothesis[], found: readonly Identified[]): void {
    const isElo = kind === "elo" || kind === "bayesian_elo";
    for (const { parameters, scenario, switches: more = [] } of found) {
      const replaced = new Set(isElo ? parameters.map(axisOf) : []);
      considerLabelled(
        withGiven([...switches, ...more]).filter((h) => !replaced.has(h.axis)),
        parameters,
        scenario,
      );
    }
  }

  /** How intervals are labelled moves no rating: it is tried as soon as everything but the ends follows. */
  function considerLabelled(
    switches: readonly Hypothesis[],
    parameters: readonly Parameter[],
    scenario: Scenario,
  ): void {
    const candidate = consider(switches, parameters, scenario);
    if (limits.depth < 2 || candidate === null || !missesEnds(candidate)) return;
    for (const label of hypotheses.filter((h) => h.axis === "labels")) {
      const supposed = [...switches.filter((h) => h.axis !== label.axis), label].sort(
        (a, b) => hypotheses.indexOf(a) - hypotheses.indexOf(b),
      );
      consider(supposed, parameters, patched(scenario, label.set));
    }
  }

  function missesEnds({ fit: { misses, unpublished } }: Candidate): boolean {
    return (
      misses.length > 0 &&
      unpublished.length === 0 &&
      misses.every((i) => intervalFields.has(target.cells[i]?.field ?? ""))
    );
  }

  function consider(
    switches: readonly Hypothesis[],
    parameters: readonly Parameter[],
    scenario: Scenario,
  ): Candidate | null {
    const key = JSON.stringify([switches.map((h) => h.name), parameters.map((p) => [p.name, p.value])]);
    if (seen.has(key) || (!isFine && isTooFree(parameters, target))) return null;
    seen.add(key);
    const nameBits = [...switches, ...parameters].reduce((sum, part) => sum + part.bits, 0);
    const candidate: Candidate = { switches, parameters, scenario, nameBits, ...tabled(scenario) };
    all.push(candidate);
    return candidate;
  }

  /** Interval ends are only worth computing where the other numbers fit. */
  function tabled(scenario: Scenario): Pick<Candidate, "table" | "fit"> {
    const rough = kind === "bayesian_elo" ? evaluator.rough(kind, scenario) : null;
    if (rough !== null && isOutOfQuestion(rough))
      return { table: rough.table, fit: fitOf(target, rough.table, scenario.rounding) };
    const quick = evaluator.table(kind, scenario, false);
    const fit = fitOf(target, quick, scenario.rounding);
    const model = modelOf(target, quick);
    const hopeless = fit.misses.filter((i) => Number.isFinite(model[i])).length > 0.2 * quickCells;
    if (kind !== "bayesian_elo" || hopeless) return { table: quick, fit };
    const table = evaluator.table(kind, scenario);
    return { table, fit: fitOf(target, table, scenario.rounding) };
  }

  /** Whether more main values than an explanation may miss are missed by more than the table may be off. */
  function isOutOfQuestion({ table, error }: Rough): boolean {
    const model = modelOf(target, table);
    const isFar = (i: number, published: number): boolean =>
      Math.abs(published - (model[i] as number)) > error + (target.halfWidth[i] as number);
    const far = target.cells.filter(({ field, published }, i) => field === "value" && isFar(i, published.value));
    return far.length > 0.2 * target.cells.length;
  }

  /** Combinations under which parameters are looked for: where all of them are much work, those within reach of one. */
  function reachable(
    name: string,
    floor: number,
    combinations: readonly (readonly Hypothesis[])[],
  ): readonly (readonly Hypothesis[])[] {
    if (kind === "win_loss" || isSettled(floor)) return [];
    // How intervals are labelled is tried with every parameter (considerLabelled), and so is what is cut off (identify).
    const usable = combinations.filter((c) => !c.some((h) => h.axis === "labels" || h.axis === "rounding"));
    if (kind !== "elo" && kind !== "bayesian_elo") return usable;
    if (
      isFine &&
      all.some((c) => c.fit.misses.length <= 0.2 * target.cells.length && totalBits(base) - totalBits(c) > sureBits)
    )
      return [];
    const { score, stimuli } = evaluator.ratings;
    const each = kind === "elo" ? Math.min(score.length / 2, 2000 * stimuli.length) : 5 * stimuli.length ** 2;
    const isMuch = usable.length * evaluations * each > muchWork;
    return usable.filter((switches) => {
      if (evaluator.work > end) {
        if (!untried.includes(name)) untried.push(name);
        return false;
      }
      const scenario = scenarioOf(switches);
      const curves = curvesOf(kind, scenario);
      if (curves.length === 0) return isLevelWithinReach(target, evaluator, scenario);
      return !isMuch || curves.some((curve) => isWithinReach(target, evaluator, scenario, curve));
    });
  }
}
