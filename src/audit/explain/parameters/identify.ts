import type { Evaluator } from "../../evaluate/evaluator.js";
import type { Hypothesis } from "../hypotheses/hypothesis.js";
import { scorings, truncation } from "../hypotheses/scorings.js";
import { patched, type Scenario } from "../../evaluate/scenario.js";
import type { Kind } from "../../../metrics/index.js";
import { identifyAffine } from "./affine.js";
import { identifyCurve, identifyLevel, identifyUnit, withLevel, type Curve, type Level } from "./curves.js";
import { usualBits, type Identified } from "./parameter.js";
import { isQualityNear, quickPriors } from "./quality-reach.js";
import { identifyQuality, qualityFits } from "./quality.js";
import { identifyStop } from "./stopping.js";
import type { Target } from "../../target/index.js";
import { valuesOf, type Values } from "./values.js";

const eloK: Curve = {
  name: "k",
  of: (s) => s.conventions.elo.k,
  set: (k) => ({ conventions: { elo: { k } } }),
  grid: [1, 2, 4, 6, 8, 11, 16, 20, 24, 28, 32, 36, 40, 50, 64, 90, 128, 256],
  level: { name: "start", of: (s) => s.conventions.elo.start, set: (start) => ({ conventions: { elo: { start } } }) },
  unit: { of: (s) => s.conventions.elo.scale, set: (scale) => ({ conventions: { elo: { scale } } }) },
  inUnits: true,
};

const eloTie: Curve = {
  ...eloK,
  name: "tie_value",
  of: (s) => s.conventions.elo.tie_value,
  set: (tie_value) => ({ conventions: { elo: { tie_value } } }),
  grid: [0.05, 0.25, 0.4, 0.6, 0.75, 0.95],
  inUnits: false,
  named: scorings.filter((h) => h.axis === "tie_value"),
};

const bayesianShape: Curve = {
  name: "shape",
  of: (s) => s.conventions.bayesian_elo.shape,
  set: (shape) => ({ conventions: { bayesian_elo: { shape } } }),
  grid: [1.1, 1.5, 2, 3, 4, 6, 8, 11, 16, 25, 50, 100],
  level: {
    name: "anchor",
    of: (s) => s.conventions.bayesian_elo.anchor,
    set: (anchor) => ({ conventions: { bayesian_elo: { anchor } } }),
  },
  unit: { of: (s) => s.conventions.bayesian_elo.scale, set: (scale) => ({ conventions: { bayesian_elo: { scale } } }) },
  inUnits: false,
};

const uses = (switches: readonly Hypothesis[], ...axes: string[]): boolean =>
  switches.some((h) => axes.includes(h.axis));

/** Main values needed before a parameter is looked for: one more than it and its level take. */
const enoughFor = (parameters: number): number => parameters + 1;

/** Where an early-stopped fit may have stopped; between two of these it has moved less than the first of them says. */
const stops: Pick<Curve, "grid" | "set"> = {
  grid: [30, 10, 3, 1, 0.3, 0.1, 0.03, 0.01],
  set: (stop_elo) => ({ conventions: { bayesian_elo: { stop_elo, start: "cold" } } }),
};

/** The curves along which a scenario's parameters are searched; none where each point of one costs too much. */
export function curvesOf(
  kind: Kind,
  { conventions: { bayesian_elo: bayesian } }: Scenario,
): readonly Pick<Curve, "grid" | "set">[] {
  if (kind === "elo") return [eloK, eloTie];
  return kind === "bayesian_elo" && bayesian.rater_quality === null && bayesian.start === "cold"
    ? [bayesianShape, stops]
    : [];
}

/** Work beyond which the prior of the raters' quality is looked for last, and only where rough fits say that there may be one. */
const dear = 1e8;

const isQualityDear = (evaluator: Evaluator): boolean => qualityFits * evaluator.qualityWork > dear;

