import { fitOf, modelOf, type Target } from "../search/target.js";
import type { Table } from "../evaluate/table.js";
import { byText } from "../order.js";
import type { SmallestDifference } from "./difference.js";

const list = (names: readonly string[]): string => (names.length <= 5 ? names.join(", ") : `${names.slice(0, 5).join(", ")} and ${names.length - 5} more`);

/** The items that carry the difference, where some carry none; two items with each other's numbers are exchanged. */
export function itemsOfDifference(target: Target, table: Table): SmallestDifference | null {
  const { misses, unpublished } = fitOf(target, table);
  const items = [...new Set([...misses.map((i) => target.cells[i]?.item ?? ""), ...unpublished])].sort(byText);
  const all = new Set(target.cells.map((cell) => cell.item));
  if (items.length === 0) return null;
  const [a, b] = items;
  if (items.length === 2 && a !== undefined && b !== undefined && areExchanged(target, table, a, b)) {
    const missing = [a, b].find((item) => !table.items.includes(item));
    const [from, to] = missing === a ? [b, a] : [a, b];
    return missing === undefined
      ? { change: "exchanged", unit: "item", ids: [a, b], alternatives: 0, says: `the numbers of ${a} and ${b} are exchanged` }
      : { change: "renamed", unit: "item", ids: [from, to], alternatives: 0, says: `${from} is published under the name ${to}` };
  }
  if (items.length > all.size / 2) return null;
  return { change: "items", unit: "item", ids: items, alternatives: 0, says: `only ${list(items)} ${items.length === 1 ? "differs" : "differ"}; every other item follows` };
}

function areExchanged(target: Target, table: Table, a: string, b: string): boolean {
  const other: Readonly<Record<string, string>> = { [a]: b, [b]: a };
  const renamed: Table = { ...table, items: table.items.map((item) => other[item] ?? item) };
  const model = modelOf(target, renamed);
  return fitOf(target, renamed).misses.length === 0 && model.every(Number.isFinite);
}
