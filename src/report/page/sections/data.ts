import { counted } from "../../../platform/index.js";
import { columnOfNumbers, shortNumber } from "../../numbers.js";
import { byteText } from "../../lake-text.js";
import { group } from "../../verdict-sentence.js";
import type { ExperimentData, ExperimentDetails, RaterData, ReportData } from "../report-data.js";
import { html, type Content, type Html, limits, badge, longTable, moreNote, table, type Section } from "../html.js";
import { dropOutPlot, raterPlot } from "../plots.js";

export const dataSection: Section = {
  id: "data",
  title: "What data are behind it?",
  async render(data) {
    const shown: Html[] = [];
    for (const each of data.experiments)
      if (each.details && each.population.ratings > 0) shown.push(await raters(each, each.details));
    return html`${populations(data)} ${checks(data)}
      <h3>Raters</h3>
      <p>
        Agreement is the share of a rater's preferences that agree with the majority of the other raters on the same
        pair. Correct are control ratings with the expected answer. Speed is the time between two answers of a session.
      </p>
      ${shown}
      <h3>Files</h3>
      ${files(data)}`;
  },
};

function populations({ experiments, audit }: ReportData): Html {
  const rows = experiments.map(({ name, state, reason, population: of }): Content[] => [
    name,
    state === "complete" ? badge("ok", "complete") : html`${badge("doubt", state)} ${reason}`,
    group(of.ratings),
    group(of.counted),
    group(of.training),
    group(of.incomplete),
    group(of.sessions),
    of.sessions === 0 ? "" : `${Math.round((100 * of.completed) / of.sessions)} %`,
    group(of.raters),
    group(of.stimuli),
    of.from === of.to ? of.from : `${of.from} – ${of.to}`,
  ]);
  return html`<p>
      ${
        audit.shortfalls.length === 0
          ? "The snapshot is whole: everything that the key may read was exported, and every row fits its record."
          : `The snapshot is not whole: ${audit.shortfalls.map(({ message }) => message).join(" ")}`
      }
    </p>
    ${longTable(
      [
        { head: "Experiment", as: "item" },
        { head: "Export" },
        { head: "Ratings", as: "num" },
        { head: "Counted", as: "num" },
        { head: "In training", as: "num" },
        { head: "Of incomplete sessions", as: "num" },
        { head: "Sessions", as: "num" },
        { head: "Completed", as: "num" },
        { head: "Raters", as: "num" },
        { head: "Stimuli", as: "num" },
        { head: "Sessions from – to" },
      ],
      rows,
      {
        caption: "Ratings by experiment, and how many of them the metrics count",
        label: "Ratings by experiment",
        what: "experiment",
        isWide: true,
      },
    )}`;
}

function checks({ checks: all }: ReportData): Html {
  const found = all.filter(({ rows }) => rows > 0);
  const list = table(
    [
      { head: "Check" },
      { head: "Finds", as: "text" },
      { head: "Severity" },
      { head: "Rows", as: "num" },
      { head: "Result" },
    ],
    all.map(({ name, grain, severity, rows }) => [
      html`<code>${name}</code>`,
      grain,
      severity,
      group(rows),
      rows === 0 ? badge("ok", "pass") : badge(severity === "error" ? "bad" : "doubt", "fail"),
    ]),
    { caption: "Each check is a query for rows that break a rule", label: "Data checks", isWide: true },
  );
  return html`<h3>Data checks</h3><p>${all.length - found.length} of ${counted(all.length, "check")} pass.</p>
<details${found.length > 0 && html` open`}><summary>All checks</summary>${list}</details>`;
}

async function raters(
  { name, population }: ExperimentData,
  { raters: all, answered, seconds }: ExperimentDetails,
): Promise<Html> {
  const figures: Html[] = [];
  for (const plot of [raterPlot(all.slice(0, limits.raters)), dropOutPlot(answered)])
    if (plot) figures.push(await plot);
  const dropped = population.sessions - population.completed;
  const facts = [
    `${counted(all.length, "rater")} gave ${group(population.ratings)} ratings.`,
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
    ${figures.length > 0 && html`<div class="figures">${figures}</div>`} ${all.length > 0 && raterTable(all, name)}
  </details>`;
}

const percent = (share: number | null): string => (share === null ? "" : `${Math.round(share)} %`);

function raterTable(all: readonly RaterData[], name: string): Html {
  const rows = all.slice(0, limits.ratersShown);
  const seconds = columnOfNumbers(
    rows.map((rater) => (rater.seconds === null ? null : Math.round(rater.seconds * 10) / 10)),
  );
  const isCompared = all.some(({ comparisons }) => comparisons > 0);
  const compared = [
    { column: { head: "Comparisons", as: "num" as const }, cell: ({ comparisons }: RaterData) => group(comparisons) },
    { column: { head: "Agreement", as: "num" as const }, cell: ({ agreement }: RaterData) => percent(agreement) },
  ];
  const columns = [
    { column: { head: "Rater" }, cell: ({ rater }: RaterData) => rater || "unknown" },
    { column: { head: "Ratings", as: "num" as const }, cell: ({ ratings }: RaterData) => group(ratings) },
    ...(isCompared ? compared : []),
    { column: { head: "Correct", as: "num" as const }, cell: ({ correct }: RaterData) => percent(correct) },
    {
      column: { head: "Seconds per answer", as: "num" as const },
      cell: (rater: RaterData, i: number) => (rater.seconds === null ? "" : seconds[i]),
    },
  ];
  return html`${table(
    columns.map(({ column }) => column),
    rows.map((rater, i) => columns.map(({ cell }) => cell(rater, i))),
    { caption: `Raters, the lowest ${isCompared ? "agreement" : "share correct"} first`, label: `Raters of ${name}` },
  )}${moreNote(all.length - rows.length, "raters")}`;
}

function files({ tables }: ReportData): Html {
  return table(
    [
      { head: "Table" },
      { head: "Files", as: "num" },
      { head: "Rows", as: "num" },
      { head: "In quarantine", as: "num" },
      { head: "Size", as: "num" },
    ],
    tables.map((each) => [
      each.table,
      group(each.files),
      group(each.rows),
      group(each.quarantined),
      html`<data value="${each.bytes}">${byteText(each.bytes)}</data>`,
    ]),
    { caption: "Parquet files of the snapshot", label: "Files of the snapshot" },
  );
}
