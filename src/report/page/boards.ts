import { attentionOf, type AuditReport, type AuditRow } from "../../audit/index.js";
import { isKind, kinds, mainField, metricKind, type Conventions, type Kind } from "../../metrics/index.js";
import { byPlace, groupsOf } from "../../platform/index.js";
import { textOf, type Row, type Warehouse } from "../../warehouse/index.js";
import { among, capped, grouped, numberOf } from "./rows.js";
import { limits } from "./html.js";

/** The numbers that a kind publishes for the whole experiment, in one dimension. */
export interface Board {
  readonly kind: Kind;
  readonly dimension: string;
  /** Its name in a sentence. */
  readonly title: string;
  /** The main field. */
  readonly field: string;
  /** Where these rows are published: the first is where they are taken from, the others have no other numbers. */
  readonly places: readonly [string, ...string[]];
  /** Whether it is the kind by which the experiment is ranked. */
  readonly isMain: boolean;
  readonly rows: readonly BoardRow[];
  /** Items that `rows` leaves out. */
  readonly more: number;
  /** What the intervals are; null if the kind has none. */
  readonly interval: string | null;
  /** Numbers of other fields: how many, and those that differ. */
  readonly others: { readonly numbers: number; readonly differing: readonly AuditRow[] };
}

export interface BoardRow {
  readonly row: AuditRow;
  readonly n: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Rank interval by the Bradley-Terry model over resampled raters; in the main board only, as the next. */
  readonly ranks: { readonly best: number; readonly worst: number } | null;
  /** Lowest and highest online Elo over random orders of the sessions. */
  readonly orders: { readonly low: number; readonly high: number } | null;
}

/** Published rankings of parts of an experiment beside each other, such as one for each job. */
export interface PartTable {
  readonly dimension: string;
  readonly kind: Kind;
  readonly items: readonly string[];
  /** What is published for the whole experiment, in the order of the items; empty if nothing is. */
  readonly whole: readonly (number | null)[];
  readonly columns: readonly PartColumn[];
  /** Jobs whose ranking is that of the whole experiment. */
  readonly repeats: readonly string[];
  /** What the table leaves out. */
  readonly more: { readonly items: number; readonly columns: number };
}

export interface PartColumn {
  /** The jobs; "" for another ranking of the whole experiment. */
  readonly source: string;
  readonly places: readonly string[];
  /** Every number that is published with these. */
  readonly all: readonly Pick<AuditRow, "verdict">[];
  /** Numbers of the main field, in the order of the table's items; null where an item is missing. */
  readonly rows: readonly (AuditRow | null)[];
}

type FindRow = (experiment: string, dimension: string, item: string) => Row | undefined;

async function lookup(warehouse: Warehouse, ids: readonly string[], sql: string): Promise<FindRow> {
  const rows = await warehouse.all(`select * from (${sql}) where ${among(ids)}`);
  const found = grouped(rows, (row) =>
    keyOf(textOf(row, "experiment_id"), textOf(row, "dimension"), textOf(row, "item")),
  );
  return (...key) => found(keyOf(...key))[0];
}

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

/** What the models know of items beside their published numbers. */
interface Beside {
  /** What the intervals of a kind are, and their ends as `low` and `high`. */
  readonly intervals: ReadonlyMap<Kind, { readonly says: string; readonly find: FindRow }>;
  readonly ranks: FindRow;
  readonly orders: FindRow;
}

async function lookUpBeside(
  warehouse: Warehouse,
  published: readonly Kind[],
  conventions: Conventions,
  ids: readonly string[],
): Promise<Beside> {
  const intervals = new Map<Kind, { says: string; find: FindRow }>();
  for (const kind of published) {
    const says = metricKind(kind).interval?.(conventions, conventions.stats.level);
    if (!says) continue;
    const sql = `select * from leaderboard where source = '' and kind = '${kind === "stats" ? "mean" : kind}'`;
    intervals.set(kind, { says, find: await lookup(warehouse, ids, sql) });
  }
  const ranks = await lookup(warehouse, ids, "select * from metric_bradley_terry_intervals where source = ''");
  const orders = await lookup(warehouse, ids, "select * from metric_elo_order where source = ''");
  return { intervals, ranks, orders };
}

