/** Published numbers and ranks beside the recomputed ones. */
import { numberOf, type ComparedNumber, type GroupKey, tableNumber, rowByItem } from "../result.js";
import type { PublishedGroup } from "../read/cells.js";
import type { ItemNames } from "../read/item-names.js";
import { equalAt, unrounded } from "../read/precision.js";
import type { Tolerances } from "./tolerances.js";
import { atPrecisionOfResult, withCoarse } from "./coarse.js";
import { compare, fitOf, modelOf, rowsOf, targetOf, type Target } from "./target.js";
import { isTooFew, ownInUnit } from "./unit.js";
import type { TableOf } from "../recompute/own-numbers.js";
import { ownScenario, shownAs } from "../recompute/scenario.js";
import {
  kinds,
  metricKind,
  isKind,
  mainField,
  type Conventions,
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
  items: readonly string[],
  { names, itemOfId }: ItemNames,
): string | null {
  if (group.problem !== null) return group.problem;
  if (group.kind === "") return namesNoMetric;
  if (!isKind(group.kind)) return `unknown metric "${group.kind}"; known: ${kinds.join(", ")}`;
  if (group.cells.length === 0 && group.ranks.length === 0)
    return group.problems.length > 0
      ? problemsOf(group)
      : `no scores were published${group.unread.length > 0 ? " as numbers" : ""}`;
  if (names.size === 0) return noRatings;
  const rows = rowByItem(items);
  const named = (item: string): boolean => names.has(item) || itemOfId.has(item) || rows.has(item);
  if (![...group.cells, ...group.ranks].some(({ item }) => named(item)))
    return "no published name matches a rated stimulus";
  return null;
}

/** A published result beside the recomputed numbers, in the unit of its board. */
export interface Beside {
  readonly target: Target;
  readonly values: Table;
  /** So few numbers that they do not show their level. */
  readonly areTooFew: boolean;
  readonly numbers: readonly ComparedNumber[];
}

/** What published results are compared with, and how closely. */
export interface ComparedWith {
  readonly tableOf: TableOf;
  readonly conventions: Conventions;
  readonly tolerances: Tolerances;
}

export async function compareWith(
  own: ComparedWith,
  read: PublishedGroup,
  kind: Kind,
): Promise<Beside> {
  const table = await own.tableOf(read, kind);
  const ofRun = ownScenario(own.conventions, read.dimension, read.source);
  const asRead = targetOf(read, kind, own.tolerances);
  const { unit, scenario } = ownInUnit(asRead, { table: () => table }, ofRun);
  const values = shownAs(scenario, table, mainField(kind));
  const areTooFew = unit !== null && isTooFew(unit);
  const group = atPrecisionOfResult(read, kind, values);
  const target = group === read ? asRead : targetOf(group, kind, own.tolerances);
  const numbers = withCoarse(compareNumbers(target, values), target, areTooFew);
  return { target, values, areTooFew, numbers };
}

export function compareNumbers(target: Target, values: Table): ComparedNumber[] {
  const { group, kind, cells } = target;
  if (cells.length === 0) return [];
  const { misses, unpublished } = fitOf(target, values);
  const missed = new Set(misses);
  const model = modelOf(target, values);
  const rows = rowsOf(cells)(values.items);
  const numbers = cells.map(({ item, field, published: { value: published } }, i) => {
    const about = { item, field, published, contrary: group.misnamed.get(item) };
    const recomputed = model[i]!;
    if (!Number.isFinite(recomputed)) {
      const note =
        rows[i] === -1 ? "this item has no counted ratings" : "not defined for the counted ratings";
      return numberOf(group, { ...about, note });
    }
    const { nearness, ...compared } = compare(target, i, values, rows[i]!);
    const isSingle =
      group.precision[field]?.single !== undefined &&
      nearness === "equal" &&
      !equalAt(published, recomputed, unrounded);
    return numberOf(group, {
      ...about,
      recomputed,
      ...compared,
      nearness: missed.has(i) ? "apart" : nearness,
      note: isSingle ? "equal in single precision" : undefined,
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

const skippedText = (row: Row): string =>
  Number(row.slates) === 1
    ? `the only one has ${textOf(row, "reason")}`
    : `${Number(row.reasons) === 1 ? "all " : ""}${textOf(row, "each")}`;

/** By reason. */
const skippedSql = `
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
  having not bool_or(skip_reason = '')`;

export async function readUncompared(warehouse: Warehouse): Promise<Uncompared> {
  const said = new Map(
    (await warehouse.all(skippedSql)).map((row) => [
      keyOf(textOf(row, "experiment_id"), textOf(row, "dimension")),
      `no slate is a comparison: ${skippedText(row)}`,
    ]),
  );
  return ({ experiment_id, dimension, kind }) =>
    isKind(kind) && metricKind(kind).family === "pairwise"
      ? said.get(keyOf(experiment_id, dimension))
      : undefined;
}
