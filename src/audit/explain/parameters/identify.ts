import { type Evaluator, patched, type Scenario } from "../../evaluate/index.js";
import type { Target } from "../../target/index.js";
import { type Hypothesis, truncation } from "../hypotheses/index.js";
import { identifyAffine } from "./affine.js";
import { identifyCurve, identifyUnit } from "./curves.js";
import { bayesianShape, eloK, eloTie, levels } from "./elo-curves.js";
import { identifyLevel, withLevel, type Level } from "./level.js";
import { usualBits, type Identified } from "./parameter.js";
import { identifyQuality, isQualityNear, qualityFits, quickPriors } from "./quality.js";
import { identifyStop } from "./stopping.js";
import { valuesOf, type MainValues } from "./values.js";

/** Work beyond which a prior of rater quality is searched for last, and only if a few fits suggest one. */
const costlyWork = 1e8;

/** Whether a fit takes long: one of many ratings with rater quality, or one that is repeated after every session. */
export function isCostly(evaluator: Evaluator, { conventions: { bayesian_elo: own } }: Scenario): boolean {
  return isQualityCostly(evaluator) && (own.rater_quality !== null || own.start === "warm");
}

const isQualityCostly = (evaluator: Evaluator): boolean => qualityFits * evaluator.qualityWork > costlyWork;

/** Main values needed to look for parameters: one more than the parameters and the level take. */
const enoughFor = (parameters: number): number => parameters + 1;

/** Every set of parameters under which a scenario may give the published numbers, without a costly prior of quality. */
export function identify(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  combination: readonly Hypothesis[],
): Identified[] {
  const { kind } = target;
  if (kind === "win_loss") return [];
  const values = valuesOf(target, evaluator, scenario);
  const axes = new Set(combination.map((h) => h.axis));
  const level = levels[kind];
  if (level === undefined)
    return axes.has("rounding") ? [] : identifyAffine(values, scenario, !axes.has("scale") && !axes.has("denominator"));
  if (values.published.length < enoughFor(1)) return [];
  const isUnconditional = combination.every((h) => h.axis === "rounding");
  const withQuality = isUnconditional && !isQualityCostly(evaluator);
  const found =
    kind === "elo"
      ? eloParameters(values, scenario, axes)
      : bayesianParameters(values, evaluator, scenario, axes, withQuality);
  if (!target.isRounded || scenario.rounding !== "nearest") return found;
  const truncated = valuesOf(target, evaluator, patched(scenario, truncation.set));
  return [...found, ...found.flatMap((one) => withTruncation(truncated, scenario, one, level))];
}

/** A costly prior of the raters' quality: one of many ratings. */
export function identifyCostlyQuality(target: Target, evaluator: Evaluator, scenario: Scenario): Identified[] {
  if (target.kind !== "bayesian_elo" || !isQualityCostly(evaluator)) return [];
  const values = valuesOf(target, evaluator, scenario);
  return isQualityNear(values, scenario) ? identifyQuality(values, scenario, quickPriors) : [];
}

function eloParameters(values: MainValues, scenario: Scenario, axes: ReadonlySet<string>): Identified[] {
  const count = values.published.length;
  const level = identifyLevel(values, scenario, eloK.level);
  const found = level === null ? [] : [level];
  if (count >= enoughFor(2)) found.push(...identifyCurve(values, scenario, eloK, "shift"));
  if (count >= enoughFor(3) && !isUsual(values, found)) found.push(...identifyCurve(values, scenario, eloK, "affine"));
  if (count >= enoughFor(2) && !axes.has("tie_value") && !axes.has("ties"))
    found.push(...identifyCurve(values, scenario, eloTie, "shift"));
  return found.filter(supposesSomething);
}

/** `withQuality`: also the prior of rater quality, and the other parameters if each step fits that quality. */
function bayesianParameters(
  values: MainValues,
  evaluator: Evaluator,
  scenario: Scenario,
  axes: ReadonlySet<string>,
  withQuality: boolean,
): Identified[] {
  const count = values.published.length;
  const { rater_quality: quality, start, ties } = scenario.conventions.bayesian_elo;
  const level = identifyLevel(values, scenario, bayesianShape.level);
  const found = level === null ? [] : [level];
  if (count >= enoughFor(2)) found.push(...identifyUnit(values, scenario, bayesianShape));
  if (start === "cold" && (quality === null || withQuality)) {
    if (count >= enoughFor(2)) found.push(...identifyCurve(values, scenario, bayesianShape, "shift"));
    if (count >= enoughFor(3) && !isUsual(values, found))
      found.push(...identifyCurve(values, scenario, bayesianShape, "affine"));
    if (quality === null && ties !== "davidson" && !axes.has("stop_elo"))
      found.push(...identifyStop(values, evaluator, scenario));
  }
  const all = found.filter(supposesSomething);
  if (withQuality && ties !== "davidson" && count >= enoughFor(2) && !isUsual(values, all))
    all.push(...identifyQuality(values, scenario));
  return all;
}

const supposesSomething = ({ parameters, hypotheses = [] }: Identified): boolean =>
  parameters.length + hypotheses.length > 0;

/** True if usual values alone reproduce every number: then nothing more complex is searched for. */
function isUsual({ published, halfWidth, model }: MainValues, found: readonly Identified[]): boolean {
  return found.filter(supposesSomething).some(({ scenario, parameters }) => {
    if (parameters.some((p) => p.bits > usualBits)) return false;
    return model(scenario).every((m, i) => Math.abs((published[i] as number) - m) <= (halfWidth[i] as number));
  });
}

/** Truncated numbers are half a unit too low for their level: the same parameters with the level found again. */
function withTruncation(values: MainValues, scenario: Scenario, found: Identified, level: Level): Identified[] {
  const others = found.parameters.filter((p) => p.name !== level.name);
  const isUsualLevel = found.parameters.some((p) => p.name === level.name && p.bits <= usualBits);
  if (others.length === 0 || isUsualLevel) return [];
  const truncated = patched(patched(found.scenario, level.set(level.of(scenario))), truncation.set);
  const identified = withLevel(values, truncated, level, others);
  return [{ ...identified, hypotheses: [...(found.hypotheses ?? []), truncation] }];
}
