import { attentionOf, type AuditReport, type AuditRow } from "../../audit/index.js";
import {
  isKind,
  kinds,
  mainField,
  metricKind,
  type Conventions,
  type Kind,
  onlineElo,
  type EloConvention,
  type OrderedComparisons,
} from "../../metrics/index.js";
import { byPlace, groupsOf } from "../../platform/index.js";
import { textOf, type Row, type Warehouse, text } from "../../warehouse/index.js";
import { among, byId, capped, dimensionsOf, grouped, numberOf } from "./rows.js";
import type { Board, BoardRow, SessionHistory, PairTable, ScoreTable, PartTable } from "./report-data.js";
import { limits } from "./html.js";

type FindRow = (experiment: string, dimension: string, item: string) => Row | undefined;

async function lookup(warehouse: Warehouse, ids: readonly string[], sql: string): Promise<FindRow> {
  const rows = await warehouse.all(`select * from (${sql}) where ${among(ids)}`);
  const found = grouped(rows, (row) =>
    keyOf(textOf(row, "experiment_id"), textOf(row, "dimension"), textOf(row, "item")),
  );
  return (...key) => found(keyOf(...key))[0];
}

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

/** The boards of each experiment among `ids`: published numbers of the whole experiment with what is known beside them. */
export async function boardsOf(
  warehouse: Warehouse,
  { rows }: AuditReport,
  conventions: Conventions,
  ids: readonly string[],
): Promise<(experiment: string) => readonly Board[]> {
  const whole = rows.filter((row) => row.source === "" && isKind(row.kind) && ids.includes(row.experiment_id));
  const published = kinds.filter((kind) => whole.some((row) => row.kind === kind));
  const intervals = new Map<Kind, { says: string; find: FindRow }>();
  for (const kind of published) {
    const source = metricKind(kind).interval?.(conventions, conventions.stats.level);
    if (!source) continue;
    const { says, model, low, high } = source;
    const sql = `select experiment_id, dimension, item, ${low} as low, ${high} as high from ${model} where source = ''`;
    intervals.set(kind, { says, find: await lookup(warehouse, ids, sql) });
  }
  const ranks = await lookup(warehouse, ids, "select * from metric_bradley_terry where source = ''");
  const orders = await lookup(warehouse, ids, "select * from metric_elo_order where source = ''");

  function boardOf(all: readonly AuditRow[], kind: Kind, isMain: boolean): Board {
    const field = mainField(kind);
    const [[place, own] = ["", []], ...copies] = [...groupsOf(all, (row) => row.published_in)].sort(([a], [b]) =>
      byPlace(a, b),
    );
    const interval = intervals.get(kind);
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
      field,
      isMain,
      more,
      places: [place, ...repeats.map(([name]) => name)],
      dimension: all[0]?.dimension ?? "",
      rows: shown.map((row) => boardRow(row, counts.get(row.item) ?? null, interval?.find, isMain)),
      interval: interval?.says ?? null,
      others: { numbers: others.length, differing: others.filter((row) => attentionOf(row.verdict) > 0) },
    };
  }

  function boardRow(row: AuditRow, n: number | null, interval: FindRow | undefined, isMain: boolean): BoardRow {
    const key = [row.experiment_id, row.dimension, row.item] as const;
    const ends = interval?.(...key);
    const isPairwise = isKind(row.kind) && metricKind(row.kind).family === "pairwise";
    const [rank, order] = isMain && isPairwise ? [ranks(...key), orders(...key)] : [];
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

  const ofExperiment = grouped(whole, (row) => row.experiment_id);
  return (id) => {
    const own = ofExperiment(id);
    const dimensions = [...new Set(own.map((row) => row.dimension))];
    return dimensions.flatMap((dimension) => {
      const here = published.filter((kind) => own.some((row) => row.kind === kind && row.dimension === dimension));
      const main = here.toSorted((a, b) => (metricKind(a).ranks ?? Infinity) - (metricKind(b).ranks ?? Infinity));
      return main.map((kind, i) =>
        boardOf(
          own.filter((row) => row.kind === kind && row.dimension === dimension),
          kind,
          i === 0,
        ),
      );
    });
  };
}

