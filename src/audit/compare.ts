/** Published numbers and ranks beside the recomputed ones. */
import { resultKey } from "./result-key.js";
import type { GroupKey, ItemNames, PublishedGroup } from "./published/cells.js";
import {
  equalAt,
  unrounded,
  halfWidthAt,
  numericNoise,
  type Precision,
} from "./published/precision.js";
import { isApart, judge, type Facts } from "./judge.js";
import type { Direction } from "./scales.js";
import type { Verdict } from "./verdict.js";
import {
  fieldsOf,
  kinds,
  metricKind,
  isKind,
  mainField,
  type Kind,
  isCount,
} from "../metrics/index.js";
import { textOf, type Warehouse, type Row } from "../warehouse/index.js";
import { byPlace, byText, keyOf, sumOf } from "../platform/index.js";
import { type Tolerances, allowance } from "./settings.js";

/** Null: one side has no such number. */
interface NumberPair extends GroupKey {
  readonly item: string;
  readonly field: string;
  readonly published: number | null;
  /** Under the run's own conventions. */
  readonly recomputed: number | null;
  /** published - recomputed. */
  readonly difference: number | null;
  /** Declared for the kind, beyond the rounding of the published number. */
  readonly tolerance: number | null;
  /** What the explanation of the result gives; null without one. */
  readonly under_explanation: number | null;
  /** published - under_explanation. */
  readonly remaining: number | null;
  /** How many numbers a row without an item stands for; absent: one. */
  readonly numbers?: number;
}

export interface AuditRow extends NumberPair {
  readonly verdict: Verdict;
  readonly explanation: string | null;
}

export type ComparedNumber = NumberPair & Facts;

export interface RecomputedValues {
  readonly items: ReadonlyMap<string, unknown>;
  readonly get: (item: string, field: string) => number | undefined;
}

export const noValues: RecomputedValues = { items: new Map(), get: () => undefined };

/** What audit_recomputed holds, by group, in columns: rows take two to eight times the time. */
export async function readRecomputed(
  warehouse: Warehouse,
  wanted: readonly Kind[] = kinds,
): Promise<Map<string, RecomputedValues>> {
  const groups = new Map<string, RecomputedValues>();
  for (const kind of wanted) {
    const { model, columns: fields = {} } = metricKind(kind);
    const numbers = await warehouse.columns(`
      select
        coalesce(
          cast(
            columns(
              name -> name not in ('experiment_id', 'dimension', 'source', 'item', 'component')
            ) as double
          ),
          'nan'
        )
      from ${model}
      order by experiment_id, dimension, source, item`);
    const lists = await warehouse.all(`
      select
        experiment_id,
        dimension,
        source,
        cast(to_json(list(item order by item)) as varchar) as items
      from ${model}
      group by experiment_id, dimension, source
      order by experiment_id, dimension, source`);
    const columnOf = new Map(
      Object.entries(numbers).map(([column, values]) => [fields[column] ?? column, values]),
    );
    let from = 0;
    for (const row of lists) {
      const listed = JSON.parse(textOf(row, "items")) as (string | null)[];
      const first = from;
      const items = new Map(listed.map((item, i) => [item ?? "", first + i]));
      from += listed.length;
      const key = {
        experiment_id: textOf(row, "experiment_id"),
        dimension: textOf(row, "dimension"),
      };
      groups.set(resultKey({ ...key, kind, source: textOf(row, "source") }), {
        items,
        get(item, field) {
          const value = columnOf.get(field)?.[items.get(item) ?? -1];
          return Number.isNaN(value) ? undefined : value;
        },
      });
    }
  }
  return groups;
}

/** Its fields are named: spreading three objects takes six times the time. */
export const numberOf = (
  { experiment_id, experiment_name, kind, dimension, source, published_in }: GroupKey,
  known: Partial<ComparedNumber>,
): ComparedNumber => ({
  experiment_id,
  experiment_name,
  kind,
  dimension,
  source,
  published_in,
  item: "",
  field: "",
  published: null,
  recomputed: null,
  difference: null,
  tolerance: null,
  under_explanation: null,
  remaining: null,
  nearness: "apart",
  ...known,
});

