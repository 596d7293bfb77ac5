/** Items that were renamed, left out, swapped or copied, so that numbers match. */
import { metricKind, type Table } from "../../metrics/index.js";
import { byText, firstFew, groupsOf, listed, remembered, sumOf } from "../../platform/index.js";
import { carriedBits, widthsOf, type UnderScenario } from "./weigh.js";
import { log2Choose } from "../compare/unit.js";
import { allowance } from "../compare/tolerances.js";
import { isMissed, type Target, type TargetFit } from "../compare/target.js";
import { rowByItem } from "../result.js";

export interface Repair {
  readonly change: "exchanged" | "renamed" | "copied" | "missing";
  readonly ids: readonly string[];
  readonly says: string;
}

interface FoundRepair extends Repair {
  readonly gives: Table | null;
}

/** Bits beyond the choice of a change: 1 in 32 by chance. */
export const repairChanceBits = 5;

export function findRepair(shown: UnderScenario): FoundRepair | null {
  const { of: target, fit } = shown;
  const table = shown.table();
  const { length } = fit.misses;
  // Which numbers differ and by how much; what a field shares counts once.
  const evidence =
    log2Choose(target.cells.length, Math.min(length, target.cells.length - length)) +
    carriedBits(shown, widthsOf(shown, false), fit.misses);
  const missed = [...new Set(fit.misses.map((i) => target.cells[i]?.item ?? ""))].sort(byText);
  const items = [...new Set([...missed, ...fit.unpublished])].sort(byText);
  if (items.length === 0) return null;
  if (missed.length === 0) {
    if (evidence < 0) return null;
    const are = items.length === 1 ? "is" : "are";
    const says = `${firstFew(items, 6)} ${are} not published; every other item matches`;
    return { change: "missing", ids: items, says, gives: null };
  }
  const renamed = renamedItems(target, table, evidence);
  const names = new Set(renamed.flatMap(({ published, recomputed }) => [published, recomputed]));
  if (renamed.length > 0 && items.every((item) => names.has(item)))
    return {
      change: "renamed",
      ids: renamed.flatMap(({ published, recomputed }) => [recomputed, published]),
      says: renamedText(renamed),
      gives: withNumbersOf(table, originsOf(renamed)),
    };
  return permuted(target, table, missed, fit, evidence);
}

export interface Renamed {
  readonly published: string;
  readonly recomputed: string;
}

const originsOf = (renamed: readonly Renamed[]): ReadonlyMap<string, string> =>
  new Map(renamed.map(({ published, recomputed }) => [published, recomputed]));

export const renamedText = (renamed: readonly Renamed[]): string =>
  firstFew(
    renamed.map(
      ({ published, recomputed }) =>
        `published ${published} agrees with the recomputed item ${recomputed}`,
    ),
    6,
  );

/**
 * Proposals for a person to state; of items with equal numbers none. Their numbers, or the
 * `evidence` (bits) of all, must outweigh the choice among the items not published.
 */
export function renamedItems(target: Target, table: Table, evidence = 0): Renamed[] {
  const published = new Set(target.cells.map(({ item }) => item));
  const known = rowByItem(table.items);
  const others = table.items.filter((item) => !published.has(item));
  const unknown = [...published].filter((item) => !known.has(item));
  const shownAs = lookAlikes(target, table, others);
  const alike = unknown.flatMap((item) => {
    const [origin, ...more] = shownAs(item);
    return origin === undefined || more.length > 0 ? [] : [{ published: item, recomputed: origin }];
  });
  const origins = groupsOf(alike, ({ recomputed }) => recomputed);
  const renamed = alike.filter(({ recomputed }) => origins.get(recomputed)!.length === 1);
  const names = new Set(renamed.map((one) => one.published));
  const { follows = {} } = metricKind(target.kind);
  const fields = new Set(target.cells.map(({ field }) => field));
  const isShown = (field: string): boolean => follows[field]?.some((of) => fields.has(of)) !== true;
  const bits = target.cells.map(({ item, field }, i) =>
    names.has(item) && isShown(field) ? target.bits[i]! : 0,
  );
  const choice = renamed.length * Math.log2(Math.max(1, others.length));
  return Math.max(evidence, sumOf(bits)) >= choice + repairChanceBits ? renamed : [];
}

