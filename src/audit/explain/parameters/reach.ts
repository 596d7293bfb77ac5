import { type Evaluator, patched, type Scenario } from "../../evaluate/index.js";
import { maxOutliers, type Target } from "../../target/index.js";
import { curvesOf, levels, type SampledCurve } from "./elo-curves.js";
import { project } from "./solve.js";
import { fourFifths } from "./trim.js";
import { agreedShift, valuesOf } from "./values.js";
import { dot, pick } from "./vectors.js";

/** Work of the searches under all combinations beyond which each is first checked for reach. */
const muchWork = 1e8;
/** Evaluations that one search for parameters takes, about. */
const evaluations = 60;

/**
 * Whether a search for parameters under a scenario may succeed. `searches`: how many searches the check saves from, so
 * that it is left out if they are cheap.
 */
export function isReachable(target: Target, evaluator: Evaluator, scenario: Scenario, searches: number): boolean {
  const { kind } = target;
  if (levels[kind] === undefined) return true;
  const curves = curvesOf(kind, scenario);
  if (curves.length === 0) return isLevelWithinReach(target, evaluator, scenario);
  const { score, stimuli } = evaluator.ratings;
  const each = kind === "elo" ? Math.min(score.length / 2, 2000 * stimuli.length) : 5 * stimuli.length ** 2;
  if (searches * evaluations * each <= muchWork) return true;
  return curves.some((curve) => isWithinReach(target, evaluator, scenario, curve));
}

/** How far a curve may bend from the chord between two points of its grid, as a share of the chord. */
const bend = 0.25;
/** How far beyond its ends a chord still counts, as a share of it. */
const beyond = 0.25;

/**
 * Whether some value of a parameter may bring a scenario to the published numbers. The numbers follow a curve as the
 * parameter changes, known at the points of its grid: they are within reach if they lie near the chord between two of
 * them, up to a level and a unit and without the fifth of the numbers that may be wrong.
 */
export function isWithinReach(target: Target, evaluator: Evaluator, scenario: Scenario, curve: SampledCurve): boolean {
  const { published, halfWidth, rough } = valuesOf(target, evaluator, scenario);
  if (published.length < 4) return true;
  const points = curve.grid.map((x) => rough(patched(scenario, curve.set(x)), "coarse"));
  const error = Math.max(...halfWidth, ...points.map((point) => point.error));
  const isFinite = (values: Float64Array): boolean => values.every(Number.isFinite);
  return points.some(({ model: to }, i) => {
    const from = points[i - 1]?.model;
    return from !== undefined && isFinite(from) && isFinite(to) && isNearChord(published, from, to, error);
  });
}

/** Whether a level may bring a scenario to four fifths of the published numbers. */
export function isLevelWithinReach(target: Target, evaluator: Evaluator, scenario: Scenario): boolean {
  const { published, halfWidth, rough } = valuesOf(target, evaluator, scenario);
  const { model, error } = rough(scenario, "coarse");
  const widened = halfWidth.map((half) => half + error);
  return published.length - agreedShift(published, model, widened).agree <= maxOutliers(published.length);
}

/** Projects `published` and the chord off the first point, a level and a unit, and compares what is left of them. */
function isNearChord(published: Float64Array, from: Float64Array, to: Float64Array, error: number): boolean {
  let kept = Array.from(published.keys());
  for (const isTrimmed of [false, true]) {
    const y = project(pick(published, kept), pick(from, kept), "affine");
    const chord = project(pick(to, kept), pick(from, kept), "affine");
    const share = chord.squares > 0 ? dot(y.rest, chord.rest) / chord.squares : 0;
    const unit = y.scale - share * chord.scale + share;
    const rest = y.rest.map((r, i) => r - share * (chord.rest[i] as number));
    const distance = Math.sqrt(dot(rest, rest));
    const isBetween = unit > 0 && share / unit >= -beyond && share / unit <= 1 + beyond;
    const maxDistance = bend * unit * Math.sqrt(chord.squares) + 2 * error * Math.sqrt(kept.length);
    if (isBetween && distance <= maxDistance) return true;
    if (!isTrimmed) kept = fourFifths(rest);
  }
  return false;
}