/** Online Elo of an experiment after its sessions, in service order (metrics.md, "Terms"), by dimension. */
export async function historiesOf(
  warehouse: Warehouse,
  id: string,
  convention: EloConvention,
): Promise<SessionHistory[]> {
  const groups = await warehouse.all(
    "select dimension from int_groups where source = '' and experiment_id = $1 order by dimension",
    [id],
  );
  const items = (
    await warehouse.all("select item_id, item from int_items where experiment_id = $1 order by item_id", [id])
  ).map((row) => ({ id: Number(row.item_id), item: textOf(row, "item") }));
  const histories: SessionHistory[] = [];
  for (const group of groups) {
    const dimension = textOf(group, "dimension");
    const games = await warehouse.columns(`
      select a.item_id - ${items[0]?.id ?? 0} as a, b.item_id - ${items[0]?.id ?? 0} as b, c.outcome,
        coalesce(c.service_rank, last_rank()) as session
      from int_comparisons as c
      join int_items as a on a.experiment_id = c.experiment_id and a.item = c.item_a
      join int_items as b on b.experiment_id = c.experiment_id and b.item = c.item_b
      where c.experiment_id = ${text(id)} and c.dimension = ${text(dimension)}
      order by c.service_rank nulls last, c.updated_at nulls last, c.slate_id`);
    histories.push(
      historyOf(
        dimension,
        items.map(({ item }) => item),
        games as unknown as OrderedComparisons,
        convention,
      ),
    );
  }
  return histories;
}

function historyOf(
  dimension: string,
  names: readonly string[],
  { a, b, outcome, session }: OrderedComparisons,
  convention: EloConvention,
): SessionHistory {
  const ends = [...session.keys()].filter((i) => session[i] !== session[i + 1]).map((i) => i + 1);
  const wanted = Math.min(limits.points, ends.length);
  const chosen = Array.from({ length: wanted }, (_, k) => Math.ceil(((k + 1) * ends.length) / wanted));
  const ratings: number[][] = [];
  let at = 0;
  let rating = new Float64Array(names.length).fill(convention.start);
  const played = new Set<number>();
  for (const count of chosen) {
    const end = ends[count - 1] ?? at;
    const cut = [a, b, outcome, session].map((column) => column.subarray(at, end));
    const [left, right] = cut as [Int32Array, Int32Array];
    const games = { a: left, b: right, outcome: cut[2] as Int8Array, session: cut[3] as Int32Array };
    rating = Float64Array.from(onlineElo(names.length, games, convention, { initial: rating }).rating);
    for (const item of [...left, ...right]) played.add(item);
    ratings.push([...rating]);
    at = end;
  }
  const last = ratings.at(-1) ?? [];
  const sorted = [...played].sort((i, j) => (last[j] ?? 0) - (last[i] ?? 0) || i - j);
  const { shown, more } = capped(sorted, limits.lines);
  return {
    dimension,
    sessions: [0, ...chosen],
    items: shown.map((i) => names[i] ?? ""),
    ratings: shown.map((i) => [convention.start, ...ratings.map((each) => each[i] ?? NaN)]),
    more,
  };
}

/** The win matrices of each experiment among `ids`, best items first. */
export async function pairTablesOf(
  warehouse: Warehouse,
  ids: readonly string[],
): Promise<(experiment: string) => readonly PairTable[]> {
  const rows = await warehouse.all(
    `select experiment_id, dimension, item_a, item_b, wins_a, wins_b, ties from int_pair_counts
     where source = '' and ${among(ids)} order by all`,
  );
  const own = byId(rows);
  return (id) => dimensionsOf(own(id)).map((dimension) => pairTableOf(own(id), dimension));
}

