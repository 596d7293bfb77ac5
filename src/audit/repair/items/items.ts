import type { Table } from "../../../metrics/index.js";
import { createEvaluator, type Evaluator } from "../../evaluate/evaluator.js";
import { fitOf, type Fit, type Target } from "../../target/index.js";
import type { Scenario } from "../../evaluate/scenario.js";
import { byText } from "../../../platform/index.js";
import type { Budget } from "../budget.js";
import type { ItemChange, Repair } from "../repair.js";
import { offBy } from "./offset.js";
import { some } from "../words.js";

/** A change of published items; `isCertain` where it reproduces every number, so that no other has to be looked for. */
export interface ItemsFound {
  readonly difference: Repair;
  readonly isCertain: boolean;
}

const found = (change: ItemChange, ids: readonly string[], says: string, isCertain = true): ItemsFound => ({
  difference: { change, unit: "item", ids, alternatives: 0, says },
  isCertain,
});

/** What happened to the items themselves, where ratings need not have changed; else the items that carry it. */
export function itemsOfRepair(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  budget: Budget,
): ItemsFound | null {
  const table = evaluator.table(target.kind, scenario);
  const fit = fitOf(target, table, scenario.rounding);
  const missed = [...new Set(fit.misses.map((i) => target.cells[i]?.item ?? ""))].sort(byText);
  const items = [...new Set([...missed, ...fit.unpublished])].sort(byText);
  if (items.length === 0) return null;
  if (missed.length === 0)
    return found(
      "missing",
      items,
      `${some(items)} ${items.length === 1 ? "is" : "are"} not published; every other item follows`,
    );
  return (
    permuted(target, table, missed, fit) ??
    offBy(target, table, fit, found) ??
    merged(target, evaluator, scenario, fit, budget) ??
    carriers(target, items)
  );
}

/** Only few items differ: nothing else is known of them. */
function carriers(target: Target, items: readonly string[]): ItemsFound | null {
  const all = new Set(target.cells.map((cell) => cell.item));
  if (items.length > all.size / 2) return null;
  return found(
    "items",
    items,
    `only ${some(items)} ${items.length === 1 ? "differs" : "differ"}; every other item follows`,
    false,
  );
}

/** Items that carry the numbers of others: exchanged among themselves, renamed, or one copied to another. */
function permuted(target: Target, table: Table, missed: readonly string[], fit: Fit): ItemsFound | null {
  const free = new Set([...missed, ...fit.unpublished]);
  const from = new Map<string, string>();
  for (const item of missed) {
    const origin = table.items.filter((other) => other !== item && reads(target, table, item, other));
    const among = origin.filter((other) => free.has(other));
    const [only] = among.length > 0 ? among : origin;
    if (only === undefined || among.length > 1) return null;
    from.set(item, only);
  }
  const [a, b] = missed;
  const origins = new Set(from.values());
  if (a === undefined || origins.size !== from.size) return null;
  const source = from.get(a) ?? "";
  if (from.size === 1) {
    if (!table.items.includes(a) && fit.unpublished.length === 1)
      return found("renamed", [source, a], `${source} is published under the name ${a}`);
    return fit.unpublished.length > 0
      ? null
      : found("copied", [source, a], `${a} is published with the numbers of ${source}`);
  }
  if (fit.unpublished.length > 0 || missed.some((item) => !origins.has(item))) return null;
  if (b !== undefined && from.size === 2)
    return found("exchanged", [a, b], `the numbers of ${a} and ${b} are exchanged`);
  const turns = missed.map((item) => `${item} has those of ${from.get(item) ?? ""}`);
  return found("exchanged", missed, `the numbers of ${missed.length} items are exchanged: ${turns.join(", ")}`);
}

/** Whether the published numbers of `item` are the recomputed ones of `other`. */
function reads(target: Target, table: Table, item: string, other: string): boolean {
  const own = {
    ...target,
    cells: target.cells.filter((cell) => cell.item === item).map((cell) => ({ ...cell, item: other })),
  };
  return fitOf(own, table).misses.length === 0;
}

/** An item that is not published and whose ratings count for another. */
function merged(target: Target, evaluator: Evaluator, scenario: Scenario, fit: Fit, budget: Budget): ItemsFound | null {
  if (scenario.population.item !== "own" || fit.unpublished.length > 3) return null;
  const all = [...new Set(target.cells.map((cell) => cell.item))].sort(byText);
  const share = budget.share(0.5);
  for (const from of fit.unpublished) {
    for (const to of all) {
      if (!share.spend(4 * evaluator.ratings.score.length + 20_000)) return null;
      if (fitOf(target, mergedTable(target, evaluator, scenario, from, to)).missBits > 0) continue;
      return found("merged", [from, to], `the ratings of ${from} are counted as ${to}`);
    }
  }
  return null;
}

function mergedTable({ kind }: Target, { ratings }: Evaluator, scenario: Scenario, from: string, to: string): Table {
  const stimuli = ratings.stimuli.map((s) => (s.item === from ? { ...s, item: to } : s));
  return createEvaluator({ ...ratings, stimuli }).table(kind, scenario);
}
