import { kinds, metricKind } from "../../metrics/index.js";
import { textOf, type Row, type Warehouse } from "../../warehouse/index.js";
import type { GroupKey } from "../published/index.js";

/** The numbers of one kind, dimension and source. */
export interface RecomputedValues {
  /** By item, the row of the kind's model. */
  readonly rows: ReadonlyMap<string, Row>;
  /** The number of a field as the audit names it; undefined if there is none. */
  readonly get: (item: string, field: string) => number | undefined;
}

export const noValues: RecomputedValues = { rows: new Map(), get: () => undefined };

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
 * models of the kinds. A row for each item takes a quarter of the time of one for each number.
 */
export async function readRecomputed(warehouse: Warehouse): Promise<Map<string, RecomputedValues>> {
  const groups = new Map<string, RecomputedValues>();
  for (const kind of kinds) {
    const rows = await warehouse.all(`
      select
        experiment_id, dimension, source, item,
        cast(columns(name -> name not in ('experiment_id', 'dimension', 'source', 'item', 'component')) as double)
      from metric_${kind}
      order by experiment_id, dimension, source, item`);
    const columns = new Map(Object.entries(metricKind(kind).columns ?? {}).map(([column, field]) => [field, column]));
    let previous: Row = {};
    let items = new Map<string, Row>();
    for (const row of rows) {
      if (!isSameGroup(row, previous)) {
        const own = new Map<string, Row>();
        items = own;
        const id = groupId({
          experiment_id: textOf(row, "experiment_id"),
          kind,
          dimension: textOf(row, "dimension"),
          source: textOf(row, "source"),
        });
        const get = (item: string, field: string): number | undefined => {
          const value = own.get(item)?.[columns.get(field) ?? field];
          return typeof value === "number" ? value : undefined;
        };
        groups.set(id, { rows: own, get });
      }
      items.set(textOf(row, "item"), row);
      previous = row;
    }
  }
  return groups;
}

const isSameGroup = (a: Row, b: Row): boolean =>
  a.experiment_id === b.experiment_id && a.dimension === b.dimension && a.source === b.source;
