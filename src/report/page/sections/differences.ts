import { counted } from "../../../platform/index.js";
import { attentionOf, type AuditReport, type AuditRow, type Finding } from "../../../audit/index.js";
import {
  acceptLines,
  explainedText,
  unexplainedText,
  contradictionLines,
  correctnessLines,
  gapLines,
} from "../../findings.js";
import { group, toneOf } from "../../verdict-sentence.js";
import { columnOfNumbers, remainingText, differenceText, sourceText } from "../../numbers.js";
import { grouped } from "../rows.js";
import type { Population } from "../report-data.js";
import { html, withCode, type Html, limits, badge, moreNote, table, verdictBadge } from "../html.js";
import type { Section } from "../html.js";

export const differencesSection: Section = {
  id: "differences",
  title: "What did not, and why?",
  render: ({ audit, experiments }) => {
    const off = audit.rows.filter(({ verdict }) => attentionOf(verdict) > 0);
    const ofResult = grouped(off, resultOf);
    const rowsOf = (finding: Finding): AuditRow[] =>
      ofResult(resultOf(finding)).filter((row) => finding.published_in.includes(row.published_in));
    const populations = new Map(experiments.map(({ id, population }) => [id, population]));
    const inFindings = new Set(audit.findings.flatMap(rowsOf));
    const others = off.filter((row) => !inFindings.has(row));
    const shown = [...audit.findings]
      .sort((a, b) => attentionOf(b.verdict) - attentionOf(a.verdict))
      .slice(0, limits.findings);
    return html`${
      off.length === 0
        ? html`<p>Nothing: every published number equals the recomputed one at its published precision.</p>`
        : html`<p>
            ${counted(off.length, "published number")} ${off.length === 1 ? "differs" : "differ"} from what the
            conventions of this report give.
          </p>`
    }
    ${shown.map((finding) => findingCard(finding, rowsOf(finding), populations.get(finding.experiment_id)))}
    ${moreNote(audit.findings.length - shown.length, "findings")} ${others.length > 0 && otherDifferences(others)}
    ${notes(audit)}`;
  },
};

const resultOf = ({ experiment_id, kind, dimension, source }: Finding | AuditRow): string =>
  JSON.stringify([experiment_id, kind, dimension, source]);

