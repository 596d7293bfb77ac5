import { kinds, metricKind, type Conventions, type Kind } from "../metrics/index.js";
import type { Warehouse } from "../warehouse/index.js";
import { atPrecisionOfResult, coarseAs } from "./coarse.js";
import { compareGroup, groupId, noValues, type AuditRow, type RecomputedValues } from "./compare.js";
import { createEvaluator, type Evaluator } from "./evaluate/evaluator.js";
import { ownScenario } from "./evaluate/scenario.js";
import { explain } from "./findings/find-cause.js";
import type { GroupKey, PublishedGroup } from "./published/cells.js";
import { loadRatings } from "./ratings/rating-columns.js";
import type { SearchLimits, Tolerances } from "./settings.js";
import { targetOf } from "./target.js";

/** A kind that gives numbers which name none. */
export interface NamedKind {
  readonly group: PublishedGroup;
  readonly kind: Kind;
  /** Of other kinds that give as many of the numbers as simply, as `kind=mean`. */
  readonly rivals: readonly string[];
}

interface NamingSettings {
  readonly recomputed: ReadonlyMap<string, RecomputedValues>;
  readonly conventions: Conventions;
  readonly tolerances: Tolerances;
  /** Null: only the run's own conventions are tried. */
  readonly limits: SearchLimits | null;
}

/** Tries published numbers that name no metric as numbers of every kind: `null` if no kind gives them. */
export function kindNamer(
  warehouse: Warehouse,
  { recomputed, conventions, tolerances, limits }: NamingSettings,
): (group: PublishedGroup) => Promise<NamedKind | null> {
  let known: { readonly experiment: string; readonly evaluator: Evaluator } | null = null;
  const evaluatorOf = async (experiment: string): Promise<Evaluator> => {
    if (known?.experiment !== experiment)
      known = { experiment, evaluator: createEvaluator(await loadRatings(warehouse, experiment)) };
    return known.evaluator;
  };
  return async (unnamed) => {
    const evaluator = await evaluatorOf(unnamed.experiment_id);
    const fits = kinds.flatMap((kind) => fitsOf(unnamed, kind, evaluator));
    const simplest = fits.toSorted((a, b) => b.numbers - a.numbers || a.parts - b.parts);
    const [best, ...others] = simplest;
    if (best === undefined) return null;
    const alike = others.filter(({ numbers, parts }) => numbers === best.numbers && parts === best.parts);
    return { group: best.group, kind: best.kind, rivals: alike.map(({ name }) => name) };
  };

  function fitsOf(unnamed: PublishedGroup, kind: Kind, evaluator: Evaluator) {
    const read = unnamed.as?.(kind) ?? unnamed;
    const values = recomputed.get(groupId(read)) ?? noValues;
    const group = atPrecisionOfResult(read, kind, values);
    if (group.cells.length === 0 || values.items.size === 0) return [];
    const rows = coarseAs(compareGroup(group, kind, values, tolerances), group, kind);
    if (rows.some(({ verdict }) => verdict === "inconclusive")) return [];
    const fit = { group, kind, numbers: group.cells.length };
    if (rows.every(({ verdict }) => verdict !== "unexplained")) return [{ ...fit, parts: 0, name: `kind=${kind}` }];
    if (limits === null) return [];
    const own = ownScenario(conventions, group.dimension, group.source);
    const { explanation, candidate } = explain(targetOf(group, kind, tolerances), evaluator, own, limits);
    if (explanation === null || explanation.fitted.length > 0) return [];
    const parts = candidate.hypotheses.length + candidate.parameters.length;
    return [{ ...fit, numbers: explanation.reproduced, parts, name: `kind=${kind} ${explanation.name}` }];
  }
}

/** The rows of results whose kind the audit found are `unstated` where they follow: nobody names the kind. */
export function asUnstated(rows: readonly AuditRow[], named: readonly NamedKind[]): readonly AuditRow[] {
  if (named.length === 0) return rows;
  const placeOf = (key: GroupKey, item: string, field: string, value: number) =>
    JSON.stringify([groupId(key), key.published_in, item, field, value]);
  const rivalsOf = new Map(
    named.flatMap(({ group, rivals }) =>
      group.cells.map(({ item, field, published: { value } }) => [placeOf(group, item, field, value), rivals] as const),
    ),
  );
  return rows.map((row) => {
    if (row.published === null) return row;
    const rivals = rivalsOf.get(placeOf(row, row.item, row.field, row.published));
    const follows = row.verdict === "exact" || row.verdict === "within_tolerance" || row.verdict === "unstated";
    if (rivals === undefined || !follows) return row;
    const convention = row.explanation === null ? "" : ` ${row.explanation}`;
    const name = `kind=${row.kind}${convention}`;
    const explanation = rivals.length === 0 ? name : `undetermined: ${[name, ...rivals].join(" or ")}`;
    return { ...row, verdict: "unstated", explanation };
  });
}

/** Why numbers that name no metric are not compared. */
export const noKindFits = `the record names no metric, and none of ${kinds.map((kind) => metricKind(kind).title).join(", ")} gives its numbers`;

/** Whether a result could be of any kind. A board may hold other numbers than metrics. */
export const isUnnamed = ({ kind, problem, isPartial, as }: PublishedGroup): boolean =>
  kind === "" && problem === null && !isPartial && as !== undefined;
