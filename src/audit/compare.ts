import type { GroupKey, PublishedGroup, ItemNames } from "./published/cells.js";
import { equalAt, unrounded, halfWidthAt, numericNoise, type Precision } from "./published/precision.js";
import type { Verdict } from "./verdict.js";
import { fieldsOf, kinds, metricKind, isKind, mainField, smallestCount, type Kind, isCount } from "../metrics/index.js";
import { textOf, type Warehouse, type Row } from "../warehouse/index.js";
import { byPlace, byText, counted } from "../platform/index.js";
import { type Tolerances, allowance } from "./settings.js";

/** One published number and the recomputed one. Null: one side has no such number. */
export interface AuditRow extends GroupKey {
  readonly item: string;
  readonly field: string;
  readonly published: number | null;
  /** Under the run's own conventions, even if another convention explains the number. */
  readonly recomputed: number | null;
  /** published - recomputed. */
  readonly difference: number | null;
  /** Declared for the kind, beyond the rounding of the published number. */
  readonly tolerance: number | null;
  readonly verdict: Verdict;
  readonly explanation: string | null;
  /** What the explanation of the result gives, also where the number does not follow from it; null without one. */
  readonly under_explanation: number | null;
  /** published - under_explanation. */
  readonly remaining: number | null;
  /** How many published numbers a row without an item stands for; absent: one. */
  readonly numbers?: number;
}

/** The numbers of one kind, dimension and source. */
export interface RecomputedValues {
  /** In the order of the kind's model. */
  readonly items: ReadonlyMap<string, unknown>;
  /** The number of a field as the audit names it; undefined if there is none. */
  readonly get: (item: string, field: string) => number | undefined;
}

export const noValues: RecomputedValues = { items: new Map(), get: () => undefined };

export function groupId({
  experiment_id,
  kind,
  dimension,
  source,
}: Omit<GroupKey, "experiment_name" | "published_in">): string {
  return JSON.stringify([experiment_id, kind, dimension, source]);
}

/**
 * Every number that sql/ recomputed under the run's conventions, by group: what audit_recomputed holds, read from the
 * models of the kinds as columns: a row for each item takes twice the time, one for each number eight times.
 */