function findingCard(finding: Finding, all: readonly AuditRow[], population: Population | undefined): Html {
  const [place] = finding.published_in;
  const rows = all.filter((row) => row.published_in === place);
  const name = all[0]?.experiment_name ?? "";
  const of = [finding.dimension, sourceText(finding.source)].filter((part) => part !== "").join(", ");
  const numbers = differenceTable(rows, `Numbers of ${name || finding.experiment_id}, ${finding.kind}`);
  return html`<article class="finding ${toneOf(finding.verdict)}">
    <h3>${name || finding.experiment_id}: ${finding.kind}${of === "" ? "" : `, ${of}`}</h3>
    <p>
      ${badge(toneOf(finding.verdict), finding.verdict)}
      <span class="note">published in ${finding.published_in.join(", ")}</span>
    </p>
    <p>${sentence(explainedText(finding) ?? unexplainedText(finding))}</p>
    ${finding.stated.length > 0 && html`<p class="note">The published options state ${finding.stated.join(", ")}.</p>`}
    ${carriers(finding)} ${population && html`<p class="note">${ratingsText(population)}</p>`}
    ${
      rows.length > 0 &&
      (finding.source === ""
        ? numbers
        : html`<details>
            <summary>Numbers that differ</summary>
            ${numbers}
          </details>`)
    }
  </article>`;
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The ratings among which a convention chooses. */
const ratingsText = ({ ratings, counted: used, training, incomplete }: Population): string =>
  `Of the experiment's ${group(ratings)} ratings the report counts ${group(used)}; ${group(training)} are in training, ${group(incomplete)} of sessions that were not completed.`;

/** The items or ratings that carry a difference. */
function carriers({ smallest_difference: smallest, explanation }: Finding): Html | null {
  if (explanation !== null && explanation.parameters.length > 0)
    return html`<p class="note">
      Values: ${explanation.parameters.map(({ name, value }) => `${name} = ${value}`).join(", ")}.
    </p>`;
  if (smallest === null) return null;
  const { unit, ids, alternatives } = smallest;
  return html`<p class="note">
    Carried by ${counted(ids.length, unit)}:
    ${ids.slice(0, limits.differences).join(", ")}${ids.length > limits.differences && " …"}${
      alternatives > 0 && `; ${counted(alternatives, "other change")} of the same size would do as well`
    }.
  </p>`;
}

function differenceTable(all: readonly AuditRow[], label: string): Html {
  const rows = all.slice(0, limits.differences);
  const published = byField(rows, (row) => row.published);
  const recomputed = byField(rows, (row) => row.recomputed);
  const hasExplanation = rows.some((row) => row.under_explanation !== null);
  const explained = byField(rows, (row) => row.under_explanation);
  return html`${table(
    [
      { head: "Item", as: "item" },
      { head: "Field" },
      { head: "Published", as: "num" },
      { head: "Recomputed", as: "num" },
      { head: "Difference", as: "num" },
      ...(hasExplanation
        ? ([
            { head: "Under the explanation", as: "num" },
            { head: "Remaining", as: "num" },
          ] as const)
        : []),
      { head: "Verdict" },
    ],
    rows.map((row, i) => [
      row.item,
      row.field,
      published[i],
      recomputed[i],
      differenceText(row),
      ...(hasExplanation ? [row.under_explanation === null ? "" : explained[i], remainingText(row)] : []),
      verdictBadge(row),
    ]),
    { caption: `As published in ${rows[0]?.published_in ?? ""}`, label },
  )}${moreNote(all.length - rows.length, "numbers")}`;
}

/** Numbers with the decimals of their field. */
function byField(rows: readonly AuditRow[], valueOf: (row: AuditRow) => number | null): string[] {
  const texts = new Map<AuditRow, string>();
  for (const field of new Set(rows.map((row) => row.field))) {
    const own = rows.filter((row) => row.field === field);
    columnOfNumbers(own.map(valueOf)).forEach((text, i) => texts.set(own[i] as AuditRow, text));
  }
  return rows.map((row) => texts.get(row) ?? "");
}

/** Numbers without a finding: their verdict says why. */
function otherDifferences(rows: readonly AuditRow[]): Html {
  const shown = rows
    .toSorted((a, b) => attentionOf(b.verdict) - attentionOf(a.verdict))
    .slice(0, 3 * limits.differences);
  return html`<h3>Other numbers without a match</h3>
    ${table(
      [
        { head: "Experiment", as: "item" },
        { head: "Metric" },
        { head: "Published in" },
        { head: "Item", as: "item" },
        { head: "Field" },
        { head: "Published", as: "num" },
        { head: "Recomputed", as: "num" },
        { head: "Verdict" },
        { head: "Reason", as: "text" },
      ],
      shown.map((row) => [
        row.experiment_name || row.experiment_id,
        [row.kind, row.dimension, sourceText(row.source)].filter((part) => part !== "").join(", "),
        row.published_in,
        row.item,
        row.field,
        columnOfNumbers([row.published])[0],
        columnOfNumbers([row.recomputed])[0],
        verdictBadge(row),
        row.explanation,
      ]),
      { caption: "Numbers that could not be compared, or have no explanation", label: "Other numbers", isWide: true },
    )}${moreNote(rows.length - shown.length, "numbers")}`;
}

/** What else the console prints about an audit. */
function notes(audit: AuditReport): Html {
  const accept = acceptLines(audit).filter((line) => line !== "");
  const contradictions = contradictionLines(audit, limits.differences).filter((line) => line !== "");
  const flags = correctnessLines(audit, limits.differences).slice(2);
  const lines = [...gapLines(audit), ...audit.shortfalls.map(({ message }) => message)];
  return html`${
      accept.length > 1 &&
      html`<h3>To accept what nobody has stated</h3>
        <p>${accept[0]}</p>
        <pre>${accept.slice(1).join("\n")}</pre>`
    }${
      contradictions.length > 0 &&
      html`<h3>Published with different values in different places</h3>
        <ul>
          ${contradictions.slice(1).map((line) => html`<li>${line.trim()}</li>`)}
        </ul>`
    }
    <h3>Correctness of ratings</h3>
    <p>
      ${group(audit.correctness.equal)} of ${group(audit.correctness.compared)} published correctness flags follow from
      the expected scores.
    </p>
    ${
      flags.length > 0 &&
      html`<ul>
        ${flags.map((line) => html`<li>${line.trim()}</li>`)}
      </ul>`
    }
    ${
      lines.length > 0 &&
      html`<h3>What the audit could not see</h3>
        <ul>
          ${lines.map((line) => html`<li>${withCode(line)}</li>`)}
        </ul>`
    }`;
}
