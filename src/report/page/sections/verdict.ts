import { attentionOf, numbersIn, sourceText, type AuditReport, type AuditRow } from "../../../audit/index.js";
import { isKind, kinds, metricKind } from "../../../metrics/index.js";
import { counted, thousands } from "../../../platform/index.js";
import { resultsOf, type ResultRows } from "../../results.js";
import { toneOfRows } from "../../verdict-sentence.js";
import { rankText, shortNumber, signedNumber } from "../../numbers.js";
import { grouped } from "../rows.js";
import type { ChangeData, ExperimentData, ReportData, Section } from "../report-data.js";
import {
  html,
  type Content,
  type Html,
  limits,
  badge,
  badgeOfAll,
  longTable,
  moreNote,
  table,
  type TableColumn,
} from "../html.js";
import { isRanked, typeText } from "./rankings.js";

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
  title: "Which experiments reproduce?",
  render: (data) =>
    html`${overview(data)}
      <details id="all-results">
        <summary>Every published result</summary>
        ${resultsTable(data.audit)}
      </details>
      ${data.changes === null ? html`<p class="note">The lake holds no earlier snapshot of this project to compare with.</p>` : changes(data.changes)}`,
};

/** Experiments by kinds: one badge for all the numbers of a kind. */
function overview({ audit, experiments }: ReportData): Content {
  const ofExperiment = grouped(audit.rows, (row) => row.experiment_id);
  const ofKind = grouped(audit.rows, (row) => JSON.stringify([row.experiment_id, row.kind]));
  const published = kinds.filter((kind) => audit.rows.some((row) => row.kind === kind));
  const cell = (rows: readonly AuditRow[]): Content =>
    rows.length === 0 ? html`<span class="note">–</span>` : badgeOfAll(rows);
  const columns: readonly TableColumn<ExperimentData>[] = [
    {
      head: "Experiment",
      as: "item",
      cell: ({ id, name, type, details }) =>
        html`${!isRanked(details) ? name : html`<a href="#ranking-${id}">${name}</a>`}
          <span class="note type">${typeText(type)}</span>`,
    },
    { head: "All", as: "mid", cell: ({ id }) => cell(ofExperiment(id)) },
    ...published.map((kind) => ({
      head: metricKind(kind).title,
      as: "mid" as const,
      cell: ({ id }: ExperimentData) => cell(ofKind(JSON.stringify([id, kind]))),
    })),
  ];
  const options = {
    caption:
      "Published numbers by metric: ✓ follow from the ratings, ? need a decision, ✗ do not follow. “✗ 2 of 40” means that 2 of the 40 do not.",
    label: "Verdicts by experiment and metric",
    what: "experiment",
    isWide: true,
  };
  if (experiments.length <= limits.unfolded) return table(columns, experiments, options);
  const off = experiments.filter(({ attention }) => attention > 0);
  const exact = experiments.filter(({ attention, numbers }) => attention === 0 && numbers > 0);
  const empty = experiments.filter(({ numbers }) => numbers === 0);
  const folded = (own: readonly ExperimentData[], says: string): Content =>
    own.length > 0 &&
    html`<details>
      <summary>${counted(own.length, "experiment")} ${says}</summary>
      ${longTable(columns, own, { ...options, label: `${options.label}, ${says}`, unfolded: limits.listed })}
    </details>`;
  return [
    off.length > 0 && longTable(columns, off, options),
    folded(exact, `${exact.length === 1 ? "reproduces" : "reproduce"} exactly`),
    folded(empty, "without published numbers"),
  ];
}

function resultsTable(report: AuditReport): Html {
  const urgency = ({ rows }: ResultRows): number => Math.max(...rows.map(({ verdict }) => attentionOf(verdict)));
  const results = resultsOf(report.rows).toSorted((a, b) => urgency(b) - urgency(a));
  const shown = results.slice(0, limits.results);
  if (results.length === 0) return html`<p>The snapshot contains no published results.</p>`;
  return html`${tools}${table(
    [
      { head: "Experiment", as: "item", cell: ({ experiment }) => experiment },
      { head: "Metric", cell: ({ first: { kind } }) => (isKind(kind) ? metricKind(kind).title : kind) },
      { head: "Dimension", as: "item", cell: ({ first }) => first.dimension },
      { head: "Ratings", cell: ({ first }) => sourceText(first.source) || "all" },
      { head: "Published in", cell: ({ places }) => places },
      { head: "Numbers", as: "num", cell: ({ rows }) => thousands(numbersIn(rows)) },
      { head: "Verdict", cell: ({ rows, verdicts }) => badge(toneOfRows(rows), verdicts) },
      { head: "Largest difference", as: "num", cell: ({ difference }) => difference },
      { head: "Cause", as: "text", cell: ({ causes }) => causes.join("; ") },
    ],
    shown,
    {
      caption: `${thousands(results.length)} results, the most urgent first`,
      label: "Every published result",
      id: "results",
      isWide: true,
      tones: shown.map(({ rows }) => toneOfRows(rows)),
    },
  )}${moreNote(results.length - shown.length, "results")}`;
}

