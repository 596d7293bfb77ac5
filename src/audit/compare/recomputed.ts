import { kinds, metricKind } from "../../metrics/index.js";
import { textOf, type Warehouse } from "../../warehouse/index.js";
import type { GroupKey } from "../published/index.js";

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
    const numbers = await warehouse.columns(`
      select
        coalesce(
          cast(columns(name -> name not in ('experiment_id', 'dimension', 'source', 'item', 'component')) as double),
          'nan'
        )
      from metric_${kind}
      order by experiment_id, dimension, source, item`);
    const lists = await warehouse.all(`
      select experiment_id, dimension, source, cast(to_json(list(item order by item)) as varchar) as items
      from metric_${kind}
      group by experiment_id, dimension, source
      order by experiment_id, dimension, source`);
    const { columns: fields = {} } = metricKind(kind);
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
