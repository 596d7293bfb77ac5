/** The plots of a page. */
import { joinParts, thousands } from "../../platform/index.js";
import { columnOfNumbers, decimalsWithin, shortNumber } from "../numbers.js";
import type { Ranking } from "./boards.js";
import type { ScoreTable } from "./plot-data.js";
import { folded, html, pageLimits, type Content, type Html } from "./html.js";

/** A scale whose positions are percents of its length, with round ticks. */
interface Axis {
  readonly ticks: readonly number[];
  readonly from: number;
  readonly to: number;
  readonly at: (value: number) => number;
}

/** An axis over all values, with a little room at its ends, or between given ends. */
function axisOf(values: readonly number[], ends?: readonly [number, number]): Axis {
  const lowest = ends?.[0] ?? values.reduce((a, b) => Math.min(a, b), Infinity);
  const highest = ends?.[1] ?? values.reduce((a, b) => Math.max(a, b), -Infinity);
  const start = Number.isFinite(lowest) ? lowest : 0;
  const length = Number.isFinite(highest) && highest > start ? highest - start : 1;
  const room = ends === undefined ? 0.03 * length : 0;
  const [from, to] = [start - room, start + length + room];
  const power = 10 ** Math.floor(Math.log10(length / 4));
  const step = power * ([1, 2, 5].find((each) => length / (each * power) <= 5.5) ?? 10);
  const [first, last] = [Math.ceil(from / step), Math.floor(to / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
  const at = (value: number): number =>
    tenth(Math.min(100, Math.max(0, (100 * (value - from)) / (to - from))));
  return { ticks, from, to, at };
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

function shortName(name: string, letters: number): string {
  const all = Array.from(name);
  return all.length <= letters ? name : `${all.slice(0, letters - 1).join("")}…`;
}

/** A name of which a tooltip has what does not fit. */
function nameCell(name: string): Html {
  const short = shortName(name, pageLimits.name);
  return html`<span ${short !== name && html`title="${name}"`}>${short}</span>`;
}

const figure = (title: string, says: Content, content: Content, kind = ""): Html =>
  html`<figure class="${kind}">
    <figcaption><strong>${title}</strong> <span class="note">${says}</span></figcaption>
    ${content}
  </figure>`;

const inDimension = (title: string, dimension: string): string => joinParts([title, dimension]);

const gridLines = ({ ticks, at }: Axis): Html[] =>
  ticks.map(
    (tick) => html`<line class="grid" x1="${at(tick)}%" x2="${at(tick)}%" y1="0" y2="100%" />`,
  );

/** A label at the end of an axis is aligned with it, so that it stays within the plot. */
const tickLabels = ({ ticks, at }: Axis, y: number): Html[] =>
  ticks.map((tick) => {
    const anchor = at(tick) < 4 ? "start" : at(tick) > 96 ? "end" : "middle";
    return html`<text x="${at(tick)}%" y="${y}" text-anchor="${anchor}"
      >${shortNumber(tick)}</text
    >`;
  });

interface PlottedRow {
  readonly item: string;
  readonly marks: Content;
  /** What its row shows behind the plot. */
  readonly cells: readonly Content[];
}

interface RowsPlot {
  readonly title: string;
  readonly says: string;
  readonly axis: Axis;
  /** What the rows are, then what their cells are. */
  readonly heads: readonly string[];
  readonly rows: readonly PlottedRow[];
  readonly kind?: string;
}

/** A table, so that names and numbers are text at any width. */
function rowsPlot({ title, says, axis, heads: [what = "", ...heads], rows, kind }: RowsPlot): Html {
  const part = (own: readonly PlottedRow[], before: number): Html =>
    html`<table class="rows${rows.length > 20 ? " dense" : ""}" aria-label="${title}">
      <thead>
        <tr>
          <th scope="col" class="num">#</th>
          <th scope="col">${what}</th>
          <th scope="col" class="plot">
            <span class="hidden">Plot</span
            ><svg aria-hidden="true" height="16">${tickLabels(axis, 12)}</svg>
          </th>
          ${heads.map((head) => html`<th scope="col" class="num">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${own.map(
          ({ item, marks, cells }, i) =>
            html`<tr>
              <td class="num">${before + i + 1}</td>
              <th scope="row">${nameCell(item)}</th>
              <td class="plot"><svg aria-hidden="true">${gridLines(axis)}${marks}</svg></td>
              ${cells.map((cell) => html`<td class="num">${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`;
  const rest = rows.slice(pageLimits.plotted);
  const more =
    rest.length > 0 &&
    folded(`${thousands(rest.length)} more items`, part(rest, pageLimits.plotted));
  return figure(title, says, [part(rows.slice(0, pageLimits.plotted), 0), more], kind);
}

/** An interval, its ends marked where they are beyond the scale. */
const bar = (axis: Axis, kind: string, low: number | null, high: number | null): Content =>
  low !== null &&
  high !== null &&
  html`<line
      class="${kind}"
      x1="${axis.at(low)}%"
      x2="${axis.at(high)}%"
      y1="50%"
      y2="50%"
    />${low < axis.from && html`<text x="0" y="50%" dy="4">◂</text>`}${
      high > axis.to && html`<text x="100%" y="50%" dy="4" text-anchor="end">▸</text>`
    }`;

const circle = (axis: Axis, value: number | null, kind: string, radius: number): Content =>
  value !== null && html`<circle class="${kind}" cx="${axis.at(value)}%" cy="50%" r="${radius}" />`;

export function rankingPlot({ kind, title, dimension, rows, interval, reference }: Ranking): Html {
  const axis = axisOfRanking(rows);
  const hasRanks = rows.some(({ rank_best }) => rank_best !== null);
  const values = columnOfNumbers(
    rows.map(({ value }) => value),
    decimalsWithin(rows),
  );
  const bars = rows.every(({ low }) => low === null)
    ? ""
    : `; bars: 95\u00a0% intervals, ${interval}`;
  const aside = reference === null ? "" : `; the hidden reference, ${reference}, is set aside`;
  return rowsPlot({
    title: inDimension(`Ranking by ${title}`, dimension),
    says: `Recomputed from the ratings${bars}${aside}.`,
    heads: ["Item", kind === "mean" ? "Mean" : "Log worth", ...(hasRanks ? ["Ranks"] : [])],
    axis,
    rows: rows.map((each, i) => ({
      item: each.item,
      marks: rankingMarks(axis, each, 4),
      cells: [values[i], ...(hasRanks ? [rangeText(each)] : [])],
    })),
    kind: "hero",
  });
}

type RankedItem = Ranking["rows"][number];

const axisOfRanking = (rows: readonly RankedItem[]): Axis =>
  axisOf(rows.flatMap(({ value, low, high }) => [value, low, high].filter((one) => one !== null)));

const rankingMarks = (axis: Axis, { value, low, high }: RankedItem, radius: number): Content => [
  bar(axis, "bar", low, high),
  circle(axis, value, "dot", radius),
];

/** Pixels of an item in a strip. */
const stripRow = 6;

/** The first items of a ranking in little: what it says is beside it in words. */
export function rankingStrip({ rows: all }: Ranking): Html {
  const rows = all.slice(0, pageLimits.strip);
  const axis = axisOfRanking(rows);
  return html`<svg class="strip" aria-hidden="true" height="${stripRow * rows.length}">
    ${rows.map(
      (each, i) =>
        html`<svg aria-hidden="true" y="${stripRow * i}" height="${stripRow}">
          ${rankingMarks(axis, each, 2.5)}
        </svg>`,
    )}
  </svg>`;
}

/** A number of a plot: the table beside it has all its digits. */
const plotNumber = (value: number | null): string =>
  value === null
    ? "–"
    : Math.abs(value) >= 1000
      ? String(Math.round(value))
      : String(Number(value.toPrecision(4)));

/** "3" or "3–5"; "" for null. */
const rangeText = ({
  rank_best,
  rank_worst,
}: Pick<RankedItem, "rank_best" | "rank_worst">): string =>
  rank_best === rank_worst ? String(rank_best ?? "") : `${rank_best ?? ""}–${rank_worst ?? ""}`;

/** Percent of an item's ratings at which its cells get darker. */
const steps = [4, 10, 20, 40];

/** Darker is more often; with the mean and its interval. */
export function scorePlot({ dimension, scores, width, items }: ScoreTable): Html {
  const gaps = scores.slice(1).map((score, i) => score - (scores[i] ?? 0));
  const size = width > 0 ? width : Math.min(...gaps, ...(gaps.length === 0 ? [1] : []));
  const from = (score: number): number => (width === 0 ? score - size / 2 : score);
  const axis = axisOf([], [from(scores[0] ?? 0), from(scores.at(-1) ?? 0) + size]);
  const rows = items.map((each): PlottedRow => {
    const { item, counts, n, mean, clustered_ci_low: low, clustered_ci_high: high } = each;
    const cells = counts.map((count, i) => {
      const start = from(scores[i] ?? 0);
      const [x, end] = [axis.at(start), axis.at(start + size)];
      const shade = 1 + steps.filter((step) => (100 * count) / n >= step).length;
      return (
        count > 0 &&
        html`<rect class="q${shade}" x="${x}%" width="${tenth(end - x)}%" y="0" height="100%" />`
      );
    });
    const marks = [cells, bar(axis, "span", low, high), circle(axis, mean, "mean", 4)];
    return { item, marks, cells: [plotNumber(mean), thousands(n)] };
  });
  const ends = items
    .flatMap((each) => [each.clustered_ci_low, each.clustered_ci_high])
    .filter((end) => end !== null);
  const isBeyond = ends.some((end) => end < axis.from || end > axis.to);
  const says = joinParts(
    [
      `Darker means more of an item's ratings: from below ${steps[0] ?? 0} % to above ` +
        `${steps.at(-1) ?? 0} %.`,
      `Dots are means${ends.length > 0 ? " with their intervals" : ""}.`,
      isBeyond && "◂ and ▸: the interval goes beyond the scale.",
    ],
    " ",
  );
  return rowsPlot({
    title: inDimension("Distribution of scores", dimension),
    says,
    heads: ["Item", "Mean", "Ratings"],
    axis: width === 0 ? { ...axis, ticks: scores } : axis,
    rows,
  });
}
