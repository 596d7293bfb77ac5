import { sourceText } from "../../../audit/index.js";
import { metricKind, type Kind } from "../../../metrics/index.js";
import { counted, groupsOf, listed, thousands } from "../../../platform/index.js";
import { toneOf, toneOfRows } from "../../verdict-sentence.js";
import { columnOfNumbers, decimalsIn, differenceText } from "../../numbers.js";
import type { Board, BoardRow, PartTable } from "../boards.js";
import type { ExperimentData, ExperimentDetails, ReportData, Section } from "../report-data.js";
import {
  html,
  type Content,
  type Html,
  limits,
  longTable,
  moreNote,
  table,
  verdictBadge,
  type TableColumn,
  badge,
  badgeOfAll,
} from "../html.js";
import { boardPlot, historyPlot, matrixPlot, rangeText, scorePlot } from "../plots.js";

export const rankingsSection: Section = {
  id: "rankings",
  title: "How sure are the rankings?",
  render({ experiments }: ReportData) {
    const ranked = experiments.filter(({ details }) => isRanked(details));
    const isShort = ranked.length <= limits.unfolded;
    const open = ranked.slice(0, ranked.length <= limits.open ? limits.open : isShort ? 1 : 0);
    const shown = (own: readonly ExperimentData[]): Html[] =>
      own.flatMap((each) => (each.details ? [ranking(each, each.details, open.includes(each))] : []));
    const [off, exact] = [
      ranked.filter(({ attention }) => attention > 0),
      ranked.filter(({ attention }) => attention === 0),
    ];
    const folded = (own: readonly ExperimentData[], what: string, says: string): Html | false =>
      own.length > 0 &&
      html`<details>
        <summary>Rankings of ${counted(own.length, what)} ${says} differences</summary>
        ${shown(own)}
      </details>`;
    const without = experiments.filter(({ details, numbers }) => details === null && numbers > 0).length;
    return html`<p>
        A ranking is as sure as its intervals. Where the rank interval spans several ranks, the raters do not settle
        which item is better. An online Elo also depends on the order in which sessions happened to end.
      </p>
      ${ranked.length === 0 && html`<p>No rankings are published.</p>`}
      ${
        isShort
          ? shown(ranked)
          : [
              shown(off.slice(0, limits.open)),
              folded(off.slice(limits.open), "more experiment", "with"),
              folded(exact, "experiment", "without"),
            ]
      }
      ${without > 0 && html`<p class="note">${counted(without, "more experiment")} with published numbers ${without === 1 ? "has" : "have"} verdicts above, and no ranking here: <code>recount explain EXPERIMENT METRIC</code> shows its numbers.</p>`}`;
  },
};

/** Whether the page shows a ranking of an experiment. */
export const isRanked = (details: ExperimentDetails | null): boolean =>
  details !== null && (details.boards.length > 0 || details.parts.length > 0);

/** A ranking whose summary says who is first and how sure that is. */
function ranking({ id, name, type }: ExperimentData, details: ExperimentDetails, isOpen: boolean): Html {
  const dimensions = [...new Set([...details.boards, ...details.parts].map(({ dimension }) => dimension))];
  const parts = dimensions.map((dimension) => ofDimension(details, dimension));
  const answers = details.boards.filter(({ isMain }) => isMain).map(answer);
  return html`<details class="experiment" id="ranking-${id}" ${isOpen && html` open`}>
    <summary>
      <h3>${name}</h3>
      <span class="note">${typeText(type)}</span>
      ${answers.map((says) => html`<span class="answer">${says}</span>`)}
    </summary>
    ${parts}
  </details>`;
}

/** A type of experiment as words. */
export const typeText = (type: string | null): string => (type ?? "").replaceAll("_", " ");

function answer(board: Board): string {
  const { title, dimension, rows } = board;
  const [first] = rows;
  const where = dimension === "" ? "" : `${dimension}: `;
  const leads = first ? `${first.row.item} is first of ${thousands(rows.length)} by ${title}. ` : "";
  return `${where}${leads}${certainty(board)}`;
}

function ofDimension(details: ExperimentDetails, dimension: string): Html {
  const isHere = (of: { readonly dimension: string }): boolean => of.dimension === dimension;
  const boards = details.boards.filter(isHere);
  const main = boards.find(({ isMain }) => isMain);
  const parts = details.parts.filter(isHere).map(partTable);
  const head = dimension !== "" && html`<h4>Dimension ${dimension}</h4>`;
  if (main === undefined) return html`${head} ${parts}`;
  const figures = [
    ...details.scores.filter(isHere).map(scorePlot),
    ...details.histories.filter(isHere).map(historyPlot),
    ...details.pairs.filter(isHere).map(matrixPlot),
  ];
  const isOff = ({ rows, others }: Board): boolean =>
    others.differing.length > 0 || rows.some(({ row }) => row.verdict !== "exact");
  const exact = boards.filter((board) => !isOff(board));
  return html`${head} ${leaders(boards)} ${boardPlot(main)}
    <div class="figures">${figures}</div>
    ${boards.filter(isOff).map(boardTable)}
    ${
      exact.length > 0 &&
      html`<details>
        <summary>Published and recomputed numbers: ${listed(exact.map(({ title }) => title))}</summary>
        ${exact.map(boardTable)}
      </details>`
    }
    ${parts}`;
}