export async function readRecomputed(warehouse: Warehouse): Promise<Map<string, RecomputedValues>> {
  const groups = new Map<string, RecomputedValues>();
  for (const kind of kinds) {
    const { model, columns: fields = {} } = metricKind(kind);
    const numbers = await warehouse.columns(`
      select
        coalesce(
          cast(columns(name -> name not in ('experiment_id', 'dimension', 'source', 'item', 'component')) as double),
          'nan'
        )
      from ${model}
      order by experiment_id, dimension, source, item`);
    const lists = await warehouse.all(`
      select experiment_id, dimension, source, cast(to_json(list(item order by item)) as varchar) as items
      from ${model}
      group by experiment_id, dimension, source
      order by experiment_id, dimension, source`);
    const columnOf = new Map(Object.entries(numbers).map(([column, values]) => [fields[column] ?? column, values]));
    let from = 0;
    for (const row of lists) {
      const listed = JSON.parse(textOf(row, "items")) as (string | null)[];
      const first = from;
      const items = new Map(listed.map((item, i) => [item ?? "", first + i]));
      from += listed.length;
      const key = { experiment_id: textOf(row, "experiment_id"), dimension: textOf(row, "dimension") };
      groups.set(groupId({ ...key, kind, source: textOf(row, "source") }), {
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

/** A row of a result; what is not given has no value. */
function row(
  { experiment_id, experiment_name, kind, dimension, source, published_in }: GroupKey,
  own: Pick<AuditRow, "item" | "field" | "verdict"> & Partial<AuditRow>,
): AuditRow {
  // Field by field: a spread takes twice as long, and an audit has hundreds of thousands of rows.
  return {
    experiment_id,
    experiment_name,
    kind,
    dimension,
    source,
    published_in,
    item: own.item,
    field: own.field,
    published: own.published ?? null,
    recomputed: own.recomputed ?? null,
    difference: own.difference ?? null,
    tolerance: own.tolerance ?? null,
    verdict: own.verdict,
    explanation: own.explanation ?? null,
    under_explanation: null,
    remaining: null,
  };
}

/** A row that is about no number of its own, but may stand for several. */
export const noteRow = (
  key: GroupKey,
  { numbers, ...own }: Pick<AuditRow, "field" | "verdict" | "explanation" | "numbers">,
): AuditRow => ({ ...row(key, { item: "", ...own }), ...(numbers === undefined ? {} : { numbers }) });

/** A single row with the reason why a whole result could not be audited. */
export const notAuditable = (key: GroupKey, explanation: string): AuditRow[] => [
  row(key, { item: "", field: "", verdict: "not_auditable", explanation }),
];

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
  if (names.size === 0) return `the snapshot holds no ratings of this experiment${grim(group, group.kind)}`;
  const named = (item: string): boolean => names.has(item) || itemOfId.has(item) || values.items.has(item);
  if (![...group.cells, ...group.ranks].some(({ item }) => named(item)))
    return "no published name matches a rated stimulus";
  return null;
}

/** Kinds whose numbers are means of whole numbers if scores are, or shares. */
const meansOfWholes: ReadonlySet<Kind> = new Set(["mean", "stats", "percent_chosen", "percent_approved"]);

/** The fewest whole scores that could give numbers without ratings. */
function grim({ cells, precision }: PublishedGroup, kind: Kind): string {
  const field = mainField(kind);
  const own = cells.flatMap((cell) => (cell.field === field ? [cell.published.value] : []));
  if (!meansOfWholes.has(kind) || own.length === 0) return "";
  const unit = kind.startsWith("percent") && own.some((value) => Math.abs(value) > 1) ? 100 : 1;
  const n = smallestCount(own, unit, (value) => halfWidthAt(precision[field] ?? unrounded, value));
  const numbers = counted(own.length, "number");
  return n === null
    ? `; no count of whole scores up to 100,000 gives its ${numbers}`
    : `; if scores are whole, its ${numbers} need at least ${n} each`;
}

/** Compares number by number, then adds the items that were recomputed but not published. */
export function compareGroup(
  group: PublishedGroup,
  kind: Kind,
  values: RecomputedValues,
  tolerances: Tolerances,
): AuditRow[] {
  if (group.cells.length === 0) return [];
  const main = mainField(kind);
  const rows: AuditRow[] = group.cells.map(({ item, field, published: { value: published } }) => {
    const recomputed = values.get(item, field);
    if (recomputed === undefined || !Number.isFinite(recomputed)) {
      const explanation = values.items.has(item)
        ? "not defined for the counted ratings"
        : "this item has no counted ratings";
      return row(group, { item, field, published, verdict: "unexplained", explanation });
    }
    const precision = group.precision[field] ?? unrounded;
    const compared = compare(kind, field, published, recomputed, precision, tolerances, values.get(item, main));
    const isSingle =
      precision.single !== undefined && compared.verdict === "exact" && !equalAt(published, recomputed, unrounded);
    const { difference, tolerance, verdict } = compared;
    const explanation = isSingle ? "equal in single precision" : null;
    return row(group, { item, field, published, recomputed, difference, tolerance, verdict, explanation });
  });
  const published = new Set(group.cells.map((cell) => cell.item));
  for (const item of values.items.keys()) {
    if (published.has(item) || group.isPartial) continue;
    const recomputed = values.get(item, main) ?? null;
    rows.push(
      row(group, { item, field: main, recomputed, verdict: "unexplained", explanation: "counted, but not published" }),
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
    return row(group, { item, field: key, published, recomputed, difference, verdict: "unexplained", explanation });
  });
}

/** A result that publishes ranks. */
export interface RankedResult {
  readonly group: PublishedGroup;
  readonly kind: Kind;
  readonly values: RecomputedValues;
}

/**
 * Compares the published ranks of one experiment with the scores published with them, otherwise with the recomputed
 * ones. Where the lowest score may be the best (a scale of impairment), the direction with fewer contradictions counts,
 * for all of its results.
 */
export function rankRows(results: readonly RankedResult[]): AuditRow[] {
  const [upright, either] = [false, true].map((wanted) =>
    results.filter(({ kind }) => (metricKind(kind).direction === "either") === wanted),
  ) as [RankedResult[], RankedResult[]];
  const falling = either.flatMap((result) => rankRowsOf(result, false));
  const rising = either.flatMap((result) => rankRowsOf(result, true));
  const wrong = (rows: readonly AuditRow[]): number => rows.filter(({ verdict }) => verdict === "unexplained").length;
  return [
    ...upright.flatMap((result) => rankRowsOf(result, false)),
    ...(wrong(rising) < wrong(falling) ? rising : falling),
  ];
}

function rankRowsOf({ group, kind, values }: RankedResult, isRising: boolean): AuditRow[] {
  const field = mainField(kind);
  const precision = group.precision[field] ?? unrounded;
  const own = new Map(
    group.cells.filter((cell) => cell.field === field).map((cell) => [cell.item, cell.published.value]),
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
  const exact = [...recomputed].filter(([item, value]) => equalAt(own.get(item) ?? NaN, value, precision));
  const judged = judgeRanks(group.ranks, scores, { isPartial: group.isPartial, isRising, exact: new Map(exact) });
  const whose = isOwn ? "scores published with it" : "recomputed scores";
  const rows = judged.map(({ item, rank, follows }) =>
    row(group, {
      item,
      field: "rank",
      published: rank,
      recomputed: follows,
      difference: rank - follows,
      tolerance: 0,
      verdict: rank === follows ? "exact" : "unexplained",
      explanation: rank === follows ? null : `the rank contradicts the ${whose}`,
    }),
  );
  const unscored = group.ranks.filter(({ item }) => !scores.has(item));
  const explanation = `ranked, but has no ${isOwn ? "published score" : "counted ratings"}`;
  return [
    ...rows,
    ...unscored.map(({ item, rank }) =>
      row(group, { item, field: "rank", published: rank, verdict: "not_auditable", explanation }),
    ),
  ];
}

/** Rows in a fixed order: experiment, kind, dimension, source, place, item, field as defined. */
export function sortRows(rows: readonly AuditRow[]): AuditRow[] {
  const kindRank = (kind: string): number => (kinds as readonly string[]).indexOf(kind) >>> 0;
  const fieldRank = (kind: string, field: string): number => (isKind(kind) ? fieldsOf(kind).indexOf(field) : 0);
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

export interface Compared {
  readonly difference: number;
  readonly tolerance: number;
  readonly verdict: "exact" | "within_tolerance" | "unexplained";
}

/**
 * Compares two numbers: equal at the published precision, within the declared tolerance, or neither. `centre`: the item's
 * recomputed main value.
 */
export function compare(
  kind: Kind,
  field: string,
  published: number,
  recomputed: number,
  precision: Precision,
  tolerances: Tolerances,
  centre?: number,
): Compared {
  const difference = published - recomputed;
  const isInteger = isCount(kind, field) && Number.isInteger(recomputed);
  const tolerance = allowance(tolerances, kind, field, recomputed, centre);
  if (
    equalAt(published, recomputed, isInteger ? { decimals: 0, halfWidth: 0 } : precision, isInteger ? 0 : numericNoise)
  ) {
    return { difference, tolerance, verdict: "exact" };
  }
  const bound = tolerance + (isInteger ? 0 : halfWidthAt(precision, published));
  return { difference, tolerance, verdict: Math.abs(difference) <= bound ? "within_tolerance" : "unexplained" };
}

/** A published rank and the one that the scores give. */
interface JudgedRank {
  readonly item: string;
  readonly rank: number;
  /** The nearest rank that the scores allow. */
  readonly follows: number;
}

type Ranks = readonly { readonly item: string; readonly rank: number }[];

/**
 * Compares ranks with `scores` (item to score). Items with equal scores may share a rank, or divide it in the order of
 * their `exact` scores; after a tie ranks may continue with the next number or skip as many as are tied; they may start
 * at 0 or 1. If items may be missing (`isPartial`), ranks may have gaps.
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
  /** Whether an item is better than one with the same published score. */
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
      (other) => (other.rank > rank && isBetter(other.item, item)) || (other.rank < rank && isBetter(item, other.item)),
    );
    if (rank >= least && rank <= most && !isTurned) return { item, rank, follows: rank };
    return { item, rank, follows: base + above.length + level.filter((other) => isBetter(other.item, item)).length };
  });
  const isOrdered = ranked.every((a) => ranked.every((b) => a.score <= b.score || a.rank < b.rank));
  return isPartial && isOrdered ? judged.map((j) => ({ ...j, follows: j.rank })) : judged;
}

/** Why a pairwise result has nothing to be compared with; undefined if it has, or if no slate is counted at all. */
export type Uncompared = (key: Pick<GroupKey, "experiment_id" | "dimension" | "kind">) => string | undefined;

const keyOf = (experiment: string, dimension: string): string => JSON.stringify([experiment, dimension]);

function sentence(row: Row): string {
  const all = Number(row.slates) === 1 ? `the only one has ${textOf(row, "reason")}` : `all ${textOf(row, "each")}`;
  return `no slate is a comparison: ${Number(row.reasons) === 1 ? all : textOf(row, "each")}`;
}

/** Reads the experiments and dimensions of which no slate is a comparison. */
export async function readUncompared(warehouse: Warehouse): Promise<Uncompared> {
  const rows = await warehouse.all(`
    select
      experiment_id, dimension,
      count(*) as reasons,
      sum(slates) as slates,
      min(skip_reason) as reason,
      string_agg(slates || if(slates = 1, ' has ', ' have ') || skip_reason, ', ' order by slates desc, skip_reason) as each
    from audit_slates
    group by experiment_id, dimension
    having not bool_or(skip_reason = '')`);
  const said = new Map(
    rows.map((row) => [keyOf(textOf(row, "experiment_id"), textOf(row, "dimension")), sentence(row)]),
  );
  return ({ experiment_id, dimension, kind }) =>
    isKind(kind) && metricKind(kind).family === "pairwise" ? said.get(keyOf(experiment_id, dimension)) : undefined;
}

/** The numbers of one result; if it has nothing to be compared with and no convention explains any, they say so. */
export function uncomparedAs(rows: readonly AuditRow[], uncompared: Uncompared): readonly AuditRow[] {
  const [first] = rows;
  const explanation = first === undefined ? undefined : uncompared(first);
  if (explanation === undefined || rows.some(({ verdict }) => verdict !== "unexplained")) return rows;
  return rows.map((row) => ({ ...row, verdict: "not_auditable", explanation }));
}