export function judgedRow(number: ComparedNumber): AuditRow {
  const { verdict, explanation } = judge(number);
  const row = {
    experiment_id: number.experiment_id,
    experiment_name: number.experiment_name,
    kind: number.kind,
    dimension: number.dimension,
    source: number.source,
    published_in: number.published_in,
    item: number.item,
    field: number.field,
    published: number.published,
    recomputed: number.recomputed,
    difference: number.difference,
    tolerance: number.tolerance,
    verdict,
    explanation,
    under_explanation: number.under_explanation,
    remaining: number.remaining,
  };
  return number.numbers === undefined ? row : { ...row, numbers: number.numbers };
}

export const noRatings = "the snapshot holds no ratings of this experiment";

export const namesNoMetric = "the record names no metric, so its numbers cannot be compared";

export const problemsOf = ({ problems }: PublishedGroup): string =>
  [
    ...problems.slice(0, 3),
    ...(problems.length > 3 ? [`and ${problems.length - 3} more`] : []),
  ].join("; ");

export function obstacleOf(
  group: PublishedGroup,
  values: RecomputedValues,
  { names, itemOfId }: ItemNames,
): string | null {
  if (group.problem !== null) return group.problem;
  if (group.kind === "") return namesNoMetric;
  if (!isKind(group.kind)) return `unknown metric "${group.kind}"; known: ${kinds.join(", ")}`;
  if (group.cells.length === 0 && group.ranks.length === 0)
    return group.problems.length > 0 ? problemsOf(group) : "no scores were published";
  if (names.size === 0) return noRatings;
  const named = (item: string): boolean =>
    names.has(item) || itemOfId.has(item) || values.items.has(item);
  if (![...group.cells, ...group.ranks].some(({ item }) => named(item)))
    return "no published name matches a rated stimulus";
  return null;
}

/** All comparisons are with the baseline, so a board may leave it out. */
export function withoutBaseline(
  kind: Kind,
  missing: readonly string[],
  items: readonly string[],
  nOf: (item: string, i: number) => number | undefined,
): readonly string[] {
  if (missing.length === 0 || items.length < 3 || metricKind(kind).family !== "pairwise")
    return missing;
  const counts = items.map((item, i) => nOf(item, i) ?? NaN);
  const total = counts.reduce((sum, n) => sum + n, 0);
  const baseline = items[counts.findIndex((n) => Math.abs(2 * n - total) <= 1e-9 * total)];
  return missing.filter((item) => item !== baseline);
}

export function compareGroup(
  group: PublishedGroup,
  kind: Kind,
  values: RecomputedValues,
  tolerances: Tolerances,
): ComparedNumber[] {
  if (group.cells.length === 0) return [];
  const main = mainField(kind);
  const cells = group.cells.map(({ item, field, published: { value: published } }) => {
    const contrary = group.misnamed.get(item);
    const recomputed = values.get(item, field);
    if (recomputed === undefined || !Number.isFinite(recomputed)) {
      const isCounted = values.items.has(item);
      const note = isCounted
        ? "not defined for the counted ratings"
        : "this item has no counted ratings";
      return numberOf(group, { item, field, published, note, contrary });
    }
    const precision = group.precision[field] ?? unrounded;
    const compared = compare(
      kind,
      field,
      published,
      recomputed,
      precision,
      tolerances,
      values.get(item, main),
    );
    const isSingle =
      precision.single !== undefined &&
      compared.nearness === "equal" &&
      !equalAt(published, recomputed, unrounded);
    const note = isSingle ? "equal in single precision" : undefined;
    return numberOf(group, { item, field, published, recomputed, ...compared, note, contrary });
  });
  const published = new Set(group.cells.map((cell) => cell.item));
  const items = [...values.items.keys()];
  const absent = group.isPartial ? [] : items.filter((item) => !published.has(item));
  const missing = withoutBaseline(kind, absent, items, (item) => values.get(item, "n"));
  const note = "counted, but not published";
  const unpublished = missing.map((item) =>
    numberOf(group, { item, field: main, recomputed: values.get(item, main) ?? null, note }),
  );
  return [...cells, ...unpublished];
}

