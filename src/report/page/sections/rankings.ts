/** The ranking of an experiment: how sure it is, its plots, and its published numbers. */
import { counted, joinParts, listed, thousands } from "../../../platform/index.js";
import { column, type TableColumns, type TableColumn } from "../../document.js";
import { columnOfNumbers, decimalsWithin, signedDifference } from "../../numbers.js";
import { fewOf } from "../../findings.js";
import { directionAdvice, orderNote } from "../../order.js";
import type { Board, BoardRow, Ranking } from "../boards.js";
import type { ExperimentDetails, Statement } from "../report-data.js";
import {
  html,
  type Content,
  type Html,
  folded,
  longTable,
  moreNote,
  verdictBadge,
  withCode,
} from "../html.js";
import { rankingPlot } from "../plots.js";

/** Who is first in one dimension, and how sure that is. */
export function firstPlace(ranking: Ranking, statement: Statement | undefined): Html {
  const { title, dimension, rows, more, first, tied, reference, direction, apart } = ranking;
  const aside = reference === null ? "" : ", without the hidden reference";
  const count = rows.length + more - (reference === null ? 0 : 1);
  const place = direction === null ? "highest" : "first";
  const isOne = count > 1 && tied.length === 0;
  const notes = [withoutIntervals(ranking), orderNote(ranking), isOne && statement?.answer];
  const is =
    count > 1
      ? html`${isOne ? "is" : "are"} ${place} of ${thousands(count)} by ${title}${aside}.`
      : html`is the only item that can be ranked${aside}.`;
  return html`${dimension !== "" && `${dimension}: `}${joinParts(apart, " ")}
    <strong>${fewOf([first, ...tied])}</strong> ${is} ${joinParts(notes, " ")}`;
}

const withoutIntervals = ({ kind, rows }: Ranking): string | false =>
  kind === "mean" &&
  rows.every(({ low, high }) => low === null && high === null) &&
  "There are no intervals: they need at least two raters.";

/** Everything about the ranking in one dimension. */
export function dimensionRankings(
  details: ExperimentDetails,
  dimension: string,
  rankings: readonly Ranking[],
  statementOf: (ranking: Ranking) => Statement | undefined,
  isOfFiles: boolean,
): Html {
  const isHere = (of: { readonly dimension: string }): boolean => of.dimension === dimension;
  const boards = details.boards.filter(isHere);
  const isOff = ({ rows, others }: Board): boolean =>
    others.differing.length > 0 || rows.some(({ row }) => row.verdict !== "exact");
  const exact = boards.filter((board) => !isOff(board));
  return html`${dimension !== "" && html`<h4>Dimension ${dimension}</h4>`}
  ${rankings.map((each) => [
    rankingPlot(each, statementOf(each)?.ranks ?? new Map()),
    moreNote(each.more, "items"),
  ])}
  ${
    rankings[0]?.direction === null &&
    html`<p class="note">${withCode(directionAdvice(isOfFiles))}</p>`
  }
  ${rankings[0] && statementOf(rankings[0])?.content}
  ${
    exact.length > 0 &&
    folded(
      `Published numbers, all exact: ${listed(exact.map(({ title }) => title))}`,
      exact.map(boardTable),
    )
  }
  ${boards.filter(isOff).map(boardTable)}`;
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
