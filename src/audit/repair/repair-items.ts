import { metricKind, type Table } from "../../metrics/index.js";
import { byText, sumOf } from "../../platform/index.js";
import { createEvaluator } from "../evaluate/evaluator.js";
import { log2Choose } from "../evidence.js";
import { fitOf, type Target, type TargetFit } from "../target.js";
import {
  repairChanceBits,
  listOf,
  type Budget,
  type FoundRepair,
  type ItemChange,
  type Mismatch,
} from "./repair.js";

/**
 * A change of published items. `isCertain` when it reproduces every number, so that the search can
 * end.
 */
interface FoundItems {
  readonly repair: FoundRepair;
  readonly isCertain: boolean;
  /** Bits of the choice among the changes tried; the numbers must outweigh them. */
  readonly bits: number;
}

function foundItems(
  change: ItemChange,
  ids: readonly string[],
  says: string,
  {
    gives = null,
    isCertain = true,
    bits = 0,
  }: { gives?: Table | null; isCertain?: boolean; bits?: number } = {},
): FoundItems {
  return { repair: { change, unit: "item", ids, alternatives: 0, says, gives }, isCertain, bits };
}

/**
 * Finds what was done to the published items themselves, if the `evidence` (bits) outweighs the
 * choice; otherwise names the items that differ, if they are few.
 */
export function repairItems(
  mismatch: Mismatch,
  evidence: number,
  budget: Budget,
): FoundItems | null {
  const { target, evaluator, scenario } = mismatch;
  const table = evaluator.table(target.kind, scenario, target.hasEnds);
  const fit = fitOf(target, table, scenario.rounding);
  const missed = [...new Set(fit.misses.map((i) => target.cells[i]?.item ?? ""))].sort(byText);
  const items = [...new Set([...missed, ...fit.unpublished])].sort(byText);
  if (items.length === 0) return null;
  if (missed.length === 0) {
    if (evidence < 0) return null;
    const says =
      `${listOf(items)} ${items.length === 1 ? "is" : "are"} not published; every other item ` +
      "matches";
    return foundItems("missing", items, says);
  }
  const renamed = renamedItems(target, table, evidence);
  const names = new Set(renamed.flatMap(({ published, recomputed }) => [published, recomputed]));
  if (renamed.length > 0 && items.every((item) => names.has(item)))
    return foundItems(
      "renamed",
      renamed.flatMap(({ published, recomputed }) => [recomputed, published]),
      renamedText(renamed),
      { gives: withNumbersOf(table, originsOf(renamed)) },
    );
  for (const way of [
    () => permuted(target, table, missed, fit),
    () => mergedItems(mismatch, fit, budget),
  ]) {
    const found = way();
    if (found !== null && found.bits + repairChanceBits <= evidence) return found;
  }
  const says = onlyText(target, fit, items);
  return says === null ? null : foundItems("items", items, says, { isCertain: false });
}

/**
 * "only q1 and q3 differ, in 4 items"; "only a and b differ" if none of their fields matches; null
 * if most differ.
 */
function onlyText(
  { cells }: Target,
  { misses, unpublished }: TargetFit,
  items: readonly string[],
): string | null {
  const fields = [...new Set(misses.map((i) => cells[i]?.field ?? ""))];
  const [allItems, allFields] = (["item", "field"] as const).map(
    (key) => new Set(cells.map((c) => c[key])).size,
  );
  if (unpublished.length === 0 && fields.length <= (allFields ?? 0) / 2) {
    const where = items.length === 1 ? `for ${items[0] ?? ""}` : `in ${items.length} items`;
    const differ = fields.length === 1 && fields[0]?.endsWith("s") === false ? "differs" : "differ";
    return `only ${listOf(fields)} ${differ}, ${where}; every other number matches`;
  }
  if (items.length > (allItems ?? 0) / 2) return null;
  return (
    `only ${listOf(items)} ${items.length === 1 ? "differs" : "differ"}; every other item ` +
    "matches"
  );
}

/** An item that is not published and whose ratings count as those of another. */
function mergedItems(
  { target, evaluator: { ratings }, scenario }: Mismatch,
  fit: TargetFit,
  budget: Budget,
): FoundItems | null {
  if (scenario.population.item !== "own" || fit.unpublished.length > 3) return null;
  const all = [...new Set(target.cells.map((cell) => cell.item))].sort(byText);
  const share = budget.share(0.5);
  for (const from of fit.unpublished) {
    for (const to of all) {
      if (!share.spend(4 * ratings.score.length + 20_000)) return null;
      const stimuli = ratings.stimuli.map((s) => (s.item === from ? { ...s, item: to } : s));
      const table = createEvaluator({ ...ratings, stimuli }).table(
        target.kind,
        scenario,
        target.hasEnds,
      );
      if (fitOf(target, table).missBits > 0) continue;
      const bits = Math.log2(fit.unpublished.length * all.length);
      return foundItems("merged", [from, to], `the ratings of ${from} are counted as ${to}`, {
        gives: table,
        bits,
      });
    }
  }
  return null;
}