/** Every set of parameters under which the scenario may give the published numbers, but for a prior of quality that is dear. */
export function identify(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  switches: readonly Hypothesis[],
): Identified[] {
  if (target.kind === "win_loss") return [];
  const values = valuesOf(target, evaluator, scenario);
  if (target.kind !== "elo" && target.kind !== "bayesian_elo")
    return identifyAffine(values, scenario, !uses(switches, "scale"));
  if (values.published.length < enoughFor(1)) return [];
  const isFirst = switches.every((h) => h.axis === "rounding");
  const withQuality = isFirst && !isQualityDear(evaluator);
  const found = eloParameters(target.kind, values, evaluator, scenario, switches, withQuality).filter(
    (i) => i.parameters.length > 0 || (i.switches ?? []).length > 0,
  );
  if (
    target.kind === "bayesian_elo" &&
    withQuality &&
    values.published.length >= enoughFor(2) &&
    !isPlain(values, found)
  ) {
    found.push(...identifyQuality(values, scenario));
  }
  if (!target.isRounded || scenario.rounding !== "nearest") return found;
  const cut = valuesOf(target, evaluator, patched(scenario, truncation.set));
  const level = target.kind === "elo" ? eloK.level : bayesianShape.level;
  return [...found, ...found.flatMap((i) => cutOff(cut, scenario, i, level))];
}

/** The prior of the raters' quality where a fit with it is dear: many ratings. */
export function identifyDearQuality(target: Target, evaluator: Evaluator, scenario: Scenario): Identified[] {
  if (target.kind !== "bayesian_elo" || !isQualityDear(evaluator)) return [];
  const values = valuesOf(target, evaluator, scenario);
  return isQualityNear(values, scenario) ? identifyQuality(values, scenario, quickPriors) : [];
}

/** `withQuality`: also where each step fits the raters' quality. */
function eloParameters(
  kind: "elo" | "bayesian_elo",
  values: Values,
  evaluator: Evaluator,
  scenario: Scenario,
  switches: readonly Hypothesis[],
  withQuality: boolean,
): Identified[] {
  const count = values.published.length;
  const curve = kind === "elo" ? eloK : bayesianShape;
  const level = identifyLevel(values, scenario, curve.level);
  const found = level === null ? [] : [level];
  if (kind === "bayesian_elo" && count >= enoughFor(2)) found.push(...identifyUnit(values, scenario, curve));
  const { rater_quality: quality, start } = scenario.conventions.bayesian_elo;
  if (kind === "bayesian_elo" && ((quality !== null && !withQuality) || start === "warm")) return found;
  if (count >= enoughFor(2)) found.push(...identifyCurve(values, scenario, curve, "shift"));
  if (count >= enoughFor(3) && !isPlain(values, found)) found.push(...identifyCurve(values, scenario, curve, "affine"));
  if (kind === "elo" && count >= enoughFor(2) && !uses(switches, "tie_value", "ties")) {
    found.push(...identifyCurve(values, scenario, eloTie, "shift"));
  }
  if (kind === "bayesian_elo" && quality === null && !uses(switches, "stop_elo")) {
    const stop = identifyStop(values, evaluator, scenario);
    if (stop !== null) found.push(stop);
  }
  return found;
}

/** True where usual values alone reproduce every number: then nothing that takes more is looked for. */
function isPlain({ published, halfWidth, model }: Values, found: readonly Identified[]): boolean {
  return found.some(({ scenario, parameters, switches = [] }) => {
    if (parameters.length + switches.length === 0 || parameters.some((p) => p.bits > usualBits)) return false;
    return model(scenario).every((m, i) => Math.abs((published[i] as number) - m) <= (halfWidth[i] as number));
  });
}

/** Numbers that are cut off lie half a unit too low for their level: the same parameters, the level found again. */
function cutOff(values: Values, scenario: Scenario, found: Identified, level: Level): Identified[] {
  const others = found.parameters.filter((p) => p.name !== level.name);
  const isUsual = found.parameters.some((p) => p.name === level.name && p.bits <= usualBits);
  if (others.length === 0 || isUsual) return [];
  const cut = patched(patched(found.scenario, level.set(level.of(scenario))), truncation.set);
  return [{ ...withLevel(values, cut, level, others), switches: [...(found.switches ?? []), truncation] }];
}
