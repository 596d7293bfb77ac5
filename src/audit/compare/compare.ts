/** Published numbers and ranks beside the recomputed ones. */
import { numberOf, type ComparedNumber, type GroupKey, tableNumber, rowByItem } from "../result.js";
import type { PublishedGroup } from "../read/cells.js";
import type { ItemNames } from "../read/item-names.js";
import { equalAt, unrounded } from "../read/precision.js";
import type { Tolerances } from "./tolerances.js";
import { compare, fitOf, modelOf, rowsOf, targetOf } from "./target.js";
import {
  kinds,
  metricKind,
  isKind,
  mainField,
  type Kind,
  type Table,
} from "../../metrics/index.js";
import { textOf, type Warehouse, type Row } from "../../warehouse/index.js";
import { keyOf } from "../../platform/index.js";

export const noRatings = "the snapshot holds no ratings of this experiment";

export const namesNoMetric = "the record names no metric, so its numbers cannot be compared";

export const problemsOf = ({ problems }: PublishedGroup): string =>
  [
    ...problems.slice(0, 3),
    ...(problems.length > 3 ? [`and ${problems.length - 3} more`] : []),
  ].join("; ");

export function obstacleOf(
  group: PublishedGroup,
  values: Table,
  { names, itemOfId }: ItemNames,
): string | null {
  if (group.problem !== null) return group.problem;
  if (group.kind === "") return namesNoMetric;
  if (!isKind(group.kind)) return `unknown metric "${group.kind}"; known: ${kinds.join(", ")}`;
  if (group.cells.length === 0 && group.ranks.length === 0)
    return group.problems.length > 0 ? problemsOf(group) : "no scores were published";
  if (names.size === 0) return noRatings;
  const rows = rowByItem(values.items);
  const named = (item: string): boolean => names.has(item) || itemOfId.has(item) || rows.has(item);
  if (![...group.cells, ...group.ranks].some(({ item }) => named(item)))
    return "no published name matches a rated stimulus";
  return null;
}

export function compareGroup(
  group: PublishedGroup,
  kind: Kind,
  values: Table,
  tolerances: Tolerances,
): ComparedNumber[] {
  const { cells, misnamed, precision } = group;
  if (cells.length === 0) return [];
  const target = targetOf(group, kind, tolerances);
  const { misses, unpublished } = fitOf(target, values);
  const missed = new Set(misses);
  const model = modelOf(target, values);
  const rows = rowsOf(cells)(values.items);
  const numbers = cells.map(({ item, field, published: { value: published } }, i) => {
    const contrary = misnamed.get(item);
    const recomputed = model[i]!;
    if (!Number.isFinite(recomputed)) {
      const note =
        rows[i] === -1 ? "this item has no counted ratings" : "not defined for the counted ratings";
      return numberOf(group, { item, field, published, note, contrary });
    }
    const { nearness, ...compared } = compare(target, i, values, rows[i]!);
    const isSingle =
      precision[field]?.single !== undefined &&
      nearness === "equal" &&
      !equalAt(published, recomputed, unrounded);
    return numberOf(group, {
      item,
      field,
      published,
      recomputed,
      ...compared,
      nearness: missed.has(i) ? "apart" : nearness,
      note: isSingle ? "equal in single precision" : undefined,
      contrary,
    });
  });
  const main = mainField(kind);
  const note = "counted, but not published";
  return [
    ...numbers,
    ...unpublished.map((item) =>
      numberOf(group, { item, field: main, recomputed: tableNumber(values, item, main), note }),
    ),
  ];
}

export function compareSynonyms(group: PublishedGroup, values: Table): ComparedNumber[] {
  return group.synonyms.map(({ item, field, key, published: { value: published } }) => {
    const own = tableNumber(values, item, field);
    const recomputed = Number.isNaN(own) ? null : own;
    const difference = recomputed === null ? null : published - recomputed;
    const note = `contradicts the ${field} published with it`;
    return numberOf(group, { item, field: key, published, recomputed, difference, note });
  });
}

export type Uncompared = (
  key: Pick<GroupKey, "experiment_id" | "dimension" | "kind">,
) => string | undefined;

function sentence(row: Row): string {
  const all =
    Number(row.slates) === 1
      ? `the only one has ${textOf(row, "reason")}`
      : `all ${textOf(row, "each")}`;
  return `no slate is a comparison: ${Number(row.reasons) === 1 ? all : textOf(row, "each")}`;
}

export async function readUncompared(warehouse: Warehouse): Promise<Uncompared> {
  const rows = await warehouse.all(`
    select
      experiment_id, dimension,
      count(*) as reasons,
      sum(slates) as slates,
      min(skip_reason) as reason,
      string_agg(
        slates || if(slates = 1, ' has ', ' have ') || skip_reason,
        ', ' order by slates desc, skip_reason
      ) as each
    from audit_slates
    group by experiment_id, dimension
    having not bool_or(skip_reason = '')`);
  const said = new Map(
    rows.map((row) => [
      keyOf(textOf(row, "experiment_id"), textOf(row, "dimension")),
      sentence(row),
    ]),
  );
  return ({ experiment_id, dimension, kind }) =>
    isKind(kind) && metricKind(kind).family === "pairwise"
      ? said.get(keyOf(experiment_id, dimension))
      : undefined;
}
