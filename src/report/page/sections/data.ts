import { counted, thousands } from "../../../platform/index.js";
import { columnOfNumbers, shortNumber } from "../../numbers.js";
import { byteText } from "../../lake-text.js";
import type {
  ExperimentData,
  ExperimentDetails,
  ExperimentPopulation,
  RaterData,
  ReportData,
  Section,
} from "../report-data.js";
import { badge, html, limits, longTable, moreNote, table, type Html, type TableColumn } from "../html.js";
import { dropOutPlot } from "../plots.js";

export const dataSection: Section = {
  id: "data",
  title: "What data are behind it?",
  render(data) {
    const shown = data.experiments.flatMap((each) =>
      each.details && each.population.ratings > 0 ? [raters(each, each.details)] : [],
    );
    return html`${populations(data)} ${checks(data)}
      <h3>Raters</h3>
      <p>
        Agreement is the share of a rater's preferences that agree with the majority of the other raters on the same
        pair. Correct are control ratings with the expected answer. Speed is the time between two answers of a session.
      </p>
      ${
        shown.length === 1
          ? shown
          : html`<details>
              <summary>Raters of ${counted(shown.length, "experiment")}</summary>
              ${shown}
            </details>`
      }
      <h3>Files</h3>
      <details>
        <summary>${counted(data.tables.length, "table")}</summary>
        ${files(data)}
      </details>`;
  },
};

function populations({ experiments, audit }: ReportData): Html {
  const exported = ({ state, reason }: ExperimentData) =>
    state === "complete" ? badge("ok", "complete") : html`${badge("doubt", state)} ${reason}`;
  const completed = (of: ExperimentPopulation) =>
    of.sessions === 0 ? "" : `${Math.round((100 * of.completed) / of.sessions)} %`;
  return html`<p>
      ${
        audit.shortfalls.length === 0
          ? "The snapshot is whole: all data that the key can access was exported, and every row fits its record."
          : `The snapshot is not whole: ${audit.shortfalls.map(({ message }) => message).join(" ")}`
      }
    </p>
    ${longTable(
      [
        { head: "Experiment", as: "item", cell: ({ name }) => name },
        { head: "Export", cell: exported },
        { head: "Ratings", as: "num", cell: ({ population }) => thousands(population.ratings) },
        { head: "Counted", as: "num", cell: ({ population }) => thousands(population.counted) },
        { head: "In training", as: "num", cell: ({ population }) => thousands(population.training) },
        { head: "Of incomplete sessions", as: "num", cell: ({ population }) => thousands(population.incomplete) },
        { head: "Sessions", as: "num", cell: ({ population }) => thousands(population.sessions) },
        { head: "Completed", as: "num", cell: ({ population }) => completed(population) },
        { head: "Raters", as: "num", cell: ({ population }) => thousands(population.raters) },
        { head: "Stimuli", as: "num", cell: ({ population }) => thousands(population.stimuli) },
        {
          head: "Sessions from – to",
          cell: ({ population: { from, to } }) => (from === to ? from : `${from} – ${to}`),
        },
      ],
      experiments,
      {
        caption: "Ratings by experiment, and how many of them the metrics count",
        label: "Ratings by experiment",
        what: "experiment",
        unfolded: experiments.length > limits.unfolded ? 3 : limits.unfolded,
        isWide: true,
      },
    )}`;
}

function checks({ checks: all }: ReportData): Html {
  const found = all.filter(({ rows }) => rows > 0);
  const list = table(
    [
      { head: "Check", cell: ({ name }) => html`<code>${name}</code>` },
      { head: "Finds", as: "text", cell: ({ grain }) => grain },
      { head: "Severity", cell: ({ severity }) => severity },
      { head: "Rows", as: "num", cell: ({ rows }) => thousands(rows) },
      {
        head: "Result",
        cell: ({ severity, rows }) =>
          rows === 0 ? badge("ok", "pass") : badge(severity === "error" ? "bad" : "doubt", "fail"),
      },
    ],
    all,
    { caption: "Each check is a query for rows that break a rule", label: "Data checks", isWide: true },
  );
  return html`<h3>Data checks</h3><p>${all.length - found.length} of ${counted(all.length, "check")} pass.</p>
<details${found.length > 0 && html` open`}><summary>All checks</summary>${list}</details>`;
}

function raters({ name, population }: ExperimentData, { raters: all, answered, seconds }: ExperimentDetails): Html {
  const dropped = population.sessions - population.completed;
  const facts = [
    `${counted(all.length, "rater")} gave ${thousands(population.ratings)} ratings.`,
    population.sessions > 0 &&
      `${dropped} of ${counted(population.sessions, "session")} ${dropped === 1 ? "was" : "were"} not completed.`,
    seconds !== null &&
      `Half of the answers came within ${shortNumber(seconds.median)} s of the one before, one in ten within ${shortNumber(seconds.low)} s, nine in ten within ${shortNumber(seconds.high)} s.`,
  ].filter((part) => part !== false);
  return html`<details class="experiment">
    <summary>
      <h4>${name}</h4>
      <span class="note">${counted(all.length, "rater")}</span>
    </summary>
    <p>${facts.join(" ")}</p>
    ${dropOutPlot(answered)} ${all.length > 0 && raterTable(all, name)}
  </details>`;
}

const percent = (share: number | null): string => (share === null ? "" : `${Math.round(share)} %`);

function raterTable(all: readonly RaterData[], name: string): Html {
  const rows = all.slice(0, limits.ratersShown);
  const seconds = columnOfNumbers(
    rows.map((rater) => (rater.seconds === null ? null : Math.round(rater.seconds * 10) / 10)),
  );
  const isCompared = all.some(({ comparisons }) => comparisons > 0);
  const compared: readonly TableColumn<RaterData>[] = [
    { head: "Comparisons", as: "num", cell: ({ comparisons }) => thousands(comparisons) },
    { head: "Agreement", as: "num", cell: ({ agreement }) => percent(agreement) },
  ];
  return html`${table<RaterData>(
    [
      { head: "Rater", cell: ({ rater }) => rater || "unknown" },
      { head: "Ratings", as: "num", cell: ({ ratings }) => thousands(ratings) },
      ...(isCompared ? compared : []),
      { head: "Correct", as: "num", cell: ({ correct }) => percent(correct) },
      { head: "Seconds per answer", as: "num", cell: (rater, i) => rater.seconds !== null && seconds[i] },
    ],
    rows,
    { caption: `Raters, the lowest ${isCompared ? "agreement" : "share correct"} first`, label: `Raters of ${name}` },
  )}${moreNote(all.length - rows.length, "raters")}`;
}

function files({ tables }: ReportData): Html {
  return table(
    [
      { head: "Table", cell: (each) => each.table },
      { head: "Files", as: "num", cell: (each) => thousands(each.files) },
      { head: "Rows", as: "num", cell: (each) => thousands(each.rows) },
      { head: "In quarantine", as: "num", cell: (each) => thousands(each.quarantined) },
      {
        head: "Size",
        as: "num",
        cell: ({ bytes }) => html`<data value="${bytes}">${byteText(bytes)}</data>`,
      },
    ],
    tables,
    { caption: "Parquet files of the snapshot", label: "Files of the snapshot" },
  );
}
