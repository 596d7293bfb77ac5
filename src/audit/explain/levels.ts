/** The usual levels of ratings: where they start, or are anchored. One is read from the numbers. */
import { metricKind, type Kind } from "../../metrics/index.js";
import type { Evaluator } from "../evaluate/evaluator.js";
import { locations, patched, type Scenario } from "../evaluate/scenario.js";
import { centreOf, maxOutliers, modelOf, type Target } from "../target.js";
import { levels, type Hypothesis } from "./hypotheses.js";

export const hasLevel = (kind: Kind): boolean => metricKind(kind).level !== undefined;

export const isLevel = ({ name, axis }: Hypothesis): boolean =>
  levels.some((level) => level.name === name && level.axis === axis);

const enough = 2;

/** The other usual levels at which a scenario gives four of five of the published numbers. */
export function levelsIn(target: Target, evaluator: Evaluator, scenario: Scenario): Hypothesis[] {
  const { kind, cells, halfWidth } = target;
  const { of } = metricKind(kind).level ?? {};
  if (of === undefined) return [];
  const own = of(scenario.conventions);
  const model = modelOf(target, evaluator.table(kind, scenario, false));
  const located = cells.flatMap((cell, i) => {
    const value = model[i]!;
    if (!(cell.field in locations) || !Number.isFinite(value)) return [];
    return [{ by: centreOf(target, cell, scenario.rounding, value) - value, half: halfWidth[i]! }];
  });
  if (located.length < enough) return [];
  return levels.filter(({ kinds, set }) => {
    if (!kinds.includes(kind)) return false;
    const shift = of(patched(scenario, set).conventions) - own;
    const missed = located.filter(({ by, half }) => Math.abs(by - shift) > half).length;
    return shift !== 0 && missed <= maxOutliers(located.length);
  });
}
