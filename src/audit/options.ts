/** Conventions that published options state, and that cannot hold. */
import type { Conventions, Kind } from "../metrics/index.js";
import { groupsOf } from "../platform/index.js";
import type { Warehouse } from "../warehouse/index.js";
import { numberOf, type ComparedNumber, type KindResult } from "./compare.js";
import { createEvaluator, type Evaluator } from "./evaluate/evaluator.js";
import { ownScenario, patched, type Scenario } from "./evaluate/scenario.js";
import { readOptions, type Hypothesis } from "./explain/hypotheses.js";
import type { Finding } from "./findings/finding.js";
import type { GroupKey, PublishedGroup } from "./published/cells.js";
import { loadRatings } from "./ratings/rating-columns.js";
import type { Tolerances } from "./settings.js";
import { fitOf, targetOf, type Target, type TargetFit } from "./target.js";

const isSame = (a: Scenario, b: Scenario): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The stated conventions, each tried alone, that give fewer numbers than `scenario`. */
export function contradictedBy(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  fit: TargetFit,
  stated: readonly Hypothesis[],
): Hypothesis[] {
  const missesOf = ({ misses, unpublished }: TargetFit): number =>
    misses.length + unpublished.length;
  return stated.filter(({ set }) => {
    const other = patched(scenario, set);
    if (isSame(other, scenario)) return false;
    return (
      missesOf(fitOf(target, evaluator.table(target.kind, other, target.hasEnds), other.rounding)) >
      missesOf(fit)
    );
  });
}

/** Its field is that of `ignore` in a pipeline file. */
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

export function statesOthers({ group, kind }: KindResult, conventions: Conventions): boolean {
  const own = ownScenario(conventions, group.dimension, group.source);
  return readOptions(kind, group.options).stated.some(({ set }) => !isSame(patched(own, set), own));
}

/** A row for each contradicted option of results that follow from the run's own conventions. */
export async function liesIn(
  warehouse: Warehouse,
  results: readonly KindResult[],
  {
    conventions,
    tolerances,
  }: { readonly conventions: Conventions; readonly tolerances: Tolerances },
): Promise<ComparedNumber[]> {
  const rows: ComparedNumber[] = [];
  for (const [experiment, own] of groupsOf(results, ({ group }) => group.experiment_id)) {
    const evaluator = createEvaluator(await loadRatings(warehouse, experiment));
    for (const { group, kind } of own) {
      const target = targetOf(group, kind, tolerances);
      const scenario = ownScenario(conventions, group.dimension, group.source);
      const fit = fitOf(target, evaluator.table(kind, scenario, target.hasEnds), scenario.rounding);
      const lies = contradictedBy(
        target,
        evaluator,
        scenario,
        fit,
        readOptions(kind, group.options).stated,
      );
      for (const { name } of lies) {
        const text =
          `the options state ${name}, ` + "but the numbers follow from the run's own conventions";
        rows.push(optionRow(group, name, text));
      }
    }
  }
  return rows;
}

/** A row for each contradicted option of a result that others of its options explain. */
export function liesOf(
  { published_in: places, verdict, accepted, explanation, ...of }: Finding,
  experiment_name: string,
): ComparedNumber[] {
  if (explanation === null || verdict !== "explained" || accepted !== null) return [];
  return places.flatMap((published_in) =>
    explanation.contradicts.map((name) => {
      const text = `the options state ${name}, but the numbers follow from ${explanation.name}`;
      return optionRow({ ...of, experiment_name, published_in }, name, text);
    }),
  );
}
