import { isCount, metricKind, type Table } from "../../metrics/index.js";
import { modelOf, simplestIn, type Target, type TargetFit } from "../target/index.js";
import type { Mismatch } from "./mismatch.js";
import { foundItems, isOrAre, type FoundItems } from "./repair.js";

/** Maximum number of digits of an amount that somebody may have added or multiplied by. */
const mostDigits = 3;
/** Digits to which the amount must be known beyond its own, so that it is not simple by chance. */
const spareDigits = 3;

/** Items that must all show the same difference of a count. */
const fewestCounts = 3;

/** Numbers of one field, of all items or of one, that are all off by the same simple amount or factor. */
export function offset(mismatch: Mismatch, table: Table, { misses, unpublished }: TargetFit): FoundItems | null {
  const { target } = mismatch;
  const fields = new Set(misses.map((i) => target.cells[i]?.field ?? ""));
  const [field = ""] = fields;
  if (fields.size !== 1 || unpublished.length > 0) return null;
  const all = target.cells.filter((cell) => cell.field === field);
  if (misses.length > 1 && misses.length < all.length) return null;
  const model = modelOf(target, table);
  const ids = misses.map((i) => target.cells[i]?.item ?? "");
  const isCounted = isCount(target.kind, field);
  if (isCounted && (misses.length < all.length || all.length < fewestCounts)) return null;
  if (!isCounted && misses.length === 1 && isReachable(mismatch, table, misses[0] as number)) return null;
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

/** Ratings more or fewer that a share or a mean may have. */
const otherRatings = [-4, -3, -2, -1, 0, 1, 2, 3, 4];

/**
 * Whether a share or a mean of about as many ratings can be the published number. Such numbers are fractions of small
 * counts, so that simple amounts lie between them by nature.
 */
function isReachable({ target, evaluator, scenario }: Mismatch, table: Table, miss: number): boolean {
  const { item, field, published } = target.cells[miss] as Target["cells"][number];
  const at = table.items.indexOf(item);
  const grains = metricKind(target.kind).grain?.(evaluator.sample(scenario), scenario.conventions, true);
  const [step = 0, n = 0] = [grains?.[field]?.[at], table.columns.n?.[at]];
  return otherRatings.some((more) => {
    const unit = (step * n) / Math.max(1, n + more);
    const rest = published.value - unit * Math.round(published.value / unit);
    return Math.abs(rest) <= (target.halfWidth[miss] as number);
  });
}
