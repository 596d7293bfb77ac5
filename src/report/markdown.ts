/** An audit as Markdown. */
import { attentionOf, type AuditReport } from "../audit/index.js";
import {
  adviceOf,
  causeLines,
  contradictionNote,
  correctnessNote,
  limitLines,
  noteLines,
} from "./findings.js";
import { column, tabled, type PlainCell } from "./document.js";
import { resultColumns, mergedResults, type ResultRows } from "./results.js";
import { markdownLine } from "./table.js";
import { toneOfReport, toneOfRows, type Tone } from "./tones.js";
import { verdictLine } from "./verdict-sentence.js";
import { firstOf, visible, visibleLines } from "../platform/index.js";

const emoji: Record<Tone, string> = { ok: "✅", doubt: "❔", bad: "❌" };

/** What a comment has room for: GitHub takes 65,536 characters. */
const commentLimits = { results: 40, findings: 20, texts: 1000 } as const;

/**
 * Text as itself: no emphasis, link, table cell, HTML, formula, mention of a person or reference to
 * an issue. Inside a word an underscore is only an underscore.
 */
export function markdownText(raw: string): string {
  const text = visible(raw);
  const short = text.length > commentLimits.texts ? `${text.slice(0, commentLimits.texts)}…` : text;
  return short.replace(
    /[&<>`*[\]|\\~$!]|(?<![a-z0-9])_|_(?![a-z0-9])|:(?=\/\/)|(?<=www)\.|[@#](?=\w)/gi,
    (mark) => (mark === "@" || mark === "#" ? `${mark}<!-- -->` : `&#${mark.charCodeAt(0)};`),
  );
}

const tableLine = (cells: readonly PlainCell[]): string =>
  markdownLine(cells.map((cell) => markdownText(String(cell))));

const bullets = (lines: readonly string[]): string[] =>
  lines.map((line) => `- ${markdownText(line)}`);

function markdownResults(results: readonly ResultRows[]): string[][] {
  if (results.length === 0) return [];
  const { shown, note } = firstOf(results, commentLimits.results);
  const { columns, lines } = tabled(shown, [
    column.plain("", ({ rows }: ResultRows) => emoji[toneOfRows(rows)]),
    ...resultColumns,
  ]);
  const rules = columns.map(({ as }) => (as === "num" ? "---:" : "---"));
  return [
    [tableLine(columns.map(({ head }) => head)), `|${rules.join("|")}|`, ...lines.map(tableLine)],
    [...note],
  ];
}

const unfolding = (summary: string, parts: readonly string[][]): string[][] =>
  parts.flat().length === 0
    ? []
    : [["<details>", `<summary>${summary}</summary>`], ...parts, ["</details>"]];

export function renderMarkdown(report: AuditReport): string {
  const results = mergedResults(report.rows);
  const off = results.filter(({ rows }) => rows.some((row) => attentionOf(row.verdict) > 0));
  const findings = firstOf(causeLines(report), commentLimits.findings);
  const advice = adviceOf(report);
  const lists = [
    contradictionNote(report, commentLimits.findings),
    correctnessNote(report, commentLimits.findings),
  ];
  const notes = [...lists.flatMap(noteLines), ...limitLines(report)];
  const parts = [
    [`### ${emoji[toneOfReport(report)]} ${markdownText(verdictLine(report))}`],
    [`Audit of snapshot ${markdownText(report.snapshot)}.`],
    ...markdownResults(off),
    bullets(findings.shown),
    findings.note,
    ...(advice === null
      ? []
      : [[markdownText(advice.says)], ["```yaml", ...advice.yaml.map(visibleLines), "```"]]),
    ...unfolding(
      `All ${results.length} results`,
      results.length === off.length ? [] : markdownResults(results),
    ),
    ...unfolding("Notes", [bullets(notes.map((line) => line.trim()))]),
  ];
  const paragraphs = parts.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${paragraphs.join("\n\n")}\n`;
}
