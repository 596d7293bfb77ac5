import { groupOf } from "../../../src/audit/read/cells.js";
import { readScores } from "../../../src/audit/read/scores.js";
import { explanationOf, type NamedCause } from "../../../src/audit/explain/find-cause.js";
import { candidateName, search } from "../../../src/audit/explain/search.js";
import { targetOf, type Target } from "../../../src/audit/compare/target.js";
import { defaultTolerances } from "../../../src/audit/compare/tolerances.js";
import type { Kind } from "../../../src/metrics/kinds.js";
import type { PublishingRule } from "../../../src/emulator/index.js";
import { resultsOfStudy } from "../../../src/emulator/publishing/results.js";
import { countFields } from "./bed/world.js";
import { ownOf, type Fixture } from "./fixture.js";

export { fixtureOf, type Fixture } from "./fixture.js";

type Row = Record<string, unknown>;

export const eachReal =
  (change: (value: number, field: string, item: string) => number) =>
  (row: Row): Row => {
    const item = Object.values(row).find((v) => typeof v === "string") ?? "";
    const entries = Object.entries(row).map(([field, value]): [string, unknown] => {
      const isReal = typeof value === "number" && !countFields.has(field);
      return [field, isReal ? change(value, field, item) : value];
    });
    return Object.fromEntries(entries);
  };

export function publishedTarget(
  { study, base, names, source }: Fixture,
  kind: Kind,
  dimension: string,
  rules: readonly PublishingRule[],
  change: (row: Row) => Row = (row) => row,
): Target {
  const published = resultsOfStudy(study, [base, ...rules], source).find(
    (r) => r.kind === kind && r.dimension === dimension,
  );
  if (published === undefined) throw new Error(`${kind} is not published`);
  const key = {
    experiment_id: study.experiment.id,
    experiment_name: "",
    kind,
    dimension,
    source,
    published_in: "results",
  };
  const scores = readScores(
    kind,
    published.scores.map((row) => change({ ...row })),
  );
  return targetOf(groupOf(key, scores, published.options, names), kind, defaultTolerances);
}

export interface Audited {
  /** The numbers follow from the run's own conventions. */
  readonly exact: boolean;
  readonly explanation: NamedCause | null;
  /** Items with a number that neither the explanation nor, without one, the run's own conventions reproduce. */
  readonly missed: readonly string[];
  /** The best candidate if it reproduces every number, otherwise empty. */
  readonly closest: string;
  readonly isEmpty: boolean;
}

export function auditPublished(
  fixture: Fixture,
  kind: Kind,
  dimension: string,
  rules: readonly PublishingRule[],
  change?: (row: Row) => Row,
): Audited {
  const target = publishedTarget(fixture, kind, dimension, rules, change);
  const result = search({
    target,
    evaluator: fixture.evaluator,
    own: ownOf(fixture, dimension),
  });
  const best = result.candidates[0];
  const exact = result.own.fit.misses.length === 0 && result.own.fit.unpublished.length === 0;
  const { explanation, candidate } = explanationOf(result);
  const { fit } = exact || explanation === null ? result.own : candidate;
  const missed = [...fit.misses.map((i) => target.cells[i]?.item ?? ""), ...fit.unpublished];
  return {
    exact,
    explanation: exact ? null : explanation,
    missed: [...new Set(missed)],
    closest: best?.fit.missBits === 0 ? candidateName(best) : "",
    isEmpty: target.cells.length === 0,
  };
}
