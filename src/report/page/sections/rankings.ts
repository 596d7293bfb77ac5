/** The ranking of an experiment: how sure it is, its plots, and its published numbers. */
import { sourceText } from "../../../audit/index.js";
import { metricKind, type Kind } from "../../../metrics/index.js";
import { counted, groupsOf, joinParts, listed, thousands } from "../../../platform/index.js";
import { toneOf, toneOfRows } from "../../verdict-sentence.js";
import { column, type TableColumns, type TableColumn } from "../../document.js";
import { columnOfNumbers, decimalsWithin, signedDifference, titleOfKind } from "../../numbers.js";
import type { Board, BoardRow, PartColumn, PartTable, Ranking } from "../boards.js";
import type { ExperimentDetails, Statement } from "../report-data.js";
import {
  html,
  type Content,
  type Html,
  folded,
  longTable,
  moreNote,
  table,
  verdictBadge,
  badge,
  badgeOfAll,
} from "../html.js";
import { historyPlot, matrixPlot, rankingPlot, scorePlot } from "../plots.js";

/** Who is first in one dimension, and how sure that is. */
export function firstPlace(ranking: Ranking, statement: Statement | undefined): Html {
  const { title, dimension, rows, first, reference } = ranking;
  const aside = reference === null ? "" : ", without the hidden reference";
  const count = rows.length - (reference === null ? 0 : 1);
  return html`${dimension !== "" && `${dimension}: `}<strong>${first}</strong> is first of
    ${thousands(count)} by ${title}${aside}.
    ${joinParts([withoutIntervals(ranking), statement?.answer || certainty(ranking)], " ")}`;
}

const withoutIntervals = ({ kind, rows }: Ranking): string | false =>
  kind === "mean" &&
  rows.every(({ low, high }) => low === null && high === null) &&
  "There are no intervals: they need at least two raters.";

/** What the intervals of the first items say. */
function certainty({ rows, first, next }: Ranking): string {
  const [leader, second] = [first, next].map((name) => rows.find(({ item }) => item === name));
  if (leader?.rank_worst === 1) return "It stays first when raters are resampled.";
  if (leader?.rank_worst)
    return `When raters are resampled, its rank is 1 to ${leader.rank_worst}.`;
  const [low, high] = [leader?.low ?? null, second?.high ?? null];
  if (low === null || high === null) return "";
  const overlaps = high > low ? "overlaps" : "does not overlap";
  return `Its 95\u00a0% interval ${overlaps} that of ${second?.item ?? ""}.`;
}

/** Everything about the ranking in one dimension. */
export function dimensionRankings(
  details: ExperimentDetails,
  dimension: string,
  ranking: Ranking | undefined,
  statement: Statement | undefined,
): Html {
  const isHere = (of: { readonly dimension: string }): boolean => of.dimension === dimension;
  const boards = details.boards.filter(isHere);
  const isOff = ({ rows, others }: Board): boolean =>
    others.differing.length > 0 || rows.some(({ row }) => row.verdict !== "exact");
  const exact = boards.filter((board) => !isOff(board));
  const figures = [
    ...details.scores.filter(isHere).map(scorePlot),
    ...details.histories
      .filter(isHere)
      .filter(({ sessions }) => sessions.length > 3)
      .map(historyPlot),
    ...details.pairs.filter(isHere).map(matrixPlot),
  ];
  return html`${dimension !== "" && html`<h4>Dimension ${dimension}</h4>`}
    ${ranking && [rankingPlot(ranking), moreNote(ranking.more, "items")]} ${statement?.content}
    ${ranking && otherMetrics(ranking)}
    ${
      exact.length > 0 &&
      folded(
        `Published numbers, all exact: ${listed(exact.map(({ title }) => title))}`,
        exact.map(boardTable),
      )
    }
    ${boards.filter(isOff).map(boardTable)} ${details.parts.filter(isHere).map(partTable)}
    <div class="figures">${figures}</div>`;
}