/** What changed since the snapshot before. */
function changes(data: ChangeData): Html {
  const { before, unchanged, changed, deleted, diff } = data;
  const removed = deleted.map(({ table: name, experiment, ids }) =>
    [`${thousands(ids.length)} deleted from ${name}`, experiment && `of ${experiment}`]
      .filter((part) => part !== "")
      .join(" "),
  );
  const republished = new Set(
    changed.filter(({ table: name }) => name === "results").map(({ experiment }) => experiment),
  );
  const moved =
    diff === null
      ? "They are too large to compare row by row here; recount diff does."
      : `${counted(diff.numbers.length, "recomputed number")} moved.`;
  return html`<h3>Since the snapshot before</h3>
    <p>
      Compared with <code>${before}</code>, ${thousands(changed.length)} files differ and ${thousands(unchanged)} are
      the same. ${moved} ${republished.size > 0 && `The published results of ${[...republished].join(", ")} changed.`}
      ${removed.length > 0 && `${removed.join("; ")}.`}
    </p>
    ${diff === null ? files(data) : [rows(diff), numbers(diff)]}`;
}

type Diff = NonNullable<ChangeData["diff"]>;

function rows({ tables }: Diff): Html | false {
  return (
    tables.length > 0 &&
    table(
      [
        { head: "Table", as: "item", cell: (each) => each.table },
        { head: "Added", as: "num", cell: ({ added }) => thousands(added) },
        { head: "Removed", as: "num", cell: ({ removed }) => thousands(removed) },
        { head: "Changed", as: "num", cell: ({ changed }) => thousands(changed) },
      ],
      tables,
      { caption: "Rows that differ, by key", label: "Rows that differ since the snapshot before" },
    )
  );
}

function numbers({ numbers: all }: Diff): Html | false {
  const shown = all.slice(0, limits.changes);
  return (
    all.length > 0 &&
    html`${table(
      [
        { head: "Experiment", as: "item", cell: ({ experiment }) => experiment },
        { head: "Metric", cell: ({ kind }) => kind },
        { head: "Dimension", as: "item", cell: ({ dimension }) => dimension },
        { head: "Ratings", cell: ({ source }) => sourceText(source) || "all" },
        { head: "Item", cell: ({ item }) => item },
        { head: "Before", as: "num", cell: ({ before }) => shortNumber(before) },
        { head: "Now", as: "num", cell: ({ after }) => shortNumber(after) },
        { head: "Rank", as: "num", cell: (each) => rankText(each).replace("-", "–") },
      ],
      shown,
      { caption: "Recomputed numbers that moved", label: "Recomputed numbers that moved since the snapshot before" },
    )}${moreNote(all.length - shown.length, "numbers")}`
  );
}

const count = (some: number | null): string => (some === null ? "–" : thousands(some));

function files({ changed }: ChangeData): Html {
  const shown = changed.slice(0, limits.changes);
  return html`${
    shown.length > 0 &&
    table(
      [
        { head: "Table", cell: (each) => each.table },
        { head: "Experiment", as: "item", cell: ({ experiment }) => experiment },
        { head: "Rows before", as: "num", cell: ({ rows_before }) => count(rows_before) },
        { head: "Rows now", as: "num", cell: ({ rows_after }) => count(rows_after) },
        {
          head: "Change",
          as: "num",
          cell: ({ rows_before: was, rows_after: is }) => was !== null && is !== null && signedNumber(is - was),
        },
      ],
      shown,
      { caption: "Files of the snapshot that differ", label: "Changes since the snapshot before" },
    )
  }${moreNote(changed.length - shown.length, "changed files")}`;
}
