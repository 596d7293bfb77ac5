/** What changed since the previous snapshot. */
import { sourceText } from "../../../audit/index.js";
import { counted, joinParts, thousands } from "../../../platform/index.js";
import { changedRows } from "../../diff-table.js";
import { column } from "../../document.js";
import { rankText, shortNumber, signedNumber } from "../../numbers.js";
import { html, type Html, pageLimits, scrolling, table } from "../html.js";
import type { ChangeData, Section } from "../report-data.js";

export const changesSection: Section = {
  id: "changes",
  title: "Since the previous snapshot",
  render: ({ changes: data }) => data && changes(data),
};

function changes(data: ChangeData): Html {
  const { before, unchanged, changed, deleted, diff } = data;
  const removed = deleted.map(({ table: name, experiment, ids }) =>
    joinParts(
      [`${thousands(ids.length)} deleted from ${name}`, experiment && `of ${experiment}`],
      " ",
    ),
  );
  const republished = new Set(
    changed.filter(({ table: name }) => name === "results").map(({ experiment }) => experiment),
  );
  const moved =
    diff === null
      ? "They are too large to compare row by row here; recount diff does."
      : `${counted(diff.numbers.length, "recomputed number")} moved.`;
  return html`<p>
      Compared with <code>${before}</code>, ${thousands(changed.length)} files differ and
      ${thousands(unchanged)} are the same. ${moved}
      ${republished.size > 0 && `The published results of ${[...republished].join(", ")} changed.`}
      ${removed.length > 0 && `${removed.join("; ")}.`}
    </p>
    ${diff === null ? changedFiles(data) : [changedTables(diff), movedNumbersTable(diff)]}`;
}

type Diff = NonNullable<ChangeData["diff"]>;

const changedTables = ({ tables }: Diff): Html | false =>
  tables.length > 0 &&
  scrolling(changedRows(tables), {
    caption: "Rows that differ, by key",
    label: "Rows that differ since the previous snapshot",
  });

const movedNumbersTable = ({ numbers: all }: Diff): Html | false =>
  all.length > 0 &&
  table(
    all,
    [
      column.item("Experiment", ({ experiment }) => experiment),
      column.plain("Metric", ({ kind }) => kind),
      column.item("Dimension", ({ dimension }) => dimension),
      column.plain("Ratings", ({ source }) => sourceText(source) || "all"),
      column.plain("Item", ({ item }) => item),
      column.num("Before", ({ before }) => shortNumber(before)),
      column.num("Now", ({ after }) => shortNumber(after)),
      column.num("Rank", (each) => rankText(each).replace("-", "–")),
    ],
    {
      caption: "Recomputed numbers that moved",
      label: "Recomputed numbers that moved since the previous snapshot",
      most: pageLimits.changes,
      what: "numbers",
    },
  );

const changedFiles = ({ changed }: ChangeData): Html | false =>
  changed.length > 0 &&
  table(
    changed,
    [
      column.plain("Table", (each) => each.table),
      column.item("Experiment", ({ experiment }) => experiment),
      column.num("Rows before", ({ rows_before }) => rows_before ?? "–"),
      column.num("Rows now", ({ rows_after }) => rows_after ?? "–"),
      column.num(
        "Change",
        ({ rows_before: was, rows_after: is }) =>
          was !== null && is !== null && signedNumber(is - was),
      ),
    ],
    {
      caption: "Files of the snapshot that differ",
      label: "Changes since the previous snapshot",
      most: pageLimits.changes,
      what: "changed files",
    },
  );
