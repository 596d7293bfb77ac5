import { sourceText } from "../../../audit/index.js";
import { counted } from "../../../platform/index.js";
import { group, toneOf, toneOfRows } from "../../verdict-sentence.js";
import { columnOfNumbers, differenceText, shortNumber } from "../../numbers.js";
import type {
  Board,
  BoardRow,
  ExperimentData,
  ExperimentDetails,
  ReportData,
  PartTable,
  Section,
} from "../report-data.js";
import type { PairTable } from "../plot-data.js";
import {
  html,
  type Content,
  type Html,
  limits,
  moreNote,
  table,
  verdictBadge,
  type TableColumn,
  badge,
  badgeOfAll,
} from "../html.js";
import { boardPlot, historyPlot, scorePlot } from "../plots.js";

export const rankingsSection: Section = {
  id: "rankings",
  title: "How sure are the rankings?",
  async render({ experiments }: ReportData) {
    const ranked = experiments.filter(({ details }) => isRanked(details));
    const shown: Html[] = [];
    for (const each of ranked)
      if (each.details) shown.push(await ranking(each, each.details, ranked.length <= limits.unfolded));
    const without = experiments.filter(({ details, numbers }) => details === null && numbers > 0).length;
    return html`<p>
        A ranking is as sure as its intervals. Where the rank interval spans several ranks, the raters do not settle
        which item is better; an online Elo also depends on the order in which sessions happened to end.
      </p>
      ${ranked.length === 0 && html`<p>No rankings are published.</p>`} ${shown}
      ${without > 0 && html`<p class="note">${counted(without, "more experiment")} with published numbers ${without === 1 ? "has" : "have"} verdicts above, and no ranking here: <code>recount explain EXPERIMENT METRIC</code> shows its numbers.</p>`}`;
  },
};

/** Whether the page shows a ranking of an experiment. */
export const isRanked = (details: ExperimentDetails | null): boolean =>
  details !== null && (details.boards.length > 0 || details.parts.length > 0);

async function ranking(
  { id, name, type, attention }: ExperimentData,
  details: ExperimentDetails,
  isUnfolded: boolean,
): Promise<Html> {
  const dimensions = [...new Set([...details.boards, ...details.parts].map(({ dimension }) => dimension))];
  const parts: Html[] = [];
  for (const dimension of dimensions) parts.push(await ofDimension(details, dimension));
  return html`<details class="experiment" id="ranking-${id}" ${(isUnfolded || attention > 0) && html` open`}>
    <summary>
      <h3>${name}</h3>
      <span class="note">${type}</span>
    </summary>
    ${parts}
  </details>`;
}

async function ofDimension(details: ExperimentDetails, dimension: string): Promise<Html> {
  const isHere = (of: { readonly dimension: string }): boolean => of.dimension === dimension;
  const boards = details.boards.filter(isHere);
  const main = boards.find(({ isMain }) => isMain);
  const parts = details.parts.filter(isHere).map(partTable);
  const head = dimension !== "" && html`<h4>Dimension ${dimension}</h4>`;
  if (main === undefined) return html`${head} ${parts}`;
  const figures = [await boardPlot(main)];
  for (const history of details.histories.filter(isHere)) figures.push(await historyPlot(history));
  for (const scores of details.scores.filter(isHere)) figures.push(await scorePlot(scores));
  figures.push(...details.pairs.filter(isHere).map(winMatrix));
  const others = boards.filter((board) => board !== main);
  return html`${head}
    <p>${certainty(main)}</p>
    <div class="figures">${figures}</div>
    ${boardTable(main)}
    ${
      others.length > 0 &&
      html`<details>
        <summary>Published against recomputed, by metric</summary>
        ${others.map(boardTable)}
      </details>`
    }
    ${parts}`;
}

/** What the intervals say about the order of the items. */
function certainty({ rows, interval }: Board): string {
  const ranks = rows.flatMap((row) => row.ranks ?? []);
  const fixed = ranks.filter(({ best, worst }) => best === worst).length;
  const spans = rows.flatMap(({ orders }) => (orders === null ? [] : [orders.high - orders.low]));
  const overlaps = rows.slice(1).filter((row, i) => (row.high ?? NaN) > (rows[i]?.low ?? NaN)).length;
  return [
    ranks.length > 0 && `The ratings settle the rank of ${fixed} of ${counted(ranks.length, "item")}.`,
    ranks.length === 0 && interval !== null && rows.length > 1
      ? `${overlaps} of ${counted(rows.length - 1, "pair")} of neighbours have overlapping intervals.`
      : false,
    spans.length > 0 &&
      `In another order of the sessions, an online Elo could differ by up to ${Math.round(Math.max(...spans))}.`,
  ]
    .filter((part) => part !== false)
    .join(" ");
}

