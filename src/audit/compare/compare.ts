/** Published numbers and ranks beside the recomputed ones. */
import { resultKey } from "../result.js";
import type { GroupKey, ItemNames, PublishedGroup } from "../read/cells.js";
import { equalAt, unrounded, numericNoise } from "../read/precision.js";
import { isApart, judge, type Facts } from "../judge/judge.js";
import type { Direction } from "./scales.js";
import type { Verdict } from "../judge/verdict.js";
import {
  fieldsOf,
  kinds,
  metricKind,
  isKind,
  mainField,
  type Kind,
  type Table,
} from "../../metrics/index.js";
import { textOf, type Warehouse, type Row } from "../../warehouse/index.js";
import { byPlace, byText, groupsOf, keyOf, sumOf } from "../../platform/index.js";
import type { Tolerances } from "../judge/settings.js";
import { compare, fitOf, tableNumber, rowByItem, rowsOf, targetOf } from "./target.js";

interface NumberPair extends GroupKey {
  readonly item: string;
  readonly field: string;
  readonly published: number | null;
  readonly recomputed: number | null;
  readonly difference: number | null;
  readonly tolerance: number | null;
  readonly under_explanation: number | null;
  readonly remaining: number | null;
  readonly numbers?: number;
}

export interface AuditRow extends NumberPair {
  readonly verdict: Verdict;
  readonly explanation: string | null;
}

export type ComparedNumber = NumberPair & Facts;

