/** How published numbers were computed, on the console. */
import {
  attentionOf,
  countVerdicts,
  describeFindings,
  findingText,
  numbersIn,
  sourceText,
  type FindingView,
  type Trace,
  type TracePart,
} from "../audit/index.js";
import { metricKind } from "../metrics/index.js";
import { counted, firstOf, joinParts, settings, thousands } from "../platform/index.js";
import { comparedTable } from "./audit-table.js";
import { type Block } from "./document.js";
import { judgedNumbers } from "./judged.js";
import { shortNumber, verdictCounts } from "./numbers.js";
import { experimentName } from "./results.js";
import { printed } from "./table.js";

export function renderTrace(
  trace: Trace,
  limit: number = settings.traced_rows.default,
  width?: number,
): string {
  const { experiment_id, kind, conventions, snapshot, parts } = trace;
  const { errors } = metricKind(kind);
  return printed(
    [
      `${kind} of ${experimentName(trace)} (${experiment_id}) in snapshot ${snapshot}`,
      "",
      `Recomputed under: ${conventions.join(", ")}.`,
      errors !== undefined && `Errors: ${errors}.`,
      "",
      parts.map((part) => partLines(trace, part, limit)),
    ],
    width,
    "  ",
  );
}

function partLines({ item }: Trace, part: TracePart, limit: number): Block {
  const dimension = part.dimension === "" ? "" : `dimension ${part.dimension}, `;
  const of = item === null ? "" : ` of ${item}`;
  const { shown, note } = firstOf(
    judgedNumbers(part, () => true),
    limit,
  );
  return [
    `For ${dimension}${sourceText(part.source) || "the whole experiment"}:`,
    `Compared ${counted(numbersIn(part.rows), "published number")}${of}: ` +
      `${verdictCounts(countVerdicts(part.rows))}.`,
    whyLines(part),
    ratingText(part),
    comparisonLine(part),
    "",
    comparedTable(shown, ["item", "field", "published in"]),
    note,
    quotientLines(part, limit),
    orderLines(part),
    "",
  ];
}

function ratingText({ ratings: r }: TracePart): string {
  const reasons = joinParts([
    r.training > 0 && `${thousands(r.training)} in training`,
    r.incomplete > 0 && `${thousands(r.incomplete)} from sessions that were not completed`,
    r.unscored > 0 && `${thousands(r.unscored)} without a score`,
  ]);
  const among = reasons === "" ? "" : ` All ratings include ${reasons}.`;
  return (
    `${thousands(r.counted)} of ${counted(r.all, "rating")} count, from ` +
    `${thousands(r.counted_sessions)} of ${counted(r.sessions, "session")}.${among}`
  );
}

function comparisonLine({ comparisons, skipped, source }: TracePart): string | null {
  if (comparisons === 0 && skipped.length === 0) return null;
  const of = source === "" ? "" : " in the whole experiment";
  const reasons = skipped.map(({ reason, slates }) => `${counted(slates, "slate")} with ${reason}`);
  const left = reasons.length === 0 ? "no slates were skipped" : `skipped ${reasons.join(", ")}`;
  return `They make ${counted(comparisons, "comparison")}${of}; ${left}.`;
}

/** An item that is exact needs no explanation, even if others of the result have one. */
function whyLines(part: TracePart): string[] {
  const views = describeFindings(part);
  const of = ({ places }: FindingView): string =>
    views.length < 2 ? "" : ` (${places.join(", ")})`;
  const stated = views.filter((view) => view.stated.length > 0);
  const differs = part.rows.some(({ verdict }) => attentionOf(verdict) > 0);
  return [
    ...stated.map((view) => `The published options${of(view)} state: ${view.stated.join(", ")}.`),
    ...(differs ? views.map((view) => `Why${of(view)}: ${findingText(view)}`) : []),
  ];
}

/** `clay: 86 of 262 = 32.8244; when training ratings are counted too, 109 of 366 = 29.7814`. */
function quotientLines({ quotients }: TracePart, limit: number): Block {
  if (quotients.length === 0) return null;
  const text = ({
    part,
    whole,
    value,
  }: Pick<TracePart["quotients"][number], "part" | "whole" | "value">): string =>
    `${shortNumber(Number(part.toPrecision(12)))} of ${whole} = ${shortNumber(value)}`;
  const { shown, note } = firstOf(quotients, limit);
  const lines = shown.map((one) => {
    const { item, explained } = one;
    return (
      `  ${item}: ` +
      `${text(one)}${explained === null ? "" : `; when ${explained.says}, ${text(explained)}`}`
    );
  });
  return ["", "As sums:", lines, note];
}

function orderLines({ order }: TracePart): Block {
  if (order.length === 0) return null;
  const lines = order.map(
    ({ item, value, low, high }) =>
      `  ${item}: ${shortNumber(value)}; between ${shortNumber(low)} and ` +
      `${shortNumber(high)} in random orders`,
  );
  return ["", "An online Elo depends on the order of sessions:", lines];
}
