import { isCount, type Table } from "../../../metrics/index.js";
import { modelOf, simplestIn, type TargetFit, type Target } from "../../target/index.js";
import { isOrAre } from "../repair.js";
import { foundItems, type FoundItems } from "./found.js";

/** Maximum number of digits of an amount that somebody may have added or multiplied by. */
const mostDigits = 3;
/** Digits to which the amount must be known beyond its own, so that it is not simple by chance. */
const spareDigits = 3;

/** Items that must all show the same difference of a count. */
const fewestCounts = 3;

/** Numbers of one field, of all items or of one, that are all off by the same simple amount or factor. */
export function offset(target: Target, table: Table, { misses, unpublished }: TargetFit): FoundItems | null {
  const fields = new Set(misses.map((i) => target.cells[i]?.field ?? ""));
  const [field = ""] = fields;
  if (fields.size !== 1 || unpublished.length > 0) return null;
  const all = target.cells.filter((cell) => cell.field === field);
  if (misses.length > 1 && misses.length < all.length) return null;
  const model = modelOf(target, table);
  const ids = misses.map((i) => target.cells[i]?.item ?? "");
  const isCounted = isCount(target.kind, field);
  if (isCounted && (misses.length < all.length || all.length < fewestCounts)) return null;
  const whose = misses.length === 1 ? (ids[0] ?? "") : "every item";
  const subject = `the ${field} of ${whose} ${isOrAre(field)}`;
  const shift = isCounted ? sameDifference() : simplestCommon((published, recomputed) => published - recomputed);
  if (shift !== null) {
    const direction = shift > 0 ? "high" : "low";
    return foundItems(
      "shifted",
      ids,
      `${subject} ${Math.abs(shift)} too ${direction}`,
      given((x) => x + shift),
    );
  }
  if (isCounted) return null;
  const factor = simplestCommon((published, recomputed) => published / recomputed);
  return factor === null
    ? null
    : foundItems(
        "scaled",
        ids,
        `${subject} ${factor} times what it should be`,
        given((x) => x * factor),
      );

  function given(of: (value: number) => number): { gives: Table } {
    const column = table.columns[field] ?? new Float64Array();
    const changed = new Set(ids);
    const moved = Float64Array.from(column, (x, i) => (changed.has(table.items[i] ?? "") ? of(x) : x));
    return { gives: { ...table, columns: { ...table.columns, [field]: moved } } };
  }

  function sameDifference(): number | null {
    const [first = 0, ...others] = misses.map((i) => (target.cells[i]?.published.value ?? NaN) - (model[i] as number));
    return others.every((other) => other === first) ? first : null;
  }

  /** A simple number that is within the rounding of every miss, and is not there by chance. */
  function simplestCommon(amountOf: (published: number, recomputed: number) => number): number | null {
    let [low, high] = [-Infinity, Infinity];
    for (const i of misses) {
      const published = target.cells[i]?.published.value ?? NaN;
      const half = target.halfWidth[i] as number;
      const ends = [published - half, published + half].map((end) => amountOf(end, model[i] as number));
      low = Math.max(low, Math.min(...ends));
      high = Math.min(high, Math.max(...ends));
    }
    if (!(low <= high) || !Number.isFinite(high - low)) return null;
    const value = simplestIn(low, high);
    const digits = value.toExponential().replace(/e.*|[-.]/g, "").length;
    const known = Math.log10(Math.abs(value) / (high - low));
    return value !== 0 && digits <= mostDigits && known >= digits + spareDigits ? value : null;
  }
}
