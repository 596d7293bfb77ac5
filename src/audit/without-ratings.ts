/** What can be said of published numbers whose ratings the snapshot does not hold. */
import {
  contradictionIn,
  type Kind,
  mainField,
  numberIn,
  smallestCount,
  type Span,
} from "../metrics/index.js";
import { counted, groupsOf } from "../platform/index.js";
import type { Cell, PublishedGroup } from "./published/cells.js";
import { halfWidthAt, unrounded } from "./published/precision.js";

/** Kinds whose numbers are means of whole numbers if scores are, or shares. */
const meansOfWholes: ReadonlySet<string> = new Set<Kind>([
  "mean",
  "stats",
  "percent_chosen",
  "percent_approved",
]);

/** Options that state the ends of the scale, for kinds whose numbers they bound. */
const scaleOptions = { low: "scale_min", high: "scale_max" } as const;

/** Whether an option says something of numbers of a kind even without ratings. */
export const isScaleOption = (kind: Kind, name: string): boolean =>
  (kind === "mean" || kind === "stats") && Object.values<string>(scaleOptions).includes(name);

/**
 * A clause for each thing that the numbers tell: the fewest whole scores that could give them, and
 * those that no scores give with the n, the standard deviation or the scale stated beside them.
 */
export function saidWithoutRatings(group: PublishedGroup, kind: Kind): string {
  const main = mainField(kind);
  const own = group.cells.filter(({ field }) => field === main);
  if (!meansOfWholes.has(kind) || own.length === 0) return "";
  const values = own.map(({ published }) => published.value);
  const isPercentage = kind.startsWith("percent") && values.some((value) => Math.abs(value) > 1);
  const unit = isPercentage ? 100 : 1;
  return fewestScores(group, main, values, unit) + impossibleNumbers(group, kind, unit);
}

function fewestScores(
  { precision }: PublishedGroup,
  field: string,
  values: readonly number[],
  unit: number,
): string {
  const n = smallestCount(values, unit, (value) =>
    halfWidthAt(precision[field] ?? unrounded, value),
  );
  const numbers = counted(values.length, "number");
  return n === null
    ? `; no count of whole scores up to 100,000 gives its ${numbers}`
    : `; if scores are whole, its ${numbers} need at least ${n} each`;
}

const namedItems = 3;

/** The numbers that no scores give with what is stated beside them, the first by name. */
function impossibleNumbers(group: PublishedGroup, kind: Kind, unit: number): string {
  const byItem = [...groupsOf(group.cells, ({ item }) => item).values()];
  const found = byItem.flatMap((cells) => impossibleNumber(group, cells, kind, unit) ?? []);
  if (found.length === 0) return "";
  const more = found.length > namedItems ? `, and ${found.length - namedItems} more` : "";
  return `; impossible: ${found.slice(0, namedItems).join(", ")}${more}`;
}

function impossibleNumber(
  { precision, options }: PublishedGroup,
  cells: readonly Cell[],
  kind: Kind,
  unit: number,
): string | null {
  const valueOf = (name: string): number | undefined =>
    cells.find(({ field }) => field === name)?.published.value;
  const spanOf = (name: string): Span | undefined => {
    const value = valueOf(name);
    if (value === undefined) return undefined;
    const half = halfWidthAt(precision[name] ?? unrounded, value);
    return { low: (value - half) / unit, high: (value + half) / unit };
  };
  const main = mainField(kind);
  const mean = spanOf(main);
  if (mean === undefined) return null;
  const sd = spanOf("std");
  const count = valueOf("n");
  const n = count !== undefined && Number.isInteger(count) && count > 0 ? count : undefined;
  const stated = (options ?? {}) as Readonly<Record<string, unknown>>;
  const isShare = kind.startsWith("percent");
  const low = isShare ? 0 : (numberIn(stated[scaleOptions.low]) ?? spanOf("min")?.low);
  const high = isShare ? 1 : (numberIn(stated[scaleOptions.high]) ?? spanOf("max")?.high);
  const scale = low === undefined || high === undefined ? undefined : { low, high };
  const contradiction = contradictionIn({
    mean,
    ...(sd && { sd }),
    ...(n !== undefined && { n }),
    ...(scale && { scale }),
  });
  if (contradiction === null) return null;
  const item = cells[0]?.item ?? "";
  const deviation = sd === undefined ? "" : ` with sd ${valueOf("std")}`;
  const what = `${item} (${main} ${valueOf(main)}`;
  if (contradiction === "scale")
    return `${what}${deviation} on a scale from ${unit * (low ?? 0)} to ${unit * (high ?? 0)})`;
  const of = n === undefined ? "of" : `of ${n}`;
  return `${what}${contradiction === "sd" ? deviation : ""} ${of} whole scores)`;
}
