import { onlineElo, type EloConvention, type OrderedComparisons } from "../../metrics/index.js";
import { text, textOf, type Row, type Warehouse } from "../../warehouse/index.js";
import { among, byId, capped, dimensionsOf, grouped, numberOf } from "./rows.js";
import { limits } from "./html.js";

/** Online Elo of an experiment after its sessions, in service order (metrics.md, "Terms"), by dimension. */
export async function historiesOf(warehouse: Warehouse, id: string, convention: EloConvention) {
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

export type SessionHistory = ReturnType<typeof historyOf>;

/** After some of the sessions, in service order. `ratings[i][k]`: of item i after `sessions[k]`. */
function historyOf(
  dimension: string,
  names: readonly string[],
  { a, b, outcome, session }: OrderedComparisons,
  convention: EloConvention,
) {
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
    rating = Float64Array.from(onlineElo(names.length, games, convention, rating).rating);
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

/** The win matrices of each experiment among `ids`, items in the order of the ranking, the others by their share won. */
export async function pairTablesOf(
  warehouse: Warehouse,
  ids: readonly string[],
  orderOf: (id: string, dimension: string) => readonly string[],
) {
  const rows = await warehouse.all(
    `select experiment_id, dimension, item_a, item_b, wins_a, wins_b, ties from int_pair_counts
     where source = '' and ${among(ids)} order by all`,
  );
  const own = byId(rows);
  return (id: string) =>
    dimensionsOf(own(id)).map((dimension) => pairTableOf(own(id), dimension, orderOf(id, dimension)));
}

export type PairTable = ReturnType<typeof pairTableOf>;

/** Comparisons of each pair of items. `share[i][j]`: percent of them that item i won, ties as half. */
function pairTableOf(rows: readonly Row[], dimension: string, order: readonly string[]) {
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
  const places = new Map(order.map((item, i) => [item, i]));
  const place = (item: string): number => places.get(item) ?? order.length;
  const sorted = [...won.keys()].sort((a, b) => place(a) - place(b) || shareOfAll(b) - shareOfAll(a));
  const { shown: items, more } = capped(sorted, limits.pairedItems);
  const n = items.map((a) => items.map((b) => points(a, b) + points(b, a)));
  const share = items.map((a, i) =>
    items.map((b, j) => ((n[i]?.[j] ?? 0) === 0 ? null : (100 * points(a, b)) / (n[i]?.[j] ?? 1))),
  );
  return { dimension, items, share, n, more };
}

/** How the scores of each experiment among `ids` are distributed; nothing for experiments of comparisons. */
export async function scoreTablesOf(warehouse: Warehouse, ids: readonly string[]) {
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
  return (id: string) => dimensionsOf(own(id)).map((dimension) => scoreTableOf(own(id), ownMeans(id), dimension));
}

export type ScoreTable = ReturnType<typeof scoreTableOf>;

/** Distinct scores (`width` 0), or the lower ends of equal bins, and how often each item was given them. */
function scoreTableOf(all: readonly Row[], allMeans: readonly Row[], dimension: string) {
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
