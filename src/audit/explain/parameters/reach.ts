import type { Evaluator } from "../../evaluate/evaluator.js";
import { patched, type Scenario } from "../../evaluate/scenario.js";
import type { Curve } from "./curves.js";
import { project } from "./solve.js";
import type { Target } from "../../target/index.js";
import { fourOfFive, mostOutliers } from "./trim.js";
import { agreedShift, valuesOf } from "./values.js";

/** How far the curve may bend from the chord between two points of its grid, as a share of the chord. */
const bend = 0.25;
/** How far beyond its ends a chord still counts, as a share of it. */
const beyond = 0.25;

/**
 * Whether some value of a parameter may bring a scenario to the published numbers. The numbers follow a curve as the
 * parameter changes, known at the points of its grid: they are within reach where they lie near the chord between two
 * of them. A level and a unit are made up for, and a fifth of the numbers are left out, which may be wrong.
 */
export function isWithinReach(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  curve: Pick<Curve, "grid" | "set">,
): boolean {
  const { published, halfWidth, rough } = valuesOf(target, evaluator, scenario);
  if (published.length < 4) return true;
  let error = Math.max(...halfWidth);
  const points = curve.grid.map((x) => {
    const point = rough(patched(scenario, curve.set(x)), "coarse");
    error = Math.max(error, point.error);
    return point.model;
  });
  const isFinite = (values: Float64Array): boolean => values.every(Number.isFinite);
  return points.some((to, i) => {
    const from = points[i - 1];
    return from !== undefined && isFinite(from) && isFinite(to) && isNearChord(published, from, to, error);
  });
}

/** Whether a level may bring a scenario to four of five published numbers. */
export function isLevelWithinReach(target: Target, evaluator: Evaluator, scenario: Scenario): boolean {
  const { published, halfWidth, rough } = valuesOf(target, evaluator, scenario);
  const { model, error } = rough(scenario, "coarse");
  const { agree } = agreedShift(
    published,
    model,
    halfWidth.map((half) => half + error),
  );
  return agree >= published.length - mostOutliers(published.length);
}

/** All that is left of `published` and of the chord when the first point, a level and a unit are taken out of them. */
function isNearChord(published: Float64Array, from: Float64Array, to: Float64Array, error: number): boolean {
  let kept = Array.from(published.keys());
  for (const left of [0, mostOutliers(published.length)]) {
    const pick = (values: Float64Array): Float64Array => Float64Array.from(kept, (i) => values[i] as number);
    const y = project(pick(published), pick(from), "affine");
    const chord = project(pick(to), pick(from), "affine");
    const share =
      chord.squares > 0 ? y.rest.reduce((sum, r, i) => sum + r * (chord.rest[i] as number), 0) / chord.squares : 0;
    const unit = y.scale - share * chord.scale + share;
    const rest = y.rest.map((r, i) => r - share * (chord.rest[i] as number));
    const distance = Math.sqrt(rest.reduce((sum, r) => sum + r * r, 0));
    const isBetween = unit > 0 && share / unit >= -beyond && share / unit <= 1 + beyond;
    if (isBetween && distance <= bend * unit * Math.sqrt(chord.squares) + 2 * error * Math.sqrt(kept.length))
      return true;
    if (left === 0) kept = fourOfFive(rest);
  }
  return false;
}
