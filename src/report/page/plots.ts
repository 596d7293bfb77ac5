/** The plots of a page. */
import { joinParts, thousands } from "../../platform/index.js";
import { columnOfNumbers, decimalsWithin, shortNumber } from "../numbers.js";
import type { Ranking } from "./boards.js";
import { folded, html, pageLimits, type Content, type Html } from "./html.js";

/** A scale whose positions are percents of its length, with round ticks. */
interface Axis {
  readonly ticks: readonly number[];
  readonly from: number;
  readonly to: number;
  readonly at: (value: number) => number;
}

/** An axis over all values, with a little room at its ends. */
function axisOf(values: readonly number[]): Axis {
  const lowest = values.reduce((a, b) => Math.min(a, b), Infinity);
  const highest = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const start = Number.isFinite(lowest) ? lowest : 0;
  const length = Number.isFinite(highest) && highest > start ? highest - start : 1;
  const [from, to] = [start - 0.03 * length, start + 1.03 * length];
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

/** A value and its interval. */
const marksOf = ({ at }: Axis, { value, low, high }: Ranking["rows"][number]): Content => [
  low !== null &&
    high !== null &&
    html`<line class="bar" x1="${at(low)}%" x2="${at(high)}%" y1="50%" y2="50%" />`,
  value !== null && html`<circle class="dot" cx="${at(value)}%" cy="50%" r="4" />`,
];

/** @param ranks rank interval of each item */
export function rankingPlot(
  { kind, title, dimension, rows, interval, reference }: Ranking,
  ranks: ReadonlyMap<string, string>,
): Html {
  const numbers = rows.flatMap(({ value, low, high }) => [value, low, high]);
  const axis = axisOf(numbers.filter((one) => one !== null));
  const hasRanks = ranks.size > 0;
  const values = columnOfNumbers(
    rows.map(({ value }) => value),
    decimalsWithin(rows),
  );
  const bars = rows.every(({ low }) => low === null)
    ? ""
    : `; bars: 95\u00a0% intervals, ${interval}`;
  const rankText = hasRanks ? "; ranks: 95\u00a0% intervals, by Holm's test" : "";
  const aside = reference === null ? "" : `; the hidden reference, ${reference}, is set aside`;
  return rowsPlot({
    title: inDimension(`Ranking by ${title}`, dimension),
    says: `Recomputed from the ratings${bars}${rankText}${aside}.`,
    heads: ["Item", kind === "mean" ? "Mean" : "Log worth", ...(hasRanks ? ["Ranks"] : [])],
    axis,
    rows: rows.map((each, i) => ({
      item: each.item,
      marks: marksOf(axis, each),
      cells: [values[i], ...(hasRanks ? [ranks.get(each.item) ?? ""] : [])],
    })),
    kind: "hero",
  });
}
