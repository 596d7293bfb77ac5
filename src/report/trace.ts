import {
  attentionOf,
  describeFindings,
  findingText,
  sourceText,
  type AuditRow,
  type FindingView,
  type Trace,
  type TracePart,
} from "../audit/index.js";
import { metricKind } from "../metrics/index.js";
import { counted, settings } from "../platform/index.js";
import { comparedTable } from "./audit-table.js";
import { shortNumber, placed } from "./numbers.js";
import { truncated } from "./table.js";

/** How published numbers were computed, in plain words; at most `limit` rows of numbers for each part. */
export function renderTrace(trace: Trace, limit: number = settings.traced_rows.default): string {
  const { experiment_id, experiment_name, kind, conventions, snapshot, parts } = trace;
  const { errors } = metricKind(kind);
  return [
    `${kind} of ${experiment_name || experiment_id} (${experiment_id}) in snapshot ${snapshot}`,
    "",
    `Recomputed under: ${conventions.join(", ")}.`,
    ...(errors === undefined ? [] : [`Errors: ${errors}.`]),
    "",
    ...parts.flatMap((part) => partLines(trace, part, limit)),
  ].join("\n");
}

function partLines({ item }: Trace, part: TracePart, limit: number): string[] {
  const dimension = part.dimension === "" ? "" : `dimension ${part.dimension}, `;
  const of = item === null ? "" : ` of ${item}`;
  return [
    `For ${dimension}${sourceText(part.source) || "the whole experiment"}:`,
    `Compared ${counted(part.rows.length, "published number")}${of}: ${verdictText(part.rows)}.`,
    ...findingLines(part),
    ratingText(part),
    ...comparisonLines(part),
    "",
    ...numberLines(part, limit),
    ...orderLines(part),
    "",
  ];
}

function ratingText({ ratings: r }: TracePart): string {
  const reasons = [
    r.training > 0 ? `${r.training} in training` : "",
    r.incomplete > 0 ? `${r.incomplete} from sessions that were not completed` : "",
    r.unscored > 0 ? `${r.unscored} without a score` : "",
  ].filter((t) => t !== "");
  const among = reasons.length === 0 ? "" : ` All ratings include ${reasons.join(", ")}.`;
  return `${r.counted} of ${counted(r.all, "rating")} count, from ${r.counted_sessions} of ${counted(r.sessions, "session")}.${among}`;
}

function comparisonLines({ comparisons, skipped, source }: TracePart): string[] {
  if (comparisons === 0 && skipped.length === 0) return [];
  const of = source === "" ? "" : " in the whole experiment";
  const reasons = skipped.map(({ reason, slates }) => `${counted(slates, "slate")} with ${reason}`);
  const left = reasons.length === 0 ? "no slates were skipped" : `skipped ${reasons.join(", ")}`;
  return [`They make ${counted(comparisons, "comparison")}${of}; ${left}.`];
}

function verdictText(rows: readonly AuditRow[]): string {
  const counts = new Map<string, number>();
  for (const { verdict } of rows) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return [...counts].map(([verdict, n]) => `${n} ${verdict.replace("_", " ")}`).join(", ");
}

/** An item that is exact needs no explanation, even if others of the result have one. */
function findingLines(part: TracePart): string[] {
  const views = describeFindings(part);
  const of = ({ places }: FindingView): string => (views.length < 2 ? "" : ` (${places.join(", ")})`);
  const stated = views.filter((view) => view.stated.length > 0);
  const differs = part.rows.some(({ verdict }) => attentionOf(verdict) > 0);
  return [
    ...stated.map((view) => `The published options${of(view)} state: ${view.stated.join(", ")}.`),
    ...(differs ? views.map((view) => `Why${of(view)}: ${findingText(view)}`) : []),
  ];
}

function numberLines({ rows }: TracePart, limit: number): string[] {
  const { shown, more } = truncated(placed(rows), limit);
  const table = comparedTable(shown, ["item", "field", "published in"]);
  return more === null ? [table] : [table, more];
}

function orderLines({ order }: TracePart): string[] {
  if (order.length === 0) return [];
  const lines = order.map(
    ({ item, value, low, high }) =>
      `  ${item}: ${shortNumber(value)}; between ${shortNumber(low)} and ${shortNumber(high)} in random orders`,
  );
  return ["", "An online Elo depends on the order of sessions:", ...lines];
}