/** The numbers that contradict the same field under another name. */
export function compareSynonyms(group: PublishedGroup, values: RecomputedValues): ComparedNumber[] {
  return group.synonyms.map(({ item, field, key, published: { value: published } }) => {
    const recomputed = values.get(item, field) ?? null;
    const difference = recomputed === null ? null : published - recomputed;
    const note = `contradicts the ${field} published with it`;
    return numberOf(group, { item, field: key, published, recomputed, difference, note });
  });
}

export interface KindResult {
  readonly group: PublishedGroup;
  readonly kind: Kind;
}

export interface RankedResult extends KindResult {
  readonly values: RecomputedValues;
}

/**
 * Compares ranks with the scores published with them, otherwise with the recomputed ones, in the
 * direction of the scale. Where that is unknown, they may follow in either direction.
 */
export function compareRanks(result: RankedResult, direction: Direction): ComparedNumber[] {
  const isOnScale = metricKind(result.kind).direction === "either";
  if (!isOnScale || direction !== null) return ranksOf(result, isOnScale && direction === "lower");
  const [falling, rising] = [ranksOf(result, false), ranksOf(result, true)];
  const wrong = (ranks: readonly ComparedNumber[]): number => ranks.filter(isApart).length;
  return wrong(rising) < wrong(falling) ? rising : falling;
}

function ranksOf({ group, kind, values }: RankedResult, isRising: boolean): ComparedNumber[] {
  const field = mainField(kind);
  const precision = group.precision[field] ?? unrounded;
  const own = new Map(
    group.cells
      .filter((cell) => cell.field === field)
      .map((cell) => [cell.item, cell.published.value]),
  );
  const recomputed = new Map(
    [...values.items.keys()].flatMap((item) => {
      const value = values.get(item, field);
      return value === undefined ? [] : [[item, value] as const];
    }),
  );
  const isOwn = own.size > 0;
  const scores = isOwn ? own : recomputed;
  // Published scores that are equal only as rounded are in the order of the recomputed ones.
  const exact = [...recomputed].filter(([item, value]) =>
    equalAt(own.get(item) ?? NaN, value, precision),
  );
  const judged = judgeRanks(group.ranks, scores, {
    isPartial: group.isPartial,
    isRising: isRising !== (isOwn && isTurned(own, recomputed)),
    exact: new Map(exact),
  });
  const whose = isOwn ? "scores published with it" : "recomputed scores";
  const compared = judged.map(({ item, rank, follows }) =>
    numberOf(group, {
      item,
      field: "rank",
      published: rank,
      recomputed: follows,
      difference: rank - follows,
      tolerance: 0,
      nearness: rank === follows ? "equal" : "apart",
      note: rank === follows ? undefined : `the rank contradicts the ${whose}`,
      contrary: group.misnamed.get(item),
    }),
  );
  const unscored = group.ranks.filter(({ item }) => !scores.has(item));
  const obstacle = `ranked, but has no ${isOwn ? "published score" : "counted ratings"}`;
  return [
    ...compared,
    ...unscored.map(({ item, rank }) =>
      numberOf(group, { item, field: "rank", published: rank, obstacle }),
    ),
  ];
}

/** Whether a board has the other sign than the scale, as of minus the penalties. */
function isTurned(own: ReadonlyMap<string, number>, recomputed: ReadonlyMap<string, number>) {
  const pairs = [...own].flatMap(([item, x]) => {
    const y = recomputed.get(item);
    return y === undefined ? [] : [[x, y] as const];
  });
  const middle = (side: 0 | 1) => sumOf(pairs.map((pair) => pair[side])) / pairs.length;
  const [meanX, meanY] = [middle(0), middle(1)];
  return sumOf(pairs.map(([x, y]) => (x - meanX) * (y - meanY))) < 0;
}