function pairTableOf(rows: readonly Row[], dimension: string): PairTable {
  const won = new Map<string, Map<string, number>>();
  const add = (winner: string, loser: string, points: number): void => {
    const of = won.get(winner) ?? new Map<string, number>();
    won.set(winner, of.set(loser, points));
  };
  for (const row of rows.filter((each) => textOf(each, "dimension") === dimension)) {
    const [a, b, half] = [textOf(row, "item_a"), textOf(row, "item_b"), Number(row.ties) / 2];
    add(a, b, Number(row.wins_a) + half);
    add(b, a, Number(row.wins_b) + half);
  }
  const points = (a: string, b: string): number => won.get(a)?.get(b) ?? 0;
  const shareOfAll = (item: string): number => {
    const others = [...(won.get(item)?.keys() ?? [])];
    const gained = others.reduce((sum, other) => sum + points(item, other), 0);
    return gained / others.reduce((sum, other) => sum + points(item, other) + points(other, item), 0);
  };
  const sorted = [...won.keys()].sort((a, b) => shareOfAll(b) - shareOfAll(a));
  const { shown: items, more } = capped(sorted, limits.pairedItems);
  const n = items.map((a) => items.map((b) => points(a, b) + points(b, a)));
  const share = items.map((a, i) =>
    items.map((b, j) => ((n[i]?.[j] ?? 0) === 0 ? null : (100 * points(a, b)) / (n[i]?.[j] ?? 1))),
  );
  return { dimension, items, share, n, more };
}

/** How the scores of each experiment among `ids` are distributed; nothing for experiments of comparisons. */
export async function scoreTablesOf(
  warehouse: Warehouse,
  ids: readonly string[],
): Promise<(experiment: string) => readonly ScoreTable[]> {
  const counts = await warehouse.all(
    `select experiment_id, dimension, item, score, n from int_score_counts
     where source = '' and item is not null and ${among(ids)}
       and experiment_id not in (select experiment_id from int_groups) order by all`,
  );
  const means = await warehouse.all(
    `select experiment_id, dimension, item, mean, clustered_ci_low, clustered_ci_high
     from metric_stats_clustered where source = '' and ${among(ids)}`,
  );
  const [own, ownMeans] = [byId(counts), byId(means)];
  return (id) => dimensionsOf(own(id)).map((dimension) => scoreTableOf(own(id), ownMeans(id), dimension));
}

function scoreTableOf(all: readonly Row[], allMeans: readonly Row[], dimension: string): ScoreTable {
  const rows = all.filter((row) => textOf(row, "dimension") === dimension);
  const means = grouped(
    allMeans.filter((row) => textOf(row, "dimension") === dimension),
    (row) => textOf(row, "item"),
  );
  const { scores, width, binOf } = binsOf([...new Set(rows.map((row) => Number(row.score)))].sort((a, b) => a - b));
  const ofItem = grouped(rows, (row) => textOf(row, "item"));
  const items = [...new Set(rows.map((row) => textOf(row, "item")))].map((item) => {
    const binned = scores.map(() => 0);
    for (const row of ofItem(item)) {
      const bin = binOf(Number(row.score));
      binned[bin] = (binned[bin] ?? 0) + Number(row.n);
    }
    const [mean] = means(item);
    return {
      item,
      counts: binned,
      n: binned.reduce((sum, n) => sum + n, 0),
      mean: numberOf(mean, "mean"),
      low: numberOf(mean, "clustered_ci_low"),
      high: numberOf(mean, "clustered_ci_high"),
    };
  });
  const { shown, more } = capped(
    items.toSorted((a, b) => (b.mean ?? -Infinity) - (a.mean ?? -Infinity)),
    limits.items,
  );
  return { dimension, scores, width, items: shown, more };
}

/** Distinct scores as they are, many of them in equal bins. */
function binsOf(distinct: readonly number[]) {
  if (distinct.length <= 11) return { scores: distinct, width: 0, binOf: (score: number) => distinct.indexOf(score) };
  const [low, high] = [distinct[0] ?? 0, distinct.at(-1) ?? 0];
  const width = (high - low) / limits.scores;
  const scores = Array.from({ length: limits.scores }, (_, i) => low + i * width);
  return { scores, width, binOf: (score: number) => Math.min(limits.scores - 1, Math.floor((score - low) / width)) };
}

/** The kinds by which items can be ranked, preferred first. */
const ranking = kinds.toSorted((a, b) => (metricKind(a).ranks ?? Infinity) - (metricKind(b).ranks ?? Infinity));

type RankingKey = Pick<PartTable, "dimension" | "kind">;

const boardOf = ({ dimension, kind }: RankingKey, boards: readonly Board[]): Board | undefined =>
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
      if (source === "" && boardOf({ dimension, kind }, boards)?.places.includes(published_in)) continue;
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
    return [...tables.values()].map((own) => partTableOf(own, boardOf(own[0], boards)));
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
