import { onlineElo, type EloConvention, type OrderedComparisons } from "../../../metrics/index.js";
import { text, textOf, type Warehouse } from "../../../warehouse/index.js";
import { limits } from "../limits.js";
import type { EloHistory } from "./report-data.js";
import { capped } from "./rows.js";

/** Online Elo of an experiment after its sessions, in service order (metrics.md, "Terms"), by dimension. */
export async function historiesOf(warehouse: Warehouse, id: string, convention: EloConvention): Promise<EloHistory[]> {
  const groups = await warehouse.all(
    "select dimension from int_groups where source = '' and experiment_id = $1 order by dimension",
    [id],
  );
  const items = (
    await warehouse.all("select item_id, item from int_items where experiment_id = $1 order by item_id", [id])
  ).map((row) => ({ id: Number(row.item_id), item: textOf(row, "item") }));
  const histories: EloHistory[] = [];
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
): EloHistory {
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