/** By experiment, kind, dimension, source, place, item, and field as defined. */
export function sortRows(rows: readonly AuditRow[]): AuditRow[] {
  const kindRank = (kind: string): number => (kinds as readonly string[]).indexOf(kind) >>> 0;
  const fieldRank = (kind: string, field: string): number =>
    isKind(kind) ? fieldsOf(kind).indexOf(field) : 0;
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

/** @param centre the item's recomputed main value */
export function compare(
  kind: Kind,
  field: string,
  published: number,
  recomputed: number,
  precision: Precision,
  tolerances: Tolerances,
  centre?: number,
) {
  const difference = published - recomputed;
  const isInteger = isCount(kind, field) && Number.isInteger(recomputed);
  const tolerance = allowance(tolerances, kind, field, recomputed, centre);
  const isEqual = isInteger
    ? equalAt(published, recomputed, { decimals: 0, halfWidth: 0 }, 0)
    : equalAt(published, recomputed, precision);
  const bound = tolerance + (isInteger ? 0 : halfWidthAt(precision, published));
  const nearness: Facts["nearness"] = isEqual
    ? "equal"
    : Math.abs(difference) <= bound
      ? "near"
      : "apart";
  return { difference, tolerance, nearness };
}

interface JudgedRank {
  readonly item: string;
  readonly rank: number;
  readonly follows: number;
}

type Ranks = readonly { readonly item: string; readonly rank: number }[];

/**
 * Compares ranks with `scores` (item to score). Ties share a rank, or divide it in the order of
 * `exact`; the next rank follows or skips the tied; ranks start at 0 or 1. `isPartial`: gaps are
 * allowed.
 */
export function judgeRanks(
  ranks: Ranks,
  scores: ReadonlyMap<string, number>,
  {
    isPartial = false,
    isRising = false,
    exact = new Map<string, number>(),
  }: { isPartial?: boolean; isRising?: boolean; exact?: ReadonlyMap<string, number> } = {},
): JudgedRank[] {
  const sign = isRising ? -1 : 1;
  const ranked = ranks
    .filter(({ item }) => scores.has(item))
    .map(({ item, rank }) => ({ item, rank, score: sign * scores.get(item)! }));
  const base = Math.min(1, ...ranked.map(({ rank }) => rank)) < 1 ? 0 : 1;
  const isBetter = (a: string, b: string): boolean => {
    const [x, y] = [exact.get(a) ?? NaN, exact.get(b) ?? NaN];
    return sign * (x - y) > numericNoise * Math.max(1, Math.abs(x));
  };
  const judged = ranked.map(({ item, rank, score }) => {
    const above = ranked.filter((other) => other.score > score);
    const level = ranked.filter((other) => other.score === score);
    const least = base + new Set(above.map((other) => other.score)).size;
    const most = base + above.length + level.length - 1;
    const isTurned = level.some(
      (other) =>
        (other.rank > rank && isBetter(other.item, item)) ||
        (other.rank < rank && isBetter(item, other.item)),
    );
    if (rank >= least && rank <= most && !isTurned) return { item, rank, follows: rank };
    return {
      item,
      rank,
      follows: base + above.length + level.filter((other) => isBetter(other.item, item)).length,
    };
  });
  const isOrdered = ranked.every((a) => ranked.every((b) => a.score <= b.score || a.rank < b.rank));
  return isPartial && isOrdered ? judged.map((j) => ({ ...j, follows: j.rank })) : judged;
}

/** Why a pairwise result cannot be compared; undefined if it can, or if no slate is counted. */
export type Uncompared = (
  key: Pick<GroupKey, "experiment_id" | "dimension" | "kind">,
) => string | undefined;

function sentence(row: Row): string {
  const all =
    Number(row.slates) === 1
      ? `the only one has ${textOf(row, "reason")}`
      : `all ${textOf(row, "each")}`;
  return `no slate is a comparison: ${Number(row.reasons) === 1 ? all : textOf(row, "each")}`;
}

export async function readUncompared(warehouse: Warehouse): Promise<Uncompared> {
  const rows = await warehouse.all(`
    select
      experiment_id, dimension,
      count(*) as reasons,
      sum(slates) as slates,
      min(skip_reason) as reason,
      string_agg(
        slates || if(slates = 1, ' has ', ' have ') || skip_reason,
        ', ' order by slates desc, skip_reason
      ) as each
    from audit_slates
    group by experiment_id, dimension
    having not bool_or(skip_reason = '')`);
  const said = new Map(
    rows.map((row) => [
      keyOf(textOf(row, "experiment_id"), textOf(row, "dimension")),
      sentence(row),
    ]),
  );
  return ({ experiment_id, dimension, kind }) =>
    isKind(kind) && metricKind(kind).family === "pairwise"
      ? said.get(keyOf(experiment_id, dimension))
      : undefined;
}
