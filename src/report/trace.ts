import type { AuditRow, Story, StoryPart } from "../audit/index.js";
import { explainedText, unexplainedText } from "./findings.js";
import { placed, sourceText } from "./places.js";
import { shortNumber, signedNumber } from "./numbers.js";
import { renderTable, truncated } from "./table.js";

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

function populationText({ counted: c }: StoryPart): string {
  const reasons = [
    c.training > 0 ? `${c.training} in training` : "",
    c.incomplete > 0 ? `${c.incomplete} in sessions that were not completed` : "",
    c.unscored > 0 ? `${c.unscored} without a score` : "",
  ].filter((t) => t !== "");
  const among = reasons.length === 0 ? "" : ` Among all: ${reasons.join(", ")}.`;
  return `${c.counted} of ${plural(c.ratings, "rating")} count, from ${c.counted_sessions} of ${plural(c.sessions, "session")}.${among}`;
}

function comparisonText({ comparisons, skipped, source }: StoryPart): string[] {
  if (comparisons === 0 && skipped.length === 0) return [];
  const of = source === "" ? "" : " (of the whole experiment)";
  const left = skipped.map(({ reason, slates }) => `${plural(slates, "slate")} with ${reason}`);
  return [
    `They make ${plural(comparisons, "comparison")}${of}${left.length === 0 ? "; no slate was skipped." : `; skipped were ${left.join(", ")}.`}`,
  ];
}

function verdictText(rows: readonly AuditRow[]): string {
  const counts = new Map<string, number>();
  for (const { verdict } of rows) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return [...counts].map(([verdict, n]) => `${n} ${verdict.replace("_", " ")}`).join(", ");
}

/** Names the places of a finding where a part has several. */
function inPlaces({ findings }: StoryPart, { published_in: places }: StoryPart["findings"][number]): string {
  return findings.length < 2 ? "" : ` (${places.join(", ")})`;
}

function partText(story: Story, part: StoryPart, limit: number): string[] {
  const { shown, more } = truncated(placed(part.rows), limit);
  const title = [
    part.dimension === "" ? "" : `dimension ${part.dimension}`,
    sourceText(part.source) || "the whole experiment",
  ]
    .filter((t) => t !== "")
    .join(", ");
  const table = renderTable(
    [
      { head: "item" },
      { head: "field" },
      { head: "published in" },
      { head: "published", align: "right" },
      { head: "recomputed", align: "right" },
      { head: "difference", align: "right" },
      { head: "verdict" },
    ],
    shown.map(({ row: r, places }) => [
      r.item,
      r.field,
      places.join(", "),
      shortNumber(r.published),
      shortNumber(r.recomputed),
      r.verdict === "exact" ? "" : signedNumber(r.difference),
      r.verdict.replace("_", " "),
    ]),
  );
  const why = part.findings.map(
    (finding) => `Why${inPlaces(part, finding)}: ${explainedText(finding) ?? unexplainedText(finding)}`,
  );
  const stated = part.findings
    .filter((f) => f.stated.length > 0)
    .map((f) => `The published options${inPlaces(part, f)} state: ${f.stated.join(", ")}.`);
  const order = part.order.map(
    ({ item, value, low, high }) =>
      `  ${item}: ${shortNumber(value)}, and from ${shortNumber(low)} to ${shortNumber(high)} in other orders`,
  );
  return [
    `For ${title}:`,
    populationText(part),
    ...comparisonText(part),
    `Of ${plural(part.rows.length, "published number")} ${story.item === null ? "" : `of ${story.item} `}against the recomputed: ${verdictText(part.rows)}.`,
    ...stated,
    ...why,
    "",
    table,
    ...(more === null ? [] : [more]),
    ...(order.length === 0
      ? []
      : ["", "An online Elo depends on the order of sessions. How much it would have mattered here:", ...order]),
    "",
  ];
}

/** The story of a number in plain words: what was counted, how, and why it does or does not follow. */
export function renderStory(story: Story, rows = 30): string {
  const { experiment_id, experiment_name, kind, conventions, snapshot, parts } = story;
  return [
    `${kind} of ${experiment_name || experiment_id} (${experiment_id}) in snapshot ${snapshot}`,
    "",
    `Recomputed under: ${conventions.join(", ")}.`,
    "",
    ...parts.flatMap((part) => partText(story, part, rows)),
  ].join("\n");
}