/** The kinds by which items can be ranked, preferred first. */
const ranking = kinds.toSorted((a, b) => (metricKind(a).ranks ?? Infinity) - (metricKind(b).ranks ?? Infinity));

/** The boards of each experiment among `ids`: published numbers of the whole experiment with what is known beside them. */
export async function boardsOf(
  warehouse: Warehouse,
  { rows }: AuditReport,
  conventions: Conventions,
  ids: readonly string[],
): Promise<(experiment: string) => readonly Board[]> {
  const whole = rows.filter((row) => row.source === "" && isKind(row.kind) && ids.includes(row.experiment_id));
  const published = ranking.filter((kind) => whole.some((row) => row.kind === kind));
  const beside = await lookUpBeside(warehouse, published, conventions, ids);
  const ofExperiment = grouped(whole, (row) => row.experiment_id);
  return (id) =>
    [...groupsOf(ofExperiment(id), (row) => row.dimension).values()].flatMap((own) =>
      published
        .map((kind) => ({ kind, all: own.filter((row) => row.kind === kind) }))
        .filter(({ all }) => all.length > 0)
        .map(({ kind, all }, i) => boardOf(all, kind, i === 0, beside)),
    );
}

/** @param all the numbers of one kind and dimension, in every place */
function boardOf(all: readonly AuditRow[], kind: Kind, isMain: boolean, beside: Beside): Board {
  const field = mainField(kind);
  const [[place, own] = ["", []], ...copies] = [...groupsOf(all, (row) => row.published_in)].sort(([a], [b]) =>
    byPlace(a, b),
  );
  const interval = beside.intervals.get(kind);
  const counts = new Map(own.filter((row) => row.field === "n").map((row) => [row.item, row.recomputed]));
  const sorted = own
    .filter((row) => row.field === field)
    .toSorted((a, b) => (b.recomputed ?? b.published ?? -Infinity) - (a.recomputed ?? a.published ?? -Infinity));
  const { shown, more } = capped(sorted, limits.items);
  const others = own.filter((row) => row.field !== field);
  const numbers = new Map(sorted.map((row) => [row.item, row.published]));
  const repeats = copies.filter(([, rows]) =>
    rows.every((row) => row.field !== field || row.published === null || row.published === numbers.get(row.item)),
  );
  return {
    kind,
    title: metricKind(kind).title,
    field,
    isMain,
    more,
    places: [place, ...repeats.map(([name]) => name)],
    dimension: all[0]?.dimension ?? "",
    rows: shown.map((row) => boardRow(row, counts.get(row.item) ?? null, interval?.find, isMain ? beside : null)),
    interval: interval?.says ?? null,
    others: { numbers: others.length, differing: others.filter((row) => attentionOf(row.verdict) > 0) },
  };
}

/** @param beside what the main board shows of ranks and orders; null for the others */
function boardRow(
  row: AuditRow,
  n: number | null,
  interval: FindRow | undefined,
  beside: Pick<Beside, "ranks" | "orders"> | null,
): BoardRow {
  const key = [row.experiment_id, row.dimension, row.item] as const;
  const ends = interval?.(...key);
  const isPairwise = isKind(row.kind) && metricKind(row.kind).family === "pairwise";
  const [rank, order] = isPairwise ? [beside?.ranks(...key), beside?.orders(...key)] : [];
  const [best, worst] = [numberOf(rank, "rank_best"), numberOf(rank, "rank_worst")];
  const [low, high] = [numberOf(order, "min_elo"), numberOf(order, "max_elo")];
  return {
    row,
    n,
    low: numberOf(ends, "low"),
    high: numberOf(ends, "high"),
    ranks: best === null || worst === null ? null : { best, worst },
    orders: low === null || high === null ? null : { low, high },
  };
}