/** What audit_recomputed holds, by group, in columns: rows take two to eight times the time. */
export async function readRecomputed(
  warehouse: Warehouse,
  wanted: readonly Kind[] = kinds,
): Promise<Map<string, Table>> {
  const groups = new Map<string, Table>();
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
    let from = 0;
    for (const row of lists) {
      const listed = JSON.parse(textOf(row, "items")) as (string | null)[];
      const to = from + listed.length;
      const columns = Object.entries(numbers).map(([column, values]) => [
        fields[column] ?? column,
        values.subarray(from, to),
      ]);
      from = to;
      const [experiment_id, dimension, source] = (
        ["experiment_id", "dimension", "source"] as const
      ).map((name) => textOf(row, name)) as [string, string, string];
      groups.set(resultKey({ experiment_id, dimension, kind, source }), {
        items: listed.map((item) => item ?? ""),
        columns: Object.fromEntries(columns) as Table["columns"],
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
  values: Table,
  { names, itemOfId }: ItemNames,
): string | null {
  if (group.problem !== null) return group.problem;
  if (group.kind === "") return namesNoMetric;
  if (!isKind(group.kind)) return `unknown metric "${group.kind}"; known: ${kinds.join(", ")}`;
  if (group.cells.length === 0 && group.ranks.length === 0)
    return group.problems.length > 0 ? problemsOf(group) : "no scores were published";
  if (names.size === 0) return noRatings;
  const rows = rowByItem(values.items);
  const named = (item: string): boolean => names.has(item) || itemOfId.has(item) || rows.has(item);
  if (![...group.cells, ...group.ranks].some(({ item }) => named(item)))
    return "no published name matches a rated stimulus";
  return null;
}

export function compareGroup(
  group: PublishedGroup,
  kind: Kind,
  values: Table,
  tolerances: Tolerances,
): ComparedNumber[] {
  const { cells, misnamed, precision } = group;
  if (cells.length === 0) return [];
  const target = targetOf(group, kind, tolerances);
  const { misses, unpublished } = fitOf(target, values);
  const missed = new Set(misses);
  const rows = rowsOf(cells)(values.items);
  const numbers = cells.map(({ item, field, published: { value: published } }, i) => {
    const contrary = misnamed.get(item);
    const recomputed = tableNumber(values, item, field);
    if (!Number.isFinite(recomputed)) {
      const note =
        rows[i] === -1 ? "this item has no counted ratings" : "not defined for the counted ratings";
      return numberOf(group, { item, field, published, note, contrary });
    }
    const { nearness, ...compared } = compare(target, i, values, rows[i]!);
    const isSingle =
      precision[field]?.single !== undefined &&
      nearness === "equal" &&
      !equalAt(published, recomputed, unrounded);
    return numberOf(group, {
      item,
      field,
      published,
      recomputed,
      ...compared,
      nearness: missed.has(i) ? "apart" : nearness,
      note: isSingle ? "equal in single precision" : undefined,
      contrary,
    });
  });
  const main = mainField(kind);
  const note = "counted, but not published";
  return [
    ...numbers,
    ...unpublished.map((item) =>
      numberOf(group, { item, field: main, recomputed: tableNumber(values, item, main), note }),
    ),
  ];
}

export function compareSynonyms(group: PublishedGroup, values: Table): ComparedNumber[] {
  return group.synonyms.map(({ item, field, key, published: { value: published } }) => {
    const own = tableNumber(values, item, field);
    const recomputed = Number.isNaN(own) ? null : own;
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
  readonly values: Table;
}

/**
 * Compares ranks with the scores published with them, otherwise with the recomputed ones, in the
 * direction of the scale. Where that is unknown, they may follow in either, but all in one.
 * @param results of one scale
 */
export function compareRanks(
  results: readonly RankedResult[],
  direction: Direction,
): ComparedNumber[] {
  const ranksIn = (isLower: boolean): ComparedNumber[] =>
    results.flatMap((result) =>
      ranksOf(result, isLower && metricKind(result.kind).direction === "either"),
    );
  if (direction !== null) return ranksIn(direction === "lower");
  const [falling, rising] = [ranksIn(false), ranksIn(true)];
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
    values.items.flatMap((item) => {
      const value = tableNumber(values, item, field);
      return Number.isNaN(value) ? [] : [[item, value] as const];
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

function isTurned(own: ReadonlyMap<string, number>, recomputed: ReadonlyMap<string, number>) {
  const pairs = [...own].flatMap(([item, x]) => {
    const y = recomputed.get(item);
    return y === undefined ? [] : [[x, y] as const];
  });
  const middle = (side: 0 | 1) => sumOf(pairs.map((pair) => pair[side])) / pairs.length;
  const [meanX, meanY] = [middle(0), middle(1)];
  return sumOf(pairs.map(([x, y]) => (x - meanX) * (y - meanY))) < 0;
}

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
    .map(({ item, rank }) => ({
      item,
      rank,
      score: sign * scores.get(item)!,
      exact: sign * (exact.get(item) ?? NaN),
      better: 0,
    }));
  const base = ranked.some(({ rank }) => rank < 1) ? 0 : 1;
  const levels = [...groupsOf(ranked, ({ score }) => String(score)).values()];
  levels.sort(([a], [b]) => b.score - a.score);
  const judged = new Map<RankedItem, JudgedRank>();
  let above = 0;
  let last = -Infinity;
  let isOrdered = true;
  for (const [distinct, level] of levels.entries()) {
    const isTurned = isTurnedIn(level);
    for (const one of level) {
      const { item, rank, better } = one;
      const isWithin = rank >= base + distinct && rank < base + above + level.length;
      const follows = isWithin && !isTurned ? rank : base + above + better;
      judged.set(one, { item, rank, follows });
    }
    isOrdered &&= level.every(({ rank }) => rank > last);
    last = level.reduce((most, { rank }) => Math.max(most, rank), last);
    above += level.length;
  }
  return ranked.map((one) => {
    const { item, rank, follows } = judged.get(one)!;
    return { item, rank, follows: isPartial && isOrdered ? rank : follows };
  });
}

interface RankedItem {
  readonly rank: number;
  readonly exact: number;
  better: number;
}

/** Whether equal scores have ranks against the order of the exact ones, where these are known. */
function isTurnedIn(level: readonly RankedItem[]): boolean {
  const known = level.filter(({ exact }) => !Number.isNaN(exact));
  known.sort((a, b) => b.exact - a.exact);
  const isBetter = (a: RankedItem, b: RankedItem): boolean =>
    a.exact - b.exact > numericNoise * Math.max(1, Math.abs(a.exact));
  let better = 0;
  let highest = -Infinity;
  let isTurned = false;
  for (const one of known) {
    for (; isBetter(known[better]!, one); better++)
      highest = Math.max(highest, known[better]!.rank);
    one.better = better;
    isTurned ||= highest > one.rank;
  }
  return isTurned;
}

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
