/** Conventions that published options state, and that cannot hold. */
import type { Conventions, Kind } from "../../metrics/index.js";
import { numberOf, type ComparedNumber, type GroupKey } from "../result.js";
import type { RankedResult } from "../compare/ranks.js";
import type { EvaluatorOf } from "../recompute/evaluator.js";
import { isSameScenario, ownScenario, patched } from "../recompute/scenario.js";
import { readOptions, type Hypothesis } from "../recompute/hypotheses.js";
import { inUnit } from "../compare/unit.js";
import type { PublishedGroup } from "../read/cells.js";
import { fitOf, missesOf } from "../compare/target.js";
import type { UnderScenario } from "./weigh.js";

export function contradictedBy(
  { of: target, evaluator, scenario, fit }: Omit<UnderScenario, "table">,
  stated: readonly Hypothesis[],
): string[] {
  const contradicted = stated.filter((one) => {
    const changed = patched(scenario, one.set);
    if (isSameScenario(changed, scenario)) return false;
    const other = inUnit(target, evaluator, changed, [one]).scenario;
    const table = evaluator.table(target.kind, other, target.hasEnds);
    return missesOf(fitOf(target, table, other.rounding)) > missesOf(fit);
  });
  return contradicted.map(({ name }) => name);
}

/** A row for each option that does not hold for a result. */
export const liesAmong = (
  key: GroupKey,
  contradicted: readonly string[],
  cause: string,
): ComparedNumber[] =>
  contradicted.map((name) =>
    optionRow(key, name, `the options state ${name}, but the numbers follow from ${cause}`),
  );

const optionRow = (key: GroupKey, name: string, impossible: string): ComparedNumber =>
  numberOf(key, { field: `options.${name.split("=")[0]}`, impossible });

export function exclusiveOptions(group: PublishedGroup, kind: Kind): ComparedNumber[] {
  const { stated } = readOptions(kind, group.options);
  return stated.flatMap((one, i) => {
    const other = stated
      .slice(i + 1)
      .find(
        ({ axis, set }) => axis === one.axis && JSON.stringify(set) !== JSON.stringify(one.set),
      );
    const text = `the options state ${one.name} and ${other?.name ?? ""}, which exclude each other`;
    return other === undefined ? [] : [optionRow(group, one.name, text)];
  });
}

/** A row for each contradicted option of a result that follows from `values`. */
export async function liesIn(
  { target, values }: RankedResult,
  evaluatorOf: EvaluatorOf,
  conventions: Conventions,
): Promise<ComparedNumber[]> {
  const { group, kind } = target;
  const own = ownScenario(conventions, group.dimension, group.source);
  const { stated } = readOptions(kind, group.options);
  if (stated.every(({ set }) => isSameScenario(patched(own, set), own))) return [];
  const evaluator = await evaluatorOf(group.experiment_id);
  const shown = { of: target, evaluator, scenario: own, fit: fitOf(target, values) };
  return liesAmong(group, contradictedBy(shown, stated), "the run's own conventions");
}
