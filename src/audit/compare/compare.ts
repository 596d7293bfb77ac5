/** Published numbers beside the recomputed ones, and where agreement shows nothing. */
import { type ComparedNumber, type GroupKey, numberOf, rowByItem, tableNumber } from "../result.js";
import { precisionOfResult, type PublishedGroup } from "../read/cells.js";
import type { ItemNames } from "../read/item-names.js";
import { equalAt, type Precision, unrounded } from "../read/precision.js";
import type { Tolerances } from "./tolerances.js";
import { compare, fitOf, modelOf, rowsOf, type Target, targetOf } from "./target.js";
import { isTooFew, ownInUnit } from "./unit.js";
import type { TableOf } from "../recompute/own-numbers.js";
import { ownScenario, shownAs } from "../recompute/scenario.js";
import {
  type Conventions,
  isCount,
  isKind,
  type Kind,
  kinds,
  mainField,
  metricKind,
  type Table,
} from "../../metrics/index.js";
import { type Row, textOf, type Warehouse } from "../../warehouse/index.js";
import { counted, joinParts, keyOf } from "../../platform/index.js";

export const noRatings = "the snapshot holds no ratings of this experiment";

export const namesNoMetric = "the record names no metric, so its numbers cannot be compared";

export const problemsOf = ({ problems }: PublishedGroup): string =>
  joinParts([...problems.slice(0, 3), problems[3] && `and ${problems.length - 3} more`], "; ");

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

export interface Beside {
  readonly target: Target;
  readonly values: Table;
  readonly numbers: readonly ComparedNumber[];
}

export interface ComparedWith {
  readonly tableOf: TableOf;
  readonly conventions: Conventions;
  readonly tolerances: Tolerances;
}

export async function compareWith(
  run: ComparedWith,
  read: PublishedGroup,
  kind: Kind,
): Promise<Beside> {
  const table = await run.tableOf(read, kind);
  const ofRun = ownScenario(run.conventions, read.dimension, read.source);
  const asRead = targetOf(read, kind, run.tolerances);
  const { unit, scenario } = ownInUnit(asRead, { table: () => table }, ofRun);
  const values = shownAs(scenario, table, mainField(kind));
  const areTooFew = unit !== null && isTooFew(unit);
  const group = atPrecisionOfResult(read, kind, values);
  const target = group === read ? asRead : targetOf(group, kind, run.tolerances);
  const numbers = withCoarse(compareNumbers(target, values), target, areTooFew);
  return { target, values, numbers };
}

