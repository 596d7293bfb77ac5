/** The data: ratings and raters of an experiment; checks and files of the snapshot. */
import { counted, joinParts, listed, thousands } from "../../../platform/index.js";
import { column } from "../../document.js";
import { byteText } from "../../lake-text.js";
import type {
  ExperimentData,
  ExperimentDetails,
  RaterRow,
  ReportData,
  Section,
} from "../report-data.js";
import { badge, folded, html, pageLimits, table, type Html } from "../html.js";
import { isOfFiles } from "./method.js";

export const dataSection: Section = {
  id: "data",
  title: "Data",
  render: (data) =>
    html`<p>
        ${
          data.audit.shortfalls.length === 0
            ? "The snapshot is complete: " +
              `${
                isOfFiles(data)
                  ? "no record of the files"
                  : "nothing that the API key can read is missing, and no row"
              } ` +
              "was rejected."
            : "The snapshot is incomplete: " +
              data.audit.shortfalls.map(({ message }) => message).join(" ")
        }
      </p>
      ${checks(data)} ${filesTable(data)}`,
};

export function experimentData(
  { name, state, reason, population: own }: ExperimentData,
  { raters, seconds }: ExperimentDetails,
): Html {
  const days =
    own.first_day === own.last_day ? own.first_day : `${own.first_day} to ${own.last_day}`;
  const isTimed = seconds !== undefined && seconds.high > 0;
  const left = [
    own.training > 0 && `${thousands(own.training)} are training`,
    own.incomplete > 0 && `${thousands(own.incomplete)} belong to sessions that were not completed`,
  ].filter((one) => typeof one === "string");
  const facts = [
    state !== "complete" && `The export is ${joinParts([state, reason], ": ")}.`,
    `${counted(raters.length, "rater")} gave ${thousands(own.ratings)} ratings of ` +
      `${thousands(own.stimuli)} ` +
      `${own.stimuli === 1 ? "stimulus" : "stimuli"}${days === "" ? "" : `, ${days}`}.`,
    own.counted < own.ratings &&
      `${thousands(own.counted)} of them count${left.length > 0 ? `; ${listed(left)}` : ""}.`,
    isTimed &&
      `Half of the answers took less than ${tenths(seconds.median)} s, one in ten less than ` +
        `${tenths(seconds.low)} s, and nine in ten less than ${tenths(seconds.high)} s.`,
  ];
  return html`<h4>Data</h4>
    <p>${joinParts(facts, " ")}</p>
    ${raters.length > 0 && folded(counted(raters.length, "rater"), raterTable(raters, name))}`;
}

const tenths = (value: number): string => String(Math.round(value * 10) / 10);

function checks({ checks: all }: ReportData): Html {
  const found = all.filter(({ rows }) => rows > 0);
  const list = table(
    all,
    [
      column.plain("Check", ({ name }) => html`<code>${name}</code>`),
      column.text("Finds", ({ grain }) => grain),
      column.plain("Severity", ({ severity }) => severity),
      column.num("Rows", ({ rows }) => rows),
      column.plain("Result", ({ severity, rows }) =>
        rows === 0 ? badge("ok", "pass") : badge(severity === "error" ? "bad" : "doubt", "fail"),
      ),
    ],
    {
      caption: "Each check is a query for rows that break a rule",
      label: "Data checks",
      isWide: true,
    },
  );
  return folded(
    `Data checks: ${all.length - found.length} of ${all.length} pass`,
    list,
    found.length > 0,
  );
}

const percent = (share: number | null): string => (share === null ? "" : `${Math.round(share)} %`);

function raterTable(all: readonly RaterRow[], name: string): Html {
  const isCompared = all.some(({ comparisons }) => comparisons > 0);
  return table(
    all,
    [
      column.plain("Rater", ({ rater_id }) => rater_id || "unknown"),
      column.num("Ratings", ({ ratings }) => ratings),
      isCompared && column.num("Comparisons", ({ comparisons }) => comparisons),
      isCompared && column.num("Agreement", ({ agreement }) => percent(agreement)),
      column.num("Correct", ({ correct }) => percent(correct)),
      column.aligned(
        "Seconds per answer",
        ({ seconds }) => seconds && Math.round(seconds * 10) / 10,
        "",
      ),
    ],
    {
      caption: `Lowest ${isCompared ? "agreement" : "share correct"} first. ${
        isCompared
          ? "Agreement: how often a rater prefers what most others prefer in the same pair. "
          : ""
      }Correct: control ratings with the expected answer.`,
      label: `Raters of ${name}`,
      most: pageLimits.ratersShown,
      what: "raters",
    },
  );
}

const filesTable = ({ tables }: ReportData): Html | null =>
  folded(
    `Files: ${counted(tables.length, "table")}`,
    table(
      tables,
      [
        column.plain("Table", (each) => each.table),
        column.num("Files", (each) => each.files),
        column.num("Rows", ({ rows }) => rows),
        column.num("In quarantine", ({ quarantined }) => quarantined),
        column.num("Size", ({ bytes }) => html`<data value="${bytes}">${byteText(bytes)}</data>`),
      ],
      { caption: "Parquet files of the snapshot", label: "Files of the snapshot" },
    ),
  );
