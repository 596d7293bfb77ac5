import { attentionOf, numbersIn, type AuditReport } from "../audit/index.js";
import { adviceOf, contradictionNote, correctnessNote, findingLines, limitLines, noteLines } from "./findings.js";
import { resultsOf, type ResultRows } from "./results.js";
import { toneOfReport, toneOfRows, verdictSentence, type Tone } from "./verdict-sentence.js";
import { whereOf } from "./numbers.js";
import { truncated } from "./table.js";

const signs: Record<Tone, string> = { ok: "✅", doubt: "❔", bad: "❌" };

/** What a comment has room for: GitHub takes 65,536 characters. */
const limits = { results: 40, findings: 20, texts: 1000 } as const;

/**
 * Text as itself: no emphasis, link, table cell, HTML, formula, mention of a person or reference to an issue. Inside a
 * word an underscore is only an underscore.
 */
export function markdownText(text: string): string {
  const short = text.length > limits.texts ? `${text.slice(0, limits.texts)}…` : text;
  return short.replace(/[&<>`*[\]|\\~$!]|(?<![a-z0-9])_|_(?![a-z0-9])|:(?=\/\/)|(?<=www)\.|[@#](?=\w)/gi, (mark) =>
    mark === "@" || mark === "#" ? `${mark}<!-- -->` : `&#${mark.charCodeAt(0)};`,
  );
}

function resultTable(results: readonly ResultRows[]): string[] {
  const { shown, more } = truncated(results, limits.results);
  const lines = shown.map(({ rows, first, experiment, places, verdicts, difference, causes }) => {
    const about = [signs[toneOfRows(rows)], experiment, first.kind, whereOf(first), places];
    const cells = [...about, String(numbersIn(rows)), verdicts, difference, causes.join("; ")];
    return `| ${cells.map(markdownText).join(" | ")} |`;
  });
  return [
    "| | Experiment | Metric | Scope | Published in | Numbers | Verdict | Largest difference | Cause |",
    "|---|---|---|---|---|---:|---|---:|---|",
    ...lines,
    ...(more === null ? [] : ["", more]),
  ];
}

const unfolding = (summary: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", "<details>", `<summary>${summary}</summary>`, "", ...lines, "", "</details>"];

/** An audit as Markdown, for a pull request or a comment on an issue: the sentence, what differs, why, then the rest. */
export function renderMarkdown(report: AuditReport): string {
  const results = resultsOf(report.rows);
  const off = results.filter(({ rows }) => rows.some(({ verdict }) => attentionOf(verdict) > 0));
  const findings = truncated(findingLines(report), limits.findings);
  const advice = adviceOf(report);
  const lists = [contradictionNote(report, limits.findings), correctnessNote(report, limits.findings)];
  const notes = [...lists.flatMap((note) => (note === null ? [] : noteLines(note))), ...limitLines(report)];
  return [
    `### ${signs[toneOfReport(report)]} ${markdownText(verdictSentence(report))}`,
    "",
    `Audit of snapshot ${markdownText(report.snapshot)}.`,
    ...(off.length === 0 ? [] : ["", ...resultTable(off)]),
    ...(findings.shown.length === 0 ? [] : ["", ...findings.shown.map((line) => `- ${markdownText(line)}`)]),
    ...(findings.more === null ? [] : ["", findings.more]),
    ...(advice === null ? [] : ["", markdownText(advice.says), "", "```yaml", ...advice.yaml, "```"]),
    ...unfolding(`All ${results.length} results`, results.length === off.length ? [] : resultTable(results)),
    ...unfolding(
      "Notes",
      notes.map((line) => `- ${markdownText(line.trim())}`),
    ),
    "",
  ].join("\n");
}