export function withNames(target: Target, renamed: readonly Renamed[]): Target {
  const origins = originsOf(renamed);
  const cells = target.cells.map((cell) => ({
    ...cell,
    item: origins.get(cell.item) ?? cell.item,
  }));
  return { ...target, cells, group: { ...target.group, cells } };
}

/** Swapped or copied items; null if the choice takes more bits than `evidence`. */
function permuted(
  target: Target,
  table: Table,
  missed: readonly string[],
  fit: TargetFit,
  evidence: number,
): FoundRepair | null {
  const choice =
    log2Choose(table.items.length, missed.length) + missed.length * Math.log2(table.items.length);
  if (fit.unpublished.length > 0 || choice + repairChanceBits > evidence) return null;
  const free = new Set(missed);
  const shown = new Map<string, string>();
  const shownAs = lookAlikes(target, table, table.items);
  for (const item of missed) {
    const all = shownAs(item).filter((other) => other !== item);
    const preferred = all.filter((other) => free.has(other));
    const [only] = preferred.length > 0 ? preferred : all;
    if (only === undefined || preferred.length > 1) return null;
    shown.set(item, only);
  }
  const [a] = missed;
  const origins = new Set(shown.values());
  if (a === undefined || origins.size !== shown.size) return null;
  const origin = shown.get(a) ?? "";
  const gives = withNumbersOf(table, shown);
  if (shown.size === 1) {
    const says = `${a} is published with the numbers of ${origin}`;
    return { change: "copied", ids: [origin, a], says, gives };
  }
  if (missed.some((item) => !origins.has(item))) return null;
  const moves = missed.map((item) => `${item} has those of ${shown.get(item) ?? ""}`);
  const says =
    shown.size === 2
      ? `the numbers of ${listed(missed)} are swapped`
      : `the numbers of ${missed.length} items are swapped: ${moves.join(", ")}`;
  return { change: "exchanged", ids: missed, says, gives };
}

function withNumbersOf(table: Table, shown: ReadonlyMap<string, string>): Table {
  const items = [...new Set([...table.items, ...shown.keys()])];
  const places = rowByItem(table.items);
  const from = items.map((item) => places.get(shown.get(item) ?? item) ?? -1);
  const columns = Object.entries(table.columns).map(([field, column]) => [
    field,
    Float64Array.from(from, (i) => column[i] ?? NaN),
  ]);
  return { items, columns: Object.fromEntries(columns) as Table["columns"] };
}

/** Beyond it, an item is as good as any other by its most telling number. */
const mostAlike = 1000;

/**
 * Those `among` the items of a table whose numbers are all that an item publishes, in their order;
 * none if too many have its most telling number, or if an iteration stopped before its end.
 */
function lookAlikes(
  target: Target,
  table: Table,
  among: readonly string[],
): (item: string) => readonly string[] {
  const { kind, cells, bits, halfWidth, tolerances } = target;
  const places = rowByItem(table.items);
  const byItem = groupsOf([...cells.keys()], (i) => cells[i]!.item);
  const nearIn = remembered((field: string) => {
    const widths = cells.map((cell, i) =>
      cell.field === field
        ? 2 * (halfWidth[i]! + allowance(tolerances, kind, field, cell.published.value))
        : 0,
    );
    const width = widths.reduce((most, one) => Math.max(most, one), 0);
    const binOf = (value: number): number => Math.round(value / width);
    const bins = groupsOf(
      among.map((item) => places.get(item)!),
      (row) => String(binOf(table.columns[field]?.[row] ?? NaN)),
    );
    return (value: number): number[] =>
      [-1, 0, 1].flatMap((by) => bins.get(String(binOf(value) + by)) ?? []);
  });
  return (item) => {
    const numbers = byItem.get(item) ?? [];
    if (numbers.length === 0 || table.stopped !== undefined) return [];
    const telling = cells[numbers.reduce((a, b) => (bits[b]! > bits[a]! ? b : a))]!;
    const near = nearIn(telling.field)(telling.published.value);
    if (near.length > mostAlike) return [];
    const alike = near.filter((row) => numbers.every((i) => !isMissed(target, i, table, row)));
    return alike.sort((a, b) => a - b).map((row) => table.items[row]!);
  };
}