type RankingKey = Pick<PartTable, "dimension" | "kind">;

const boardIn = ({ dimension, kind }: RankingKey, boards: readonly Board[]): Board | undefined =>
  boards.find((board) => board.dimension === dimension && board.kind === kind);

/** A published ranking: the numbers of one dimension, source and place. */
interface Ranking extends RankingKey {
  readonly source: string;
  readonly places: readonly string[];
  readonly all: readonly AuditRow[];
  /** Of the main field. */
  readonly own: readonly AuditRow[];
}

/**
 * The published rankings that `boards` do not show: of jobs, and of lists with other numbers for the whole experiment. Each
 * is shown by the preferred one of its kinds.
 */
export function partTablesOf({ rows }: AuditReport): (experiment: string, boards: readonly Board[]) => PartTable[] {
  const ofExperiment = grouped(rows, (row) => row.experiment_id);
  return (id, boards) => {
    const rankings = new Map<string, Ranking>();
    for (const all of groupsOf(ofExperiment(id), rankingKey).values()) {
      const [{ dimension, source, published_in }] = all;
      const kind = ranking.find((each) => all.some((row) => row.kind === each && row.field === mainField(each)));
      if (kind === undefined) continue;
      if (source === "" && boardIn({ dimension, kind }, boards)?.places.includes(published_in)) continue;
      const own = all.filter((row) => row.kind === kind && row.field === mainField(kind));
      const key = JSON.stringify([dimension, kind, source, own.map(({ item, published }) => [item, published])]);
      const same = rankings.get(key);
      rankings.set(key, {
        dimension,
        kind,
        source,
        own,
        places: [...(same?.places ?? []), published_in],
        all: [...(same?.all ?? []), ...all],
      });
    }
    const tables = groupsOf([...rankings.values()], ({ dimension, kind }) => JSON.stringify([dimension, kind]));
    return [...tables.values()].map((own) => partTableOf(own, boardIn(own[0], boards)));
  };
}

const rankingKey = ({ dimension, source, published_in }: AuditRow): string =>
  JSON.stringify([dimension, source, published_in]);

const urgency = ({ all }: Ranking): number => Math.max(...all.map(({ verdict }) => attentionOf(verdict)));

/** The most urgent rankings first. Items in the order of the whole experiment, then in that of the first ranking that has them. */
function partTableOf(all: readonly [Ranking, ...Ranking[]], board: Board | undefined): PartTable {
  const [{ dimension, kind }] = all;
  const whole = new Map((board?.rows ?? []).map(({ row }) => [row.item, row.published]));
  const isRepeat = ({ source, own }: Ranking): boolean =>
    source !== "" && own.length === whole.size && own.every((row) => row.published === whole.get(row.item));
  const columns = capped(
    all.filter((one) => !isRepeat(one)).toSorted((a, b) => urgency(b) - urgency(a)),
    limits.parts,
  );
  const best = columns.shown.flatMap(({ own }) =>
    own.toSorted((a, b) => (b.published ?? -Infinity) - (a.published ?? -Infinity)).map(({ item }) => item),
  );
  const has = new Set(best);
  const items = capped([...new Set([...[...whole.keys()].filter((item) => has.has(item)), ...best])], limits.items);
  return {
    dimension,
    kind,
    items: items.shown,
    whole: board === undefined ? [] : items.shown.map((item) => whole.get(item) ?? null),
    columns: columns.shown.map(({ source, places, all: numbers, own }) => {
      const rows = new Map(own.map((row) => [row.item, row]));
      return {
        source,
        places,
        all: numbers.map(({ verdict }) => ({ verdict })),
        rows: items.shown.map((item) => rows.get(item) ?? null),
      };
    }),
    repeats: all.filter(isRepeat).map(({ source }) => source),
    more: { items: items.more, columns: columns.more },
  };
}
