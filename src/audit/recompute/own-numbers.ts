/** The recomputed numbers of a result. */
import {
  isOfInterval,
  kinds,
  metricKind,
  type Conventions,
  type Kind,
  type Table,
} from "../../metrics/index.js";
import { type Warehouse, textOf } from "../../warehouse/index.js";
import type { PublishedGroup } from "../read/cells.js";
import { resultKey, tableNumber } from "../result.js";
import type { EvaluatorOf } from "./evaluator.js";
import { ownScenario } from "./scenario.js";

/** By group, in columns: rows take two to eight times the time. */
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

export type TableOf = (group: PublishedGroup, kind: Kind) => Promise<Table>;

/** `recomputed`: by the models; what these lack, or draws decide, in memory. */
export function tablesFrom(
  recomputed: ReadonlyMap<string, Table>,
  conventions: Conventions,
  evaluatorOf: EvaluatorOf,
): TableOf {
  const isDrawn = conventions.stats.interval === "bootstrap";
  return async (group, kind) => {
    const values = recomputed.get(resultKey(group)) ?? { items: [], columns: {} };
    const isBeside = (field: string): boolean =>
      values.columns[field] === undefined || (isDrawn && isOfInterval(kind, field));
    if (values.items.length === 0 || !group.cells.some(({ field }) => isBeside(field)))
      return values;
    const { experiment_id, dimension, source } = group;
    const evaluator = await evaluatorOf(experiment_id);
    const table = evaluator.table(kind, ownScenario(conventions, dimension, source));
    const columns = Object.entries(table.columns).map(([field, column]) => [
      field,
      isBeside(field)
        ? column
        : Float64Array.from(table.items, (item) => tableNumber(values, item, field)),
    ]);
    return { ...table, columns: Object.fromEntries(columns) as Table["columns"] };
  };
}
