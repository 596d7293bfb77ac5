/** The section of the experiments: a line for each, which opens into everything about it. */
import { attentionOf, sourceText, type AuditReport } from "../../../audit/index.js";
import { kinds, metricKind } from "../../../metrics/index.js";
import { counted, thousands } from "../../../platform/index.js";
import { column } from "../../document.js";
import { titleOfKind } from "../../numbers.js";
import { mergedResults, resultColumns, type ResultRows } from "../../results.js";
import { toneOfRows } from "../../verdict-sentence.js";
import {
  badge,
  badgeInWords,
  badgeOfAll,
  folded,
  html,
  pageLimits,
  table,
  type Content,
  type Html,
} from "../html.js";
import type { Ranking } from "../boards.js";
import type { ExperimentData, ReportData, Section, Statement } from "../report-data.js";
import { dimensionIn, lookupBy } from "../rows.js";
import { experimentData } from "./data.js";
import { differencesIn } from "./differences.js";
import { isOfFiles } from "./method.js";
import { firstPlace, dimensionRankings } from "./rankings.js";

export const experimentsSection = (statements: readonly Statement[]): Section => ({
  id: "experiments",
  title: "Experiments",
  render(data) {
    const { audit, experiments } = data;
    const rowOf = experimentRow(data, statements);
    const shown = (own: readonly ExperimentData[]): Html[] => own.map(rowOf);
    return html`${
        experiments.length <= pageLimits.unfolded
          ? shown(experiments)
          : longList(experiments, shown)
      }
      ${
        audit.rows.length > 0 &&
        html`<details id="all-results">
          <summary>Every published result</summary>
          ${resultsTable(audit)}
        </details>`
      }
      <div class="tools" hidden><button type="button" data-unfold>Unfold everything</button></div>`;
  },
});

/** Many experiments: those with differences, the first of them unfolded; the others are counted. */
function longList(
  experiments: readonly ExperimentData[],
  shown: (own: readonly ExperimentData[]) => Html[],
): Content {
  const listed = experiments.slice(0, pageLimits.listed);
  const off = listed.filter(({ attention }) => attention > 0);
  const exact = listed.filter(({ attention, numbers }) => attention === 0 && numbers > 0);
  const unpublished = listed.filter(({ numbers }) => numbers === 0);
  const [first = []] = [off, exact, unpublished].filter((own) => own.length > 0);
  const part = (own: readonly ExperimentData[], says: string): Content => {
    const [open, rest] =
      own === first
        ? [own.slice(0, pageLimits.unfolded), own.slice(pageLimits.unfolded)]
        : [[], own];
    const noun = open.length > 0 ? "more experiment" : "experiment";
    const label = `${counted(rest.length, noun)} ${says}`;
    return [shown(open), rest.length > 0 && folded(label, shown(rest))];
  };
  const more = experiments.length - listed.length;
  return [
    part(off, "with differences"),
    part(exact, "in which every number is exact"),
    part(unpublished, "without published numbers"),
    more > 0 && html`<p class="note">${counted(more, "more experiment")} are not shown.</p>`,
  ];
}

function experimentRow(
  data: ReportData,
  statements: readonly Statement[],
): (of: ExperimentData) => Html {
  const ofExperiment = lookupBy(data.audit.rows, (row) => row.experiment_id);
  const rankingKey = (one: Ranking | Statement): string => `${dimensionIn(one)}${one.class}`;
  const said = lookupBy(statements, rankingKey);
  const statementOf = (ranking: Ranking) => said(rankingKey(ranking))[0];
  const differences = differencesIn(data);
  const isOne = data.experiments.length === 1;
  return (experiment) => {
    const { id, name, type, details, rankings, population } = experiment;
    const rows = ofExperiment(id);
    const standings = rankings.map(
      (ranking) => html`<span class="standing">${firstPlace(ranking, statementOf(ranking))}</span>`,
    );
    const none = population.ratings === 0 ? "No ratings." : "No ranking.";
    const head = html`<span class="name"
        ><h3>${name}</h3>
        <span class="note">${typeText(type)}</span>
        ${rows.length > 0 && badgeInWords(rows)}</span
      >${
        standings.length > 0
          ? html`<span>${standings}</span>`
          : html`<span class="note">${none}</span>`
      }`;
    if (details === null || population.ratings === 0)
      return html`<div class="experiment" id="experiment-${id}">${head}</div>`;
    const dimensions = new Set([...rankings, ...details.boards].map(({ dimension }) => dimension));
    return html`<details class="experiment" id="experiment-${id}" ${isOne && html`open`}>
      <summary>${head}</summary>
      ${rows.length > 0 && verdictsByMetric(rows)} ${differences(experiment)}
      ${[...dimensions].map((dimension) =>
        dimensionRankings(
          details,
          dimension,
          rankings.filter((one) => one.dimension === dimension),
          statementOf,
          isOfFiles(data),
        ),
      )}
      ${experimentData(experiment, details)}
    </details>`;
  };
}

/** A type of experiment as words. */
const typeText = (type: string | null): string => (type ?? "").replaceAll("_", " ");

function verdictsByMetric(rows: AuditReport["rows"]): Html {
  const published = kinds.filter((kind) => rows.some((row) => row.kind === kind));
  return html`<p class="verdicts">
    Published numbers:
    ${published.map(
      (kind) =>
        html`<span
          >${metricKind(kind).title} ${badgeOfAll(rows.filter((row) => row.kind === kind))}</span
        > `,
    )}
  </p>`;
}

const resultTools = html`<div class="tools" data-for="results" hidden>
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

function resultsTable(report: AuditReport): Html {
  const urgency = ({ rows }: ResultRows): number =>
    Math.max(...rows.map(({ verdict }) => attentionOf(verdict)));
  const results = mergedResults(report.rows).toSorted((a, b) => urgency(b) - urgency(a));
  if (results.length === 0) return html`<p>The snapshot contains no published results.</p>`;
  const { experiment, places, numbers, difference, cause } = resultColumns;
  return html`${resultTools}${table(
    results,
    [
      experiment,
      column.plain("Metric", ({ first }) => titleOfKind(first.kind)),
      column.item("Dimension", ({ first }) => first.dimension),
      column.plain("Ratings", ({ first }) => sourceText(first.source) || "all"),
      places,
      numbers,
      column.plain("Verdict", ({ rows, verdicts }) => badge(toneOfRows(rows), verdicts)),
      difference,
      cause,
    ],
    {
      caption: `${thousands(results.length)} results, the most urgent first`,
      label: "Every published result",
      id: "results",
      isWide: true,
      tone: ({ rows }) => toneOfRows(rows),
      most: pageLimits.results,
      what: "results",
    },
  )}`;
}
