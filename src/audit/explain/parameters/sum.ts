import type { Evaluator, Scenario } from "../../evaluate/index.js";
import { maxOutliers, type Target } from "../../target/index.js";
import { agreedShift, valuesOf } from "./values.js";

/** How many times the smaller effect of two conventions may differ under the other one. */
const interplay = 2;

/**
 * Whether a combination is too far from the published numbers to be worth its cost, judged by the numbers under each
 * of its parts alone: their effects are added up, give or take twice the smaller ones, and a level. `base`: the scenario
 * that the parts change.
 */
export function isFarFromSum(
  target: Target,
  evaluator: Evaluator,
  base: Scenario,
  parts: readonly Scenario[],
): boolean {
  const { published, halfWidth, model } = valuesOf(target, evaluator, base);
  const from = model(base);
  const effects = parts.map((part) => model(part).map((value, i) => value - (from[i] as number)));
  const sizes = effects.map((effect) => effect.reduce((most, value) => Math.max(most, Math.abs(value)), 0));
  const slack = interplay * (sizes.reduce((sum, size) => sum + size, 0) - Math.max(...sizes));
  if (published.length === 0 || !Number.isFinite(slack)) return false;
  const sum = from.map((value, i) => effects.reduce((total, effect) => total + (effect[i] as number), value));
  const widened = halfWidth.map((half) => half + slack);
  return published.length - agreedShift(published, sum, widened).agree > maxOutliers(published.length);
}