/** Why a metric may rank another item first than the others do. */
const weighs: Partial<Record<Kind, string>> = {
  elo: "online Elo weighs the last sessions most",
  bayesian_elo: "Bayesian Elo weighs all comparisons alike and takes the strength of opponents into account",
  percent_chosen: "shares of wins ignore who the opponents were",
  percent_approved: "shares of approval count only on which side of the middle a score is",
  mean: "a mean takes into account how high each score is",
};

/** A sentence if the metrics of a dimension do not agree on the first item. */
function leaders(boards: readonly Board[]): Html | null {
  const firsts = boards.flatMap(({ kind, title, rows: [first] }) =>
    first === undefined || weighs[kind] === undefined ? [] : [{ kind, title, item: first.row.item }],
  );
  if (new Set(firsts.map(({ item }) => item)).size < 2) return null;
  const items = [...groupsOf(firsts, ({ item }) => item)];
  const said = items.map(([item, own]) => `${item} is first by ${listed(own.map(({ title }) => title))}`);
  return html`<p>${said.join("; ")}. The metrics differ: ${listed(firsts.map(({ kind }) => weighs[kind] ?? ""))}.</p>`;
}

/** What the intervals say about the order of the items. */
function certainty({ rows, interval }: Board): string {
  const ranks = rows.flatMap((row) => row.ranks ?? []);
  const fixed = ranks.filter(({ best, worst }) => best === worst).length;
  const spans = rows.flatMap(({ orders }) => (orders === null ? [] : [orders.high - orders.low]));
  const pairs = rows.slice(1).filter((row, i) => row.high !== null && (rows[i]?.low ?? null) !== null).length;
  const overlaps = rows.slice(1).filter((row, i) => (row.high ?? NaN) > (rows[i]?.low ?? NaN)).length;
  return [
    ranks.length > 0 && `The ratings settle the rank of ${fixed} of ${counted(ranks.length, "item")}.`,
    ranks.length === 0 &&
      pairs > 0 &&
      `${overlaps} of ${counted(pairs, "pair")} of neighbours ${overlaps === 1 ? "has" : "have"} overlapping intervals.`,
    interval !== null &&
      rows.every(({ low, high }) => low === null && high === null) &&
      "There are no intervals: they need at least two raters.",
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
  const [low, high] = intervalEnds(rows, Math.max(0, ...[...published, ...recomputed].map(decimalsIn)));
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
      cell: (row, i) => (row.low !== null || row.high !== null) && `${low?.[i] ?? ""}–${high?.[i] ?? ""}`,
    },
    {
      head: "Rank interval",
      as: "mid",
      has: ({ ranks }) => ranks !== null,
      cell: ({ ranks }) => ranks && rangeText(ranks),
    },
    {
      head: "Online Elo over orders",
      as: "num",
      has: ({ orders }) => orders !== null,
      cell: ({ orders }) => orders && `${Math.round(orders.low)}–${Math.round(orders.high)}`,
    },
    { head: "n", as: "num", has: ({ n }) => n !== null, cell: ({ n }) => n !== null && thousands(n) },
  ];
  return [
    { head: "Item", as: "item", cell: ({ row }) => row.item },
    { head: "Published", as: "num", cell: (_, i) => published[i] },
    { head: "Recomputed", as: "num", cell: (_, i) => recomputed[i] },
    ...optional.filter(({ has }) => rows.some(has)),
    { head: "Verdict", cell: ({ row }) => verdictBadge(row) },
  ];
}

/** The ends of intervals with the decimals of the numbers, and with more where two digits of the narrowest width need them. */
function intervalEnds(rows: readonly BoardRow[], decimals: number): string[][] {
  const widths = rows.map((row) => (row.high ?? NaN) - (row.low ?? NaN)).filter((width) => width > 0);
  const most = Math.max(decimals, 1 - Math.floor(Math.log10(Math.min(...widths))));
  return (["low", "high"] as const).map((end) =>
    columnOfNumbers(
      rows.map((row) => row[end]),
      most,
    ),
  );
}

function boardTable(board: Board): Html {
  const { title, field, dimension, places, rows, more, interval, others } = board;
  const off = others.differing.length;
  const rest =
    others.numbers === 0
      ? ""
      : off === 0
        ? ` The ${counted(others.numbers, "number")} of its other fields ${others.numbers === 1 ? "is" : "are"} exact.`
        : ` ${off} of the ${counted(others.numbers, "number")} of its other fields ${off === 1 ? "differs" : "differ"}.`;
  return html`${longTable(boardColumns(rows), rows, {
    what: "item",
    caption: html`<strong>${title}</strong>${field === "value" ? "" : ` (${field})`}, published in
      ${places.join(", ")}.${interval !== null && ` Interval: ${interval}.`}${rest}`,
    label: `${title}${dimension === "" ? "" : `, ${dimension}`}`,
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
          caption: html`<strong>${metricKind(kind).title}</strong> as published; beside a number that is not exact, the
            recomputed one. The badge of a column counts all its published numbers, of every metric.`,
          label: `${title} by ${metricKind(kind).title}${dimension === "" ? "" : `, ${dimension}`}`,
        },
      )}
      ${moreNote(more.items, "items")}${moreNote(more.columns, "rankings")}
    </details>
    ${same}`;
}