/** A published item without counted ratings that has the numbers of one that is not published. */
export interface Renamed {
  readonly published: string;
  readonly recomputed: string;
}

const originsOf = (renamed: readonly Renamed[]): ReadonlyMap<string, string> =>
  new Map(renamed.map(({ published, recomputed }) => [published, recomputed]));

export const renamedText = (renamed: readonly Renamed[]): string =>
  listOf(
    renamed.map(
      ({ published, recomputed }) =>
        `published ${published} agrees with the recomputed item ${recomputed}`,
    ),
  );

/**
 * The items that may be published under another name, each with the one whose numbers it shows; of
 * several with equal numbers none. They are a proposal, for a person to state. None, unless their
 * numbers, or the `evidence` (bits) that all numbers leave, outweigh the choice among the items
 * that are not published.
 */
export function renamedItems(target: Target, table: Table, evidence = 0): Renamed[] {
  const published = new Set(target.cells.map(({ item }) => item));
  const others = table.items.filter((item) => !published.has(item));
  const unknown = [...published].filter((item) => !table.items.includes(item));
  const alike = unknown.flatMap((item) => {
    const [origin, ...more] = others.filter((other) => isShownAs(target, table, item, other));
    return origin === undefined || more.length > 0 ? [] : [{ published: item, recomputed: origin }];
  });
  const renamed = alike.filter(({ recomputed }) => {
    const same = alike.filter((one) => one.recomputed === recomputed);
    return same.length === 1;
  });
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

/** The target as it would be if each of these were the item that it agrees with. */
export function withNames(target: Target, renamed: readonly Renamed[]): Target {
  const origins = originsOf(renamed);
  const cells = target.cells.map((cell) => ({
    ...cell,
    item: origins.get(cell.item) ?? cell.item,
  }));
  return { ...target, cells, group: { ...target.group, cells } };
}

/**
 * Items that show the numbers of others: swapped among themselves, or one copied to another.
 */
function permuted(
  target: Target,
  table: Table,
  missed: readonly string[],
  fit: TargetFit,
): FoundItems | null {
  const free = new Set([...missed, ...fit.unpublished]);
  /** The item whose numbers each missed item shows. */
  const shown = new Map<string, string>();
  for (const item of missed) {
    const all = table.items.filter(
      (other) => other !== item && isShownAs(target, table, item, other),
    );
    const preferred = all.filter((other) => free.has(other));
    const [only] = preferred.length > 0 ? preferred : all;
    if (only === undefined || preferred.length > 1) return null;
    shown.set(item, only);
  }
  const [a, b] = missed;
  const origins = new Set(shown.values());
  if (a === undefined || origins.size !== shown.size) return null;
  const origin = shown.get(a) ?? "";
  // Which items show others' numbers, and whose.
  const bits =
    log2Choose(table.items.length, shown.size) + shown.size * Math.log2(table.items.length);
  const found = { gives: withNumbersOf(table, shown), bits };
  if (shown.size === 1) {
    return fit.unpublished.length > 0
      ? null
      : foundItems("copied", [origin, a], `${a} is published with the numbers of ${origin}`, found);
  }
  if (fit.unpublished.length > 0 || missed.some((item) => !origins.has(item))) return null;
  if (b !== undefined && shown.size === 2)
    return foundItems("exchanged", [a, b], `the numbers of ${a} and ${b} are swapped`, found);
  const moves = missed.map((item) => `${item} has those of ${shown.get(item) ?? ""}`);
  return foundItems(
    "exchanged",
    missed,
    `the numbers of ${missed.length} items are swapped: ${moves.join(", ")}`,
    found,
  );
}

/** A table in which items have the numbers of others. */
function withNumbersOf(table: Table, shown: ReadonlyMap<string, string>): Table {
  const items = [...new Set([...table.items, ...shown.keys()])];
  const from = items.map((item) => table.items.indexOf(shown.get(item) ?? item));
  const columns = Object.entries(table.columns).map(([field, column]) => [
    field,
    Float64Array.from(from, (i) => column[i] ?? NaN),
  ]);
  return { items, columns: Object.fromEntries(columns) as Table["columns"] };
}

/** Whether the published numbers of `item` are the recomputed ones of `other`. */
function isShownAs(target: Target, table: Table, item: string, other: string): boolean {
  const cells = target.cells
    .filter((cell) => cell.item === item)
    .map((cell) => ({ ...cell, item: other }));
  return fitOf({ ...target, cells }, table).misses.length === 0;
}
