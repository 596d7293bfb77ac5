import { isKind, metricKind } from "../../metrics/index.js";
import { textOf, type Warehouse } from "../../warehouse/index.js";
import type { GroupKey } from "../published/index.js";

/** item -> field -> value, of one kind, dimension and source. */
export type RecomputedValues = ReadonlyMap<string, ReadonlyMap<string, number>>;

export function groupId({
  experiment_id,
  kind,
  dimension,
  source,
}: Omit<GroupKey, "experiment_name" | "published_in">): string {
  return JSON.stringify([experiment_id, kind, dimension, source]);
}

/** Every number that sql/ recomputed under the run's conventions, by group. */
export async function readRecomputed(warehouse: Warehouse): Promise<Map<string, RecomputedValues>> {
  const rows = await warehouse.all(
    "select experiment_id, kind, dimension, source, item, field, value from audit_recomputed",
  );
  const groups = new Map<string, Map<string, Map<string, number>>>();
  for (const row of rows) {
    const kind = textOf(row, "kind");
    const id = groupId({
      experiment_id: textOf(row, "experiment_id"),
      kind,
      dimension: textOf(row, "dimension"),
      source: textOf(row, "source"),
    });
    const group = groups.get(id) ?? new Map<string, Map<string, number>>();
    groups.set(id, group);
    const item = textOf(row, "item");
    const fields = group.get(item) ?? new Map<string, number>();
    group.set(item, fields);
    const field = textOf(row, "field");
    fields.set((isKind(kind) ? metricKind(kind).columns?.[field] : undefined) ?? field, Number(row.value));
  }
  return groups;
}