/** Why a metric may rank another item first than the others do. */
const weighs: Partial<Record<Kind, string>> = {
  elo: "online Elo weighs the last sessions most",
  bayesian_elo: "Bayesian Elo also pulls items with few comparisons towards the middle",
  percent_chosen: "shares of wins ignore who the opponents were",
  percent_approved: "shares of approval count only on which side of the middle a score is",
  mean: "a mean takes into account how high each score is",
  bradley_terry: "Bradley-Terry weighs all comparisons alike and takes opponents into account",
};

/** The items by the other metrics, folded, and why those may have another first item. */
function otherMetrics({ kind, title, rows, others, first }: Ranking): Html | false {
  const ranking = others.filter((other) => weighs[other.kind as Kind] !== undefined);
  const leads = ranking.flatMap(({ kind: other, rows: [leader] }) =>
    leader === undefined ? [] : [{ kind: other, item: leader.item }],
  );
  const against = leads.filter(({ item }) => item !== first);
  const said = [...groupsOf(against, ({ item }) => item)].map(
    ([item, own]) => `${item} is first by ${listed(own.map((one) => titleOfKind(one.kind)))}`,
  );
  const why = [kind, ...new Set(against.map((one) => one.kind))].map(
    (each) => weighs[each as Kind] ?? "",
  );
  const columnOf = (other: Ranking["others"][number]): TableColumn<{ item: string }, string> => {
    const numbers = new Map(other.rows.map((row) => [row.item, row]));
    const values = columnOfNumbers(
      rows.map(({ item }) => numbers.get(item)?.value ?? null),
      decimalsWithin(
        other.rows.map(({ low, high, p025_over_orders, p975_over_orders }) => ({
          low: low ?? p025_over_orders,
          high: high ?? p975_over_orders,
        })),
      ),
    );
    const cells = rows.map(({ item }, i) => {
      const rank = numbers.get(item)?.rank;
      return rank === undefined ? "" : `${values[i] ?? ""} (${rank})`;
    });
    return { head: titleOfKind(other.kind), as: "num", cells: () => cells };
  };
  return (
    ranking.length > 0 &&
    folded(`By other metrics: ${listed(ranking.map((other) => titleOfKind(other.kind)))}`, [
      said.length > 0 && html`<p>${joinParts(said, "; ")}. The metrics differ: ${listed(why)}.</p>`,
      longTable(rows, [column.item("Item", ({ item }) => item), ...ranking.map(columnOf)], {
        caption: `Recomputed numbers and, in brackets, ranks; the items in the order of ${title}`,
        label: "Ranking by other metrics",
        what: "item",
      }),
    ])
  );
}

/** The columns of a board; those that show nothing of any item are left out. */
function boardColumns(rows: readonly BoardRow[]): TableColumns<BoardRow, Content> {
  const isExact = rows.every(({ row }) => row.verdict === "exact");
  const besides = rows.map(({ beside }) => ({
    low: beside?.low ?? null,
    high: beside?.high ?? null,
  }));
  const orders = rows.map(({ beside }) => ({
    low: beside?.p025_over_orders ?? null,
    high: beside?.p975_over_orders ?? null,
  }));
  // What differs has its digits: the difference may be in the last of them.
  const decimals = isExact ? Math.min(decimalsWithin(besides), decimalsWithin(orders)) : Infinity;
  const numbers = (
    head: string,
    of: (row: BoardRow["row"]) => number | null,
  ): TableColumn<BoardRow, string> => ({
    head,
    as: "num",
    cells: (own) =>
      columnOfNumbers(
        own.map(({ row }) => of(row)),
        decimals,
      ),
  });
  const ends = (head: string, all: typeof besides): TableColumn<BoardRow, string> | false => {
    const most = decimalsWithin(all);
    const [lows, highs] = (["low", "high"] as const).map((end) =>
      columnOfNumbers(
        all.map((one) => one[end]),
        most,
      ),
    );
    const texts = all.map(({ low, high }, i) =>
      low === null && high === null ? "" : `${lows?.[i] ?? ""} to ${highs?.[i] ?? ""}`,
    );
    return texts.some((text) => text !== "") && { head, as: "num", cells: () => texts };
  };
  return [
    column.item("Item", ({ row }) => row.item),
    numbers("Published", ({ published }) => published),
    !isExact && numbers("Recomputed", ({ recomputed }) => recomputed),
    !isExact &&
      column.num("Difference", ({ row }) => row.verdict !== "exact" && signedDifference(row)),
    ends("Interval", besides),
    ends("In other orders of the sessions", orders),
    rows.some(({ beside }) => beside?.n) && column.num("n", ({ beside }) => beside?.n),
    !isExact && column.plain("Verdict", ({ row }) => verdictBadge(row)),
  ];
}

