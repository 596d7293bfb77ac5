import { textOf, type Row, type Warehouse } from "../../../warehouse/index.js";
import { limits } from "../limits.js";
import type { PairTable } from "./report-data.js";
import { among, byId, capped, dimensionsOf } from "./rows.js";

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
  return (id) => dimensionsOf(own(id)).map((dimension) => tableOf(own(id), dimension));
}

function tableOf(rows: readonly Row[], dimension: string): PairTable {
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