/** The columns of a board; an optional one is shown if any of its items has what it shows. */
function boardColumns(rows: readonly BoardRow[]): TableColumn<BoardRow>[] {
  const aligned = (of: (row: BoardRow) => number | null) => columnOfNumbers(rows.map(of));
  const published = aligned(({ row }) => row.published);
  const recomputed = aligned(({ row }) => row.recomputed);
  const low = aligned((row) => row.low);
  const high = aligned((row) => row.high);
  const optional: readonly (TableColumn<BoardRow> & { readonly has: (row: BoardRow) => boolean })[] = [
    {
      head: "Difference",
      as: "num",
      has: ({ row }) => row.verdict !== "exact",
      cell: ({ row }) => row.verdict !== "exact" && differenceText(row),
    },
    {
      head: "Interval",
      as: "num",
      has: (row) => row.low !== null || row.high !== null,
      cell: (row, i) => (row.low !== null || row.high !== null) && `${low[i] ?? ""} – ${high[i] ?? ""}`,
    },
    {
      head: "Rank interval",
      as: "mid",
      has: ({ ranks }) => ranks !== null,
      cell: ({ ranks }) => ranks && (ranks.best === ranks.worst ? ranks.best : `${ranks.best} – ${ranks.worst}`),
    },
    {
      head: "Online Elo over orders",
      as: "num",
      has: ({ orders }) => orders !== null,
      cell: ({ orders }) => orders && `${Math.round(orders.low)} – ${Math.round(orders.high)}`,
    },
    { head: "n", as: "num", has: ({ n }) => n !== null, cell: ({ n }) => n !== null && group(n) },
  ];
  return [
    { head: "Item", as: "item", cell: ({ row }) => row.item },
    { head: "#", as: "num", cell: (_, i) => i + 1 },
    { head: "Published", as: "num", cell: (_, i) => published[i] },
    { head: "Recomputed", as: "num", cell: (_, i) => recomputed[i] },
    ...optional.filter(({ has }) => rows.some(has)),
    { head: "Verdict", cell: ({ row }) => verdictBadge(row) },
  ];
}

function boardTable(board: Board): Html {
  const { kind, field, dimension, places, rows, more, interval, others } = board;
  const off = others.differing.length;
  const rest =
    others.numbers === 0
      ? ""
      : off === 0
        ? ` The ${counted(others.numbers, "number")} of its other fields ${others.numbers === 1 ? "is" : "are"} exact.`
        : ` ${off} of the ${counted(others.numbers, "number")} of its other fields ${off === 1 ? "differs" : "differ"}.`;
  return html`${table(boardColumns(rows), rows, {
    caption: html`<strong>${kind}</strong>${field === "value" ? "" : ` (${field})`}, published in
      ${places.join(", ")}.${interval !== null && ` Interval: ${interval}.`}${rest}`,
    label: `${kind}${dimension === "" ? "" : `, ${dimension}`}`,
  })}${moreNote(more, "items")}`;
}

/** The rankings of jobs beside that of the whole experiment, folded unless one of them has a difference. */
export function partTable({ dimension, kind, items, whole: published, columns, repeats, more }: PartTable): Html {
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
  const all = columnOfNumbers(published);
  const jobColumn = ({ source, places, all: numbers, rows }: PartTable["columns"][number]): TableColumn<string> => {
    const published = columnOfNumbers(rows.map((row) => row?.published ?? null));
    const recomputed = columnOfNumbers(rows.map((row) => row?.recomputed ?? null));
    const cell = (_: string, i: number): Content => {
      const { verdict } = rows[i] ?? {};
      if (verdict === undefined) return "";
      return verdict === "exact" ? published[i] : html`${published[i]} ${badge(toneOf(verdict), recomputed[i] ?? "")}`;
    };
    return { head: html`${sourceText(source) || places.join(", ")} ${badgeOfAll(numbers)}`, as: "num", cell };
  };
  const whole: readonly TableColumn<string>[] = [{ head: "all ratings", as: "num", cell: (_, i) => all[i] }];
  return html`<details ${isOff && html` open`}>
      <summary>${title}</summary>
      ${table(
        [
          { head: "Item", as: "item", cell: (item) => item },
          ...(all.length > 0 ? whole : []),
          ...columns.map(jobColumn),
        ],
        items,
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

/** Steps of the scale of colours, from all lost to all won. */
const shades = 7;
const shade = (share: number): number => Math.min(shades, Math.max(1, Math.ceil((share / 100) * shades)));

/** The win matrix as a heat map that is a table: its numbers are its own text alternative. */
function winMatrix({ dimension, items, share, n, more }: PairTable): Html {
  const cell = (won: number | null, comparisons: number): Content =>
    won === null
      ? html`<td></td>`
      : html`<td class="h${shade(won)}" title="${shortNumber(comparisons)} comparisons">${Math.round(won)}</td>`;
  const label = `Win matrix${dimension === "" ? "" : `, ${dimension}`}`;
  return html`<figure>
    <figcaption>
      <strong>${label}</strong>
      <span class="note"
        >Percent of comparisons that the item of the row won against that of the column; ties are half.</span
      >
    </figcaption>
    <div class="scroll" tabindex="0" role="group" aria-label="${label}">
      <table class="heat" aria-label="${label}">
        <thead>
          <tr>
            <td></td>
            ${items.map((item, i) => html`<th scope="col" title="${item}">${i + 1}<span class="hidden"> ${item}</span></th>`)}
          </tr>
        </thead>
        <tbody>
          ${items.map(
            (item, i) =>
              html`<tr>
                <th scope="row" title="${item}">${i + 1} ${item}</th>
                ${items.map((_, j) => cell(share[i]?.[j] ?? null, n[i]?.[j] ?? 0))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${moreNote(more, "items")}
  </figure>`;
}