function boardTable({
  title,
  field,
  dimension,
  places,
  rows,
  more,
  interval,
  others: { numbers, differing },
}: Board): Html {
  const off = differing.length;
  const rest =
    numbers === 0
      ? ""
      : off === 0
        ? ` Its ${counted(numbers, "other number")} ${numbers === 1 ? "is" : "are"} exact too.`
        : ` ${off} of its ${counted(numbers, "other number")} ${off === 1 ? "differs" : "differ"}.`;
  return html`${longTable(rows, boardColumns(rows), {
    what: "item",
    caption: html`<strong>${title}</strong>${field === "value" ? "" : ` (${field})`}, published in
      ${places.join(", ")}.${interval !== "" && ` Interval: ${interval}.`}${rest}`,
    label: joinParts([title, dimension]),
  })}${moreNote(more, "items")}`;
}

/**
 * The rankings of jobs beside that of the whole experiment, folded unless one of them has a
 * difference.
 */
export function partTable({
  dimension,
  kind,
  items,
  whole,
  columns,
  repeats,
  more,
}: PartTable): Html {
  const same =
    repeats.length > 0 &&
    html`<p class="note">
      The ranking of ${sourceText(repeats.join(","))} is that of the whole experiment, number for
      number.
    </p>`;
  if (columns.length === 0) return html`${same}`;
  const jobs = columns.filter(({ source }) => source !== "").length;
  const lists = columns.length - jobs;
  const counts = [jobs > 0 && counted(jobs, "job"), lists > 0 && counted(lists, "other list")];
  const title = `Rankings of ${joinParts(counts, " and ")}`;
  const isOff = columns.some(({ all }) => toneOfRows(all) !== "ok");
  const jobColumn = ({ source, places, all, rows }: PartColumn): TableColumn<string, Content> => {
    const published = columnOfNumbers(rows.map((row) => row?.published ?? null));
    const recomputed = columnOfNumbers(rows.map((row) => row?.recomputed ?? null));
    const cells = rows.map((row, i) => {
      if (row === null || row.verdict === "exact") return row && published[i];
      return html`${published[i]} ${badge(toneOf(row.verdict), recomputed[i] ?? "")}`;
    });
    return {
      head: html`${sourceText(source) || places.join(", ")} ${badgeOfAll(all)}`,
      as: "num",
      cells: () => cells,
    };
  };
  const ranked = table(
    items,
    [
      column.item("Item", (item) => item),
      whole.length > 0 && {
        ...column.num("all ratings", () => null),
        cells: () => columnOfNumbers(whole),
      },
      ...columns.map(jobColumn),
    ],
    {
      caption: html`<strong>${metricKind(kind).title}</strong> as published; beside a number that is
        not exact, the recomputed one. The badge of a column counts all its published numbers, of
        every metric.`,
      label: joinParts([`${title} by ${metricKind(kind).title}`, dimension]),
    },
  );
  return html`${folded(
    title,
    [ranked, moreNote(more.items, "items"), moreNote(more.columns, "rankings")],
    isOff,
  )}
  ${same}`;
}
