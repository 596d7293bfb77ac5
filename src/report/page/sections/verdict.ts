import { attentionOf, type AuditReport, type AuditRow } from "../../../audit/index.js";
import { kinds } from "../../../metrics/index.js";
import { sourceText } from "../../places.js";
import { resultsOf, type ResultRows } from "../../results.js";
import { group, toneOfRows } from "../../verdict-sentence.js";
import { grouped, type ReportData } from "../data/index.js";
import { html, type Content, type Html } from "../html.js";
import { limits } from "../limits.js";
import { badge, badgeOfAll, longTable, moreNote, table } from "../parts.js";
import { changes } from "./changes.js";
import { isRanked } from "./rankings.js";
import type { Section } from "./section.js";

const tools = html`<div class="tools" data-for="results" hidden>
  <label>Filter <input type="search" autocomplete="off" /></label>
  <label
    >Verdict
    <select>
      <option value="">all</option>
      <option value="bad">not reproduced</option>
      <option value="doubt">to decide</option>
      <option value="ok">reproduced</option>
    </select></label
  >
  <output></output>
</div>`;

export const verdictSection: Section = {
  id: "verdict",
  title: "Did everything reproduce?",
  render: (data) =>
    html`${overview(data)}
      <details id="all-results">
        <summary>Every published result</summary>
        ${resultsTable(data.audit)}
      </details>
      <h3>Since the snapshot before</h3>
      ${data.changes === null ? html`<p>The lake holds no earlier snapshot of this project to compare with.</p>` : changes(data.changes)}`,
};

/** Experiments by kinds: one badge for all the numbers of a kind. */
function overview({ audit, experiments }: ReportData): Html {
  const ofExperiment = grouped(audit.rows, (row) => row.experiment_id);
  const ofKind = grouped(audit.rows, (row) => JSON.stringify([row.experiment_id, row.kind]));
  const published = kinds.filter((kind) => audit.rows.some((row) => row.kind === kind));
  const cell = (rows: readonly AuditRow[]): Content =>
    rows.length === 0 ? html`<span class="note">–</span>` : badgeOfAll(rows);
  return longTable(
    [
      { head: "Experiment", as: "item" },
      { head: "All", as: "mid" },
      ...published.map((head) => ({ head, as: "mid" as const })),
    ],
    experiments.map(({ id, name, type, details }) => [
      html`${!isRanked(details) ? name : html`<a href="#ranking-${id}">${name}</a>`}
        <span class="note type">${type}</span>`,
      cell(ofExperiment(id)),
      ...published.map((kind) => cell(ofKind(JSON.stringify([id, kind])))),
    ]),
    {
      caption:
        "Published numbers by metric: ✓ follow from the ratings, ? need a decision, ✗ do not follow. “20 of 40” means that 20 of the 40 are not exact.",
      label: "Verdicts by experiment and metric",
      what: "experiment",
      isWide: true,
    },
  );
}

function resultsTable(report: AuditReport): Html {
  const urgency = ({ rows }: ResultRows): number => Math.max(...rows.map(({ verdict }) => attentionOf(verdict)));
  const results = resultsOf(report.rows).toSorted((a, b) => urgency(b) - urgency(a));
  const shown = results.slice(0, limits.results);
  if (results.length === 0) return html`<p>The snapshot contains no published results.</p>`;
  return html`${tools}${table(
    [
      { head: "Experiment", as: "item" },
      { head: "Metric" },
      { head: "Dimension", as: "item" },
      { head: "Ratings" },
      { head: "Published in" },
      { head: "Numbers", as: "num" },
      { head: "Verdict" },
      { head: "Largest difference", as: "num" },
      { head: "Cause", as: "text" },
    ],
    shown.map(({ rows, first, experiment, places, verdicts, difference, causes }) => [
      experiment,
      first.kind,
      first.dimension,
      sourceText(first.source) || "all",
      places,
      group(rows.length),
      badge(toneOfRows(rows), verdicts),
      difference,
      causes.join("; "),
    ]),
    {
      caption: `${group(results.length)} results, the most urgent first`,
      label: "Every published result",
      id: "results",
      isWide: true,
      tones: shown.map(({ rows }) => toneOfRows(rows)),
    },
  )}${moreNote(results.length - shown.length, "results")}`;
}