export function compareNumbers(target: Target, values: Table): ComparedNumber[] {
  const { group, kind, cells } = target;
  if (cells.length === 0) return [];
  const { misses, unpublished } = fitOf(target, values);
  const missed = new Set(misses);
  const model = modelOf(target, values);
  const rows = rowsOf(cells)(values.items);
  const numbers = cells.map(({ item, field, published: { value: published } }, i) => {
    const contrary = group.misnamed.get(item);
    const recomputed = model[i]!;
    if (!Number.isFinite(recomputed)) {
      const note =
        rows[i] === -1 ? "this item has no counted ratings" : "not defined for the counted ratings";
      return numberOf(group, { item, field, published, contrary, note });
    }
    const { difference, tolerance, nearness: near } = compare(target, i, values, rows[i]!);
    const isSingle =
      group.precision[field]?.single !== undefined &&
      near === "equal" &&
      !equalAt(published, recomputed, unrounded);
    const note = isSingle ? "equal in single precision" : undefined;
    const nearness = missed.has(i) ? "apart" : near;
    const compared = { recomputed, difference, tolerance, nearness, contrary, note };
    return numberOf(group, { item, field, published, ...compared });
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
    const number = tableNumber(values, item, field);
    const recomputed = Number.isNaN(number) ? null : number;
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

/** With fewer distinguishable values a wrong number is often rounded to the right one. */
const fewValues = 10;

const fewestRounded = 2;

/**
 * Beside unrounded numbers, a field with few decimals is rounded only if most of its numbers are.
 * Otherwise (a median) each number is exact.
 */
function atPrecisionOfResult(group: PublishedGroup, kind: Kind, values: Table): PublishedGroup {
  const real = Object.entries(group.precision).filter(([field]) => !isCount(kind, field));
  if (!real.some(([, { decimals, single }]) => decimals === null && single === undefined))
    return group;
  const isRounded = (wanted: string, precision: Precision): boolean => {
    let rounded = 0;
    let exact = 0;
    for (const { item, field, published } of group.cells) {
      const value = field === wanted ? tableNumber(values, item, field) : NaN;
      if (Number.isNaN(value)) continue;
      if (equalAt(published.value, value, unrounded)) exact++;
      else if (equalAt(published.value, value, precision)) rounded++;
    }
    return rounded === 0 || (rounded >= fewestRounded && rounded > exact);
  };
  const vanishing = real.filter((entry) => entry[1].decimals !== null && !isRounded(...entry));
  if (vanishing.length === 0) return group;
  const precision = Object.fromEntries(vanishing.map(([field]) => [field, unrounded]));
  return { ...group, precision: { ...group.precision, ...precision } };
}

/** Of ratings: any two are on some scale. */
export const tooFew = "too few numbers or decimals to tell the unit";

function withCoarse(
  numbers: readonly ComparedNumber[],
  { group, kind }: Target,
  areTooFew: boolean,
): ComparedNumber[] {
  const { distinguishable = Infinity } = precisionOfResult(group) ?? {};
  const isCoarse = distinguishable < fewValues && !isCount(kind, mainField(kind));
  const whole = `the published decimals distinguish fewer than ${fewValues} values`;
  const ofAll = areTooFew ? tooFew : isCoarse ? whole : undefined;
  const beside = ofAll === undefined ? coarserThanOthers(numbers, group, kind) : null;
  return numbers.map((number) => {
    if (number.nearness !== "equal" || isCount(kind, number.field)) return number;
    const coarse = ofAll ?? beside?.get(number);
    return coarse === undefined ? number : { ...number, coarse };
  });
}

const mostDecimals = 9;

/**
 * Numbers that agree only as rounded beside finer ones, which tells nothing: a lower middle score
 * of 30.0 is no rounded median of 30.05. Exempt is a field most of whose numbers must be rounded.
 */
function coarserThanOthers(
  numbers: readonly ComparedNumber[],
  { precision }: PublishedGroup,
  kind: Kind,
): ReadonlyMap<ComparedNumber, string> {
  const real = Object.entries(precision).filter(([field]) => !isCount(kind, field));
  const [finest = unrounded] = real
    .map(([, precision]) => precision)
    .toSorted((a, b) => a.halfWidth - b.halfWidth);
  const others = finest.decimals === null ? "are not rounded" : `have ${finest.decimals}`;
  const isShown = (value: number): boolean =>
    equalAt(Number(value.toFixed(finest.decimals ?? mostDecimals)), value, unrounded);
  const coarse = new Map<ComparedNumber, string>();
  for (const [field, { decimals, halfWidth }] of real) {
    if (decimals === null || halfWidth <= finest.halfWidth) continue;
    const agreeing = numbers.filter(
      (number) => number.field === field && number.nearness === "equal",
    );
    const rounded = agreeing.filter(
      ({ published, recomputed }) => !equalAt(published!, recomputed!, finest),
    );
    const endless = rounded.filter(({ recomputed }) => !isShown(recomputed!));
    if (endless.length >= fewestRounded && endless.length > agreeing.length - rounded.length)
      continue;
    const explanation =
      `equal only as rounded to ${counted(decimals, "decimal")}, and other numbers of the ` +
      `result ${others}`;
    for (const number of rounded) coarse.set(number, explanation);
  }
  return coarse;
}
