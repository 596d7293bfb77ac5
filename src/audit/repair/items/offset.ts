import { countFields, type Table } from "../../../metrics/index.js";
import { simplestIn, modelOf, type Fit, type Target } from "../../target/index.js";
import type { ItemsFound } from "./items.js";
import type { ItemChange } from "../repair.js";

type Make = (change: ItemChange, ids: readonly string[], says: string) => ItemsFound;

/** Digits of a number that somebody may have added or multiplied with. */
const mostDigits = 3;
/** Decimal digits by which a difference must be known beyond those that it takes, not to be simple by chance. */
const spareDigits = 3;

/**
 * Numbers of one field that are all off by one simple amount or factor: those of all items, or of a single one. The
 * amount must be known to more digits than it has.
 */
export function offBy(target: Target, table: Table, { misses, unpublished }: Fit, make: Make): ItemsFound | null {
  const fields = new Set(misses.map((i) => target.cells[i]?.field ?? ""));
  const [field = ""] = fields;
  if (fields.size !== 1 || unpublished.length > 0 || countFields.has(field)) return null;
  const all = target.cells.flatMap((cell, i) => (cell.field === field ? [i] : []));
  if (misses.length > 1 && misses.length < all.length) return null;
  const model = modelOf(target, table);
  const ids = misses.map((i) => target.cells[i]?.item ?? "");
  const whose = misses.length === 1 ? `the ${field} of ${ids[0] ?? ""} is` : `every ${field} is`;
  const shift = common(misses, (i, published, half) => [
    published - half - (model[i] as number),
    published + half - (model[i] as number),
  ]);
  if (shift !== null)
    return make("shifted", ids, `${whose} ${Math.abs(shift)} ${shift > 0 ? "higher" : "lower"} than it should be`);
  const factor = common(misses, (i, published, half) => {
    const ends = [(published - half) / (model[i] as number), (published + half) / (model[i] as number)];
    return [Math.min(...ends), Math.max(...ends)];
  });
  return factor === null ? null : make("scaled", ids, `${whose} ${factor} times what it should be`);

  /** A simple number that lies in the range of each, and is not there by chance. */
  function common(
    cells: readonly number[],
    range: (i: number, published: number, half: number) => readonly number[],
  ): number | null {
    let [low, high] = [-Infinity, Infinity];
    for (const i of cells) {
      const [from = NaN, to = NaN] = range(i, target.cells[i]?.published.value ?? NaN, target.halfWidth[i] as number);
      low = Math.max(low, from);
      high = Math.min(high, to);
    }
    if (!(low <= high) || !Number.isFinite(high - low)) return null;
    const value = simplestIn(low, high);
    const digits = value.toExponential().replace(/e.*|[-.]/g, "").length;
    const known = Math.log10(Math.abs(value) / (high - low)) * cells.length;
    return value !== 0 && digits <= mostDigits && known >= digits + spareDigits ? value : null;
  }
}
