import type { AuditRow } from "./audit-row.js";
import { type GroupKey, type PublishedGroup, type ItemNames, equalAt, unrounded } from "../published/index.js";
import { isKind, kinds, metricKind, mainField, type Kind } from "../../metrics/index.js";
import { byPlace, byText } from "../../platform/index.js";
import { judgeRanks } from "./rank.js";
import type { RecomputedValues } from "./recomputed.js";
import type { Tolerances } from "../tolerances.js";
import { compare } from "./verdicts.js";

type OwnFields = Omit<AuditRow, keyof GroupKey | "under_explanation" | "remaining">;

function row(key: GroupKey, rest: OwnFields): AuditRow {
  // Field by field: a spread takes twice as long, and an audit has hundreds of thousands of rows.
  return {
    experiment_id: key.experiment_id,
    experiment_name: key.experiment_name,
    kind: key.kind,
    dimension: key.dimension,
    source: key.source,
    published_in: key.published_in,
    item: rest.item,
    field: rest.field,
    published: rest.published,
    recomputed: rest.recomputed,
    difference: rest.difference,
    tolerance: rest.tolerance,
    verdict: rest.verdict,
    explanation: rest.explanation,
    under_explanation: null,
    remaining: null,
  };
}

const nothing = { published: null, recomputed: null, difference: null, tolerance: null } as const;

/** A single row with the reason why a whole result could not be audited. */
export function notAuditable(key: GroupKey, explanation: string): AuditRow[] {
  return [row(key, { item: "", field: "", ...nothing, verdict: "not_auditable", explanation })];
}

/** The first elements that could not be read. */
export const problemsOf = ({ problems }: PublishedGroup): string =>
  [...problems.slice(0, 3), ...(problems.length > 3 ? [`and ${problems.length - 3} more`] : [])].join("; ");

/** Why a result cannot be compared at all, or null. */
export function obstacle(
  group: PublishedGroup,
  values: RecomputedValues,
  { names, itemOfId }: ItemNames,
): string | null {
  if (group.problem !== null) return group.problem;
  if (group.kind === "") return "the record names no metric, so its numbers cannot be compared";
  if (!isKind(group.kind)) return `unknown metric "${group.kind}"; known: ${kinds.join(", ")}`;
  if (group.cells.length === 0 && group.ranks.length === 0)
    return group.problems.length > 0 ? problemsOf(group) : "no scores were published";
  if (names.size === 0) return "the snapshot holds no ratings of this experiment";
  const named = (item: string): boolean => names.has(item) || itemOfId.has(item) || values.items.has(item);
  if (![...group.cells, ...group.ranks].some(({ item }) => named(item)))
    return "no published name matches a rated stimulus";
  return null;
}

/** Compares number by number, then adds the items that were recomputed but not published. */
export function compareGroup(
  group: PublishedGroup,
  kind: Kind,
  values: RecomputedValues,
  tolerances: Tolerances,
): AuditRow[] {
  if (group.cells.length === 0) return [];
  const rows: AuditRow[] = group.cells.map(({ item, field, published: { value: published } }) => {
    const recomputed = values.get(item, field);
    if (recomputed === undefined || !Number.isFinite(recomputed)) {
      const explanation = values.items.has(item)
        ? "not defined for the counted ratings"
        : "this item has no counted ratings";
      return row(group, { item, field, ...nothing, published, verdict: "unexplained", explanation });
    }
    const precision = group.precision[field] ?? unrounded;
    const compared = compare(kind, field, published, recomputed, precision, tolerances);
    const isSingle =
      precision.single !== undefined && compared.verdict === "exact" && !equalAt(published, recomputed, unrounded);
    const { difference, tolerance, verdict } = compared;
    const explanation = isSingle ? "equal in single precision" : null;
    return row(group, { item, field, published, recomputed, difference, tolerance, verdict, explanation });
  });
  const published = new Set(group.cells.map((cell) => cell.item));
  const field = mainField(kind);
  for (const item of values.items.keys()) {
    if (published.has(item) || group.isPartial) continue;
    const recomputed = values.get(item, field) ?? null;
    rows.push(
      row(group, {
        item,
        field,
        ...nothing,
        recomputed,
        verdict: "unexplained",
        explanation: "counted, but not published",
      }),
    );
  }
  return rows;
}

/** A row for each number that contradicts the same field under another name: one of the two is wrong. */
export function synonymRows(group: PublishedGroup, values: RecomputedValues): AuditRow[] {
  return group.synonyms.map(({ item, field, key, published: { value: published } }) => {
    const recomputed = values.get(item, field) ?? null;
    const difference = recomputed === null ? null : published - recomputed;
    const explanation = `contradicts the ${field} published with it`;
    const shown = { ...nothing, published, recomputed, difference, verdict: "unexplained", explanation } as const;
    return row(group, { item, field: key, ...shown });
  });
}

/** Compares published ranks with those of the scores published with them, otherwise of the recomputed scores. */
export function rankRows(group: PublishedGroup, kind: Kind, values: RecomputedValues): AuditRow[] {
  if (group.ranks.length === 0) return [];
  const field = mainField(kind);
  const own = new Map(
    group.cells.filter((cell) => cell.field === field).map((cell) => [cell.item, cell.published.value]),
  );
  const recomputed = new Map(
    [...values.items.keys()].flatMap((item) => {
      const value = values.get(item, field);
      return value === undefined ? [] : [[item, value] as const];
    }),
  );
  const whose = own.size > 0 ? "scores published with it" : "recomputed scores";
  const mayRise = metricKind(kind).direction === "either";
  return judgeRanks(group.ranks, own.size > 0 ? own : recomputed, { isPartial: group.isPartial, mayRise }).map(
    ({ item, rank, follows }) => {
      const verdict = rank === follows ? "exact" : "unexplained";
      const explanation = verdict === "exact" ? null : `the rank contradicts the ${whose}`;
      return row(group, {
        item,
        field: "rank",
        published: rank,
        recomputed: follows,
        difference: rank - follows,
        tolerance: 0,
        verdict,
        explanation,
      });
    },
  );
}

/** Rows in a fixed order: experiment, kind, dimension, source, place, item, field as defined. */
export function sortRows(rows: readonly AuditRow[], fieldRank: (kind: string, field: string) => number): AuditRow[] {
  const kindRank = (kind: string): number => (kinds as readonly string[]).indexOf(kind) >>> 0;
  return rows.toSorted(
    (a, b) =>
      byText(a.experiment_id, b.experiment_id) ||
      kindRank(a.kind) - kindRank(b.kind) ||
      byText(a.kind, b.kind) ||
      byText(a.dimension, b.dimension) ||
      byText(a.source, b.source) ||
      byPlace(a.published_in, b.published_in) ||
      byText(a.item, b.item) ||
      fieldRank(a.kind, a.field) - fieldRank(b.kind, b.field) ||
      (a.published ?? 0) - (b.published ?? 0),
  );
}
