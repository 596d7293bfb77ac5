import { counted } from "../../../platform/index.js";
import { columnOfNumbers } from "../../numbers.js";
import { sourceText } from "../../places.js";
import { toneOf, toneOfRows } from "../../verdict-sentence.js";
import type { PartTable } from "../data/index.js";
import { html, type Content, type Html } from "../html.js";
import { badge, badgeOfAll, moreNote, table } from "../parts.js";

/** The rankings of jobs beside that of the whole experiment, folded unless one of them has a difference. */
export function partTable({ dimension, kind, items, whole, columns, repeats, more }: PartTable): Html {
  const same =
    repeats.length > 0 &&
    html`<p class="note">
      The ranking of ${sourceText(repeats.join(","))} is that of the whole experiment, number for number.
    </p>`;
  if (columns.length === 0) return html`${same}`;
  const jobs = columns.filter(({ source }) => source !== "").length;
  const lists = columns.length - jobs;
  const counts = [jobs > 0 && counted(jobs, "job"), lists > 0 && counted(lists, "other list")];
  const title = `Rankings of ${counts.filter((part) => part !== false).join(" and ")}`;
  const isOff = columns.some(({ all }) => toneOfRows(all) !== "ok");
  const all = columnOfNumbers(whole);
  const cells = columns.map(({ rows }): Content[] => {
    const published = columnOfNumbers(rows.map((row) => row?.published ?? null));
    const recomputed = columnOfNumbers(rows.map((row) => row?.recomputed ?? null));
    return rows.map((row, i) => {
      if (row === null) return "";
      return row.verdict === "exact"
        ? published[i]
        : html`${published[i]} ${badge(toneOf(row.verdict), recomputed[i] ?? "")}`;
    });
  });
  return html`<details ${isOff && html` open`}>
      <summary>${title}</summary>
      ${table(
        [
          { head: "Item", as: "item" },
          ...(all.length > 0 ? [{ head: "all ratings", as: "num" as const }] : []),
          ...columns.map(({ source, places, all: numbers }) => ({
            head: html`${sourceText(source) || places.join(", ")} ${badgeOfAll(numbers)}`,
            as: "num" as const,
          })),
        ],
        items.map((item, i) => [item, ...all.slice(i, i + 1), ...cells.map((column) => column[i])]),
        {
          caption: html`<strong>${kind}</strong> as published; beside a number that is not exact, the recomputed one.
            The badge of a column counts all its published numbers, of every metric.`,
          label: `${title} by ${kind}${dimension === "" ? "" : `, ${dimension}`}`,
        },
      )}
      ${moreNote(more.items, "items")}${moreNote(more.columns, "rankings")}
    </details>
    ${same}`;
}
