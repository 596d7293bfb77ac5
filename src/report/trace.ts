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
import { renderTable, truncated, wrapped } from "./table.js";

/** How published numbers were computed, in plain words; at most `limit` rows of numbers for each part. */
export function renderTrace(trace: Trace, limit: number = settings.traced_rows.default, width = Infinity): string {
  const { experiment_id, experiment_name, kind, conventions, snapshot, parts } = trace;
  const { errors } = metricKind(kind);
  return [
    `${kind} of ${experiment_name || experiment_id} (${experiment_id}) in snapshot ${snapshot}`,
    "",
    `Recomputed under: ${conventions.join(", ")}.`,
    ...(errors === undefined ? [] : [`Errors: ${errors}.`]),
    "",
    ...parts.flatMap((part) => partLines(trace, part, limit, width)),
  ]
    .map((text) => (text.includes("\n") ? text : wrapped(text, width, "  ")))
    .join("\n");
}

function partLines({ item }: Trace, part: TracePart, limit: number, width: number): string[] {
  const dimension = part.dimension === "" ? "" : `dimension ${part.dimension}, `;
  const of = item === null ? "" : ` of ${item}`;
  return [
    `For ${dimension}${sourceText(part.source) || "the whole experiment"}:`,
    `Compared ${counted(part.rows.length, "published number")}${of}: ${verdictText(part.rows)}.`,
    ...findingLines(part),
    ratingText(part),
    ...comparisonLines(part),
    "",
    ...numberLines(part, limit, width),
    ...quotientLines(part, limit),
    ...ratingLines(part, limit, width),
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

function numberLines({ rows }: TracePart, limit: number, width: number): string[] {
  const { shown, more } = truncated(placed(rows), limit);
  const table = comparedTable(shown, ["item", "field", "published in"], width);
  return more === null ? [table] : [table, more];
}

/** `clay: 86 of 262 = 32.8244; when training ratings are counted too, 109 of 366 = 29.7814`. */
function quotientLines({ quotients }: TracePart, limit: number): string[] {
  if (quotients.length === 0) return [];
  const text = ({ part, whole, value }: Pick<TracePart["quotients"][number], "part" | "whole" | "value">): string =>
    `${shortNumber(Number(part.toPrecision(12)))} of ${whole} = ${shortNumber(value)}`;
  const { shown, more } = truncated(quotients, limit);
  const lines = shown.map((one) => {
    const { item, explained } = one;
    return `  ${item}: ${text(one)}${explained === null ? "" : `; when ${explained.says}, ${text(explained)}`}`;
  });
  return ["", "As sums:", ...lines, ...(more === null ? [] : [more])];
}

function ratingLines({ listed }: TracePart, limit: number, width: number): string[] {
  if (listed.length === 0) return [];
  const { shown, more } = truncated(listed, limit);
  const table = renderTable(
    [
      { head: "session", cell: ({ session }) => session },
      { head: "slate", cell: ({ slate }) => slate },
      { head: "rater", cell: ({ rater }) => rater },
      { head: "item", cell: ({ item }) => item },
      { head: "score", align: "right", cell: ({ score }) => shortNumber(Number.isNaN(score) ? null : score) },
      { head: "others", cell: ({ others }) => others.join(", ") },
      { head: "counts", cell: ({ left_out }) => (left_out === "" ? "yes" : `no: ${left_out}`) },
    ],
    shown,
    width,
  );
  return ["", table, ...(more === null ? [] : [more])];
}

function orderLines({ order }: TracePart): string[] {
  if (order.length === 0) return [];
  const lines = order.map(
    ({ item, value, low, high }) =>
      `  ${item}: ${shortNumber(value)}; between ${shortNumber(low)} and ${shortNumber(high)} in random orders`,
  );
  return ["", "An online Elo depends on the order of sessions:", ...lines];
}
