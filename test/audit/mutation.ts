import { join } from "node:path";
import { Evaluator } from "../../src/audit/evaluate/evaluator.js";
import { loadFacts } from "../../src/audit/facts/load.js";
import { groupOf } from "../../src/audit/group.js";
import { hypothesesFor } from "../../src/audit/hypotheses/catalogue.js";
import type { Hypothesis } from "../../src/audit/hypotheses/hypothesis.js";
import { ownScenario } from "../../src/audit/hypotheses/scenario.js";
import { countFields, type Kind } from "../../src/audit/kinds.js";
import { readScores } from "../../src/audit/published/scores.js";
import { explanationOf, type Explanation } from "../../src/audit/search/explanation.js";
import { search } from "../../src/audit/search/search.js";
import { targetOf, type Target } from "../../src/audit/search/target.js";
import { defaultTolerances } from "../../src/audit/tolerances.js";
import { defaultConventions } from "../../src/metrics/conventions.js";
import type { PublishingRule } from "../../src/service/index.js";
import { resultsOf } from "../../src/service/publish/results.js";
import { initialChanges } from "../../src/service/sample/initial.js";
import type { ConventionInput } from "../../src/service/scoring/convention.js";
import type { Study } from "../../src/service/state/state.js";
import { Store } from "../../src/service/state/store.js";
import { recompute } from "../../src/warehouse/index.js";
import { goldenDir, loadCase } from "../warehouse/load.js";

/** One golden case as the local service holds it and as the audit reads it. */
export interface Bed {
  readonly study: Study;
  readonly evaluator: Evaluator;
}

export async function bedOf(file: string): Promise<Bed> {
  const store = new Store(await initialChanges({ load: [join(goldenDir, `${file}.json`)] }));
  const studies = [...store.state.projects.values()].flatMap((p) => [...p.studies.values()]);
  const warehouse = await loadCase(`${file}.json`, { threads: 1 });
  await recompute(warehouse, defaultConventions);
  const [study] = studies;
  if (study === undefined) throw new Error(`no study in ${file}`);
  const evaluator = new Evaluator(await loadFacts(warehouse, study.experiment.id));
  warehouse.close();
  return { study, evaluator };
}

export type Outcome = "no difference" | "rightly" | "wrongly" | "not at all";

export interface Trial {
  readonly kind: Kind;
  readonly dimension: string;
  readonly planted: string;
  readonly outcome: Outcome;
  readonly explanation: Explanation | null;
}

type Row = Record<string, unknown>;

/** Every number of a published row, as `change` makes it; counts are left alone. */
export const eachReal = (change: (value: number, field: string, item: string) => number) => (row: Row): Row => {
  const item = Object.values(row).find((v) => typeof v === "string") ?? "";
  const entries = Object.entries(row).map(([field, value]): [string, unknown] => {
    const isReal = typeof value === "number" && !countFields.has(field);
    return [field, isReal ? change(value, field, item) : value];
  });
  return Object.fromEntries(entries);
};

/** One kind as the local service publishes it under rules, each row as `change` makes it, ready for the audit. */
export function publishedTarget(
  { study, evaluator }: Bed,
  kind: Kind,
  dimension: string,
  rules: readonly PublishingRule[],
  change: (row: Row) => Row = (row) => row,
): Target {
  const published = resultsOf(study, rules).find((r) => r.kind === kind && r.dimension === dimension);
  if (published === undefined) throw new Error(`${kind} is not published`);
  const conditions = evaluator.facts.stimuli.flatMap((s) => [s.item, s.name.slice(s.name.lastIndexOf("/") + 1)]);
  const names = { names: new Set(conditions), itemOfId: new Map<string, string>() };
  const key = { experiment_id: study.experiment.id, experiment_name: "", kind, dimension, source: "", published_in: "results" };
  return targetOf(groupOf(key, readScores(kind, published.scores.map((row) => change({ ...row }))), published.options, names), kind, defaultTolerances);
}

/** Publishes one kind under rules and lets the audit explain it from the numbers alone. */
export function auditPublished(
  bed: Bed,
  kind: Kind,
  dimension: string,
  rules: readonly PublishingRule[],
  change?: (row: Row) => Row,
): { exact: boolean; explanation: Explanation | null } {
  const target = publishedTarget(bed, kind, dimension, rules, change);
  const result = search(target, bed.evaluator, ownScenario(defaultConventions, dimension, ""));
  const exact = result.own.fit.misses.length === 0 && result.own.fit.unpublished.length === 0;
  return { exact, explanation: exact ? null : (explanationOf(target, result)?.explanation ?? null) };
}

const orders = { created: "created", slate_id: "slate_id", reversed: "reversed" } as const;

/** A hypothesis of the audit as a convention of the local service; null where the service has no such switch. */
export function switchOf({ set }: Hypothesis): ConventionInput | null {
  const { training, incomplete, incorrect, job, order, item, ...rest } = set.population ?? {};
  if (set.rounding !== undefined || Object.keys(rest).length > 0 || training === "only" || (item !== undefined && item !== "condition")) return null;
  const orderSwitch = order === undefined ? undefined : orders[order as keyof typeof orders];
  if (order !== undefined && orderSwitch === undefined) return null;
  return {
    ...(training === undefined ? {} : { training }),
    ...(incomplete === undefined ? {} : { incomplete }),
    ...(incorrect === undefined ? {} : { incorrect }),
    ...(job === undefined || job === null ? {} : { job }),
    ...(orderSwitch === undefined ? {} : { order: orderSwitch }),
    ...(item === undefined ? {} : { item_pattern: "([^/]*)$" }),
    ...(set.conventions as ConventionInput),
  };
}

/** Every combination of up to two hypotheses of a kind that the local service can publish under. */
export function planted(bed: Bed, kind: Kind, dimension: string): Hypothesis[][] {
  const own = ownScenario(defaultConventions, dimension, "");
  const all = hypothesesFor(kind, own, bed.evaluator.facts, dimension, "").filter((h) => switchOf(h) !== null);
  const pairs = all.flatMap((a, i) => all.slice(i + 1).filter((b) => a.axis !== b.axis).map((b) => [a, b]));
  return [...all.map((h) => [h]), ...pairs];
}

/**
 * Publishes under the hypotheses and lets the audit explain it. Rightly: everything that the explanation (or one of
 * its rivals) supposes was planted; what it leaves out then does not show in the published numbers, since the
 * explanation reproduces them. Wrongly: it supposes something that was not planted.
 */
export function tryPlanted(bed: Bed, kind: Kind, dimension: string, hypotheses: readonly Hypothesis[], decimals?: number): Trial {
  const rules: PublishingRule[] = hypotheses.map((h) => ({ conventions: switchOf(h) ?? {}, options: "none" as const }));
  if (decimals !== undefined) rules.push({ decimals });
  const { exact, explanation } = auditPublished(bed, kind, dimension, rules);
  const name = hypotheses.map((h) => h.name);
  const words = new Set(name.join(" ").split(" "));
  const said = explanation === null ? [] : [explanation.name, ...explanation.rivals];
  const isNamed = said.some((text) => text.split(" ").every((word) => words.has(word)));
  const outcome: Outcome = exact ? "no difference" : explanation === null ? "not at all" : isNamed ? "rightly" : "wrongly";
  return { kind, dimension, planted: name.join(" "), outcome, explanation };
}
