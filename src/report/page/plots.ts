/** The plots of a page. */
import { joinParts, thousands } from "../../platform/index.js";
import { columnOfNumbers, decimalsWithin, shortNumber } from "../numbers.js";
import type { Ranking } from "./boards.js";
import type { ExperimentDetails } from "./report-data.js";
import type { PairTable, ScoreTable, SessionHistory } from "./plot-data.js";
import { folded, html, pageLimits, moreNote, trusted, type Content, type Html } from "./html.js";

/** A scale whose positions are percents of its length, with round ticks. */
export interface Axis {
  readonly ticks: readonly number[];
  /** Its ends. */
  readonly from: number;
  readonly to: number;
  readonly at: (value: number) => number;
}

/** An axis over all values, with a little room at its ends, or between given ends. */
export function axisOf(values: readonly number[], ends?: readonly [number, number]): Axis {
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

/** The first letters of a name. */
function shortName(name: string, letters: number): string {
  const all = Array.from(name);
  return all.length <= letters ? name : `${all.slice(0, letters - 1).join("")}…`;
}

/** A name of which a tooltip has what does not fit. */
function nameCell(name: string): Html {
  const short = shortName(name, pageLimits.name);
  return html`<span ${short !== name && html`title="${name}"`}>${short}</span>`;
}

/** A figure with its title and the main thing to see in it. */
const figure = (title: string, says: Content, content: Content, kind = ""): Html =>
  html`<figure class="${kind}">
    <figcaption><strong>${title}</strong> <span class="note">${says}</span></figcaption>
    ${content}
  </figure>`;

export const inDimension = (title: string, dimension: string): string =>
  joinParts([title, dimension]);

/** Vertical lines at the ticks of a row. */
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

export interface PlottedRow {
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

/**
 * Items below each other on one axis: a table, so that names and numbers are text at any width. All
 * items are in it.
 */
export function rowsPlot({
  title,
  says,
  axis,
  heads: [what = "", ...heads],
  rows,
  kind,
}: RowsPlot): Html {
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
export const bar = (axis: Axis, kind: string, low: number | null, high: number | null): Content =>
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

export const circle = (axis: Axis, value: number | null, kind: string, radius: number): Content =>
  value !== null && html`<circle class="${kind}" cx="${axis.at(value)}%" cy="50%" r="${radius}" />`;

/** The ranking as recomputed, with intervals. */
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
export const rangeText = ({
  rank_best,
  rank_worst,
}: Pick<RankedItem, "rank_best" | "rank_worst">): string =>
  rank_best === rank_worst ? String(rank_best ?? "") : `${rank_best ?? ""}–${rank_worst ?? ""}`;

/** Percent of an item's ratings at which its cells get darker. */
const steps = [4, 10, 20, 40];

/**
 * How often each item was given each score: darker is more often, with the mean and its interval.
 */
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

/** A plane of two axes: texts keep their size at any width, only `content` is stretched. */
interface Plane {
  readonly title: string;
  /** The main thing to see, as a sentence: the text alternative. */
  readonly says: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly height: number;
  /** In a box of 1000 by `height`. */
  readonly lines: Content;
  /** Beside the plane, and below it on a phone. */
  readonly beside?: Content;
}

function plane({ title, says, x, y, xTitle, yTitle, height, lines, beside }: Plane): Html {
  const down = downwards(y, height);
  return figure(
    title,
    html`${says} <span class="axes">Vertical: ${yTitle}; horizontal: ${xTitle}.</span>`,
    html`<div class="plane">
      <svg class="left" aria-hidden="true" height="${height + 24}">
        ${y.ticks.map(
          (tick) =>
            html`<text x="100%" y="${down(tick) + 4}" text-anchor="end"
              >${shortNumber(tick)}</text
            >`,
        )}
      </svg>
      <svg role="img" aria-label="${title}. ${says}" height="${height + 24}">
        <title>${title}</title>
        <desc>${says}</desc>
        ${y.ticks.map(
          (tick) =>
            html`<line class="grid" x1="0" x2="100%" y1="${down(tick)}" y2="${down(tick)}" />`,
        )}
        <svg
          width="100%"
          height="${height}"
          viewBox="0 0 1000 ${height}"
          preserveAspectRatio="none"
        >
          ${lines}
        </svg>
        ${tickLabels(x, height + 18)}
      </svg>
      ${beside}
    </div>`,
  );
}

/** Pixels from the top; the ends of the axis keep room for half a line of text. */
const downwards =
  ({ at }: Axis, height: number) =>
  (value: number): number =>
    tenth(6 + ((height - 12) * (100 - at(value))) / 100);

const across = ({ at }: Axis, value: number): number => tenth(10 * at(value));

/** Points of a path, straight from one to the next. */
const linePath = (points: readonly (readonly [number, number])[]): string =>
  `M${points.map((at) => at.join(" ")).join("L")}`;

/** Online Elo over the sessions: the first items in colour and named, the others grey. */
export function historyPlot({ dimension, items, sessions, ratings, more }: SessionHistory): Html {
  const height = 300;
  const x = axisOf([], [0, sessions.at(-1) ?? 0]);
  const y = axisOf(ratings.flat());
  const down = downwards(y, height);
  const line = (own: readonly number[], kind: string): Html =>
    html`<path
      class="${kind}"
      d="${linePath(own.map((elo, k) => [across(x, sessions[k] ?? 0), down(elo)]))}"
    />`;
  const named = items.slice(0, pageLimits.named);
  const lines = ratings
    .map((own, i) => line(own, i < named.length ? `line s${i + 1}` : "line"))
    .toReversed();
  const ends = named.map((_, i) => down(ratings[i]?.at(-1) ?? NaN));
  const labels = spreadLabels(ends, 17, height);
  const names = named.map((item, i) => html`<li class="s${i + 1}">${nameCell(item)}</li>`);
  const label = (item: string, i: number): Html =>
    html`<path class="line s${i + 1}" d="M0 ${ends[i] ?? 0}L14 ${labels[i] ?? 0}" /><text
        x="18"
        y="${(labels[i] ?? 0) + 4}"
        >${shortName(item, pageLimits.label)}</text
      >`;
  const leader = named[0] ?? "";
  return plane({
    title: inDimension("Elo over sessions", dimension),
    says:
      `After ${thousands(sessions.at(-1) ?? 0)} sessions, ${leader} leads with ` +
      `${plotNumber(ratings[0]?.at(-1) ?? null)}.${
        items.length > named.length
          ? ` The first ${named.length} are in colour, ${thousands(
              items.length + more - named.length,
            )} others ${more > 0 ? "are not all shown" : "grey"}.`
          : ""
      }`,
    ...{ x, y, height, lines, xTitle: "sessions in service order", yTitle: "online Elo" },
    beside: html`<svg class="ends" aria-hidden="true" height="${height + 24}">
        ${named.map(label)}
      </svg>
      <ul class="key">
        ${names}
      </ul>`,
  });
}

/** Moves labels, from the top down, at least `gap` apart, and keeps them within the height. */
function spreadLabels(places: readonly number[], gap: number, height: number): number[] {
  const order = [...places.keys()].sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0) || a - b);
  const moved: number[] = [];
  let least = 8;
  order.forEach((i, k) => {
    const most = height - 8 - gap * (order.length - 1 - k);
    moved[i] = Math.min(most, Math.max(least, places[i] ?? 0));
    least = moved[i] + gap;
  });
  return moved.map(tenth);
}

/**
 * How many sessions answered at least a number of slates. Null if every session answered the same
 * number.
 */
export function dropOutPlot(answered: ExperimentDetails["answered"]): Html | null {
  const sessions = answered.reduce((sum, each) => sum + each.sessions, 0);
  const most = answered.at(-1)?.slates ?? 0;
  if (sessions === 0 || most === 0 || answered.length < 2) return null;
  const left = (slates: number): number =>
    answered.filter((each) => each.slates >= slates).reduce((sum, each) => sum + each.sessions, 0);
  const height = 190;
  const [x, y] = [axisOf([], [0, most]), axisOf([], [0, 100])];
  const down = downwards(y, height);
  let before = 0;
  const points = answered.flatMap(({ slates }): [number, number][] => {
    const at = down((100 * left(slates)) / sessions);
    const start = across(x, before);
    before = slates;
    return [
      [start, at],
      [across(x, slates), at],
    ];
  });
  const completed = answered.reduce((sum, each) => sum + each.completed, 0);
  return plane({
    title: "Drop-out",
    says:
      `${thousands(completed)} of ${thousands(sessions)} sessions were completed; the longest ` +
      `answered ${thousands(most)} slates.`,
    ...{ x, y, height, xTitle: "slates answered", yTitle: "sessions still answering, %" },
    lines: html`<path class="line s1" d="${linePath(points)}" />`,
  });
}

/** Steps of the scale of colours, from all lost to all won. */
const shades = 7;
const shade = (share: number): number =>
  Math.min(shades, Math.max(1, Math.ceil((share / 100) * shades)));

/**
 * The win matrix as a heat map, items in the order of the ranking: with numbers while there is room
 * for them.
 */
export function matrixPlot(table: PairTable): Html {
  const { dimension, items, more } = table;
  const label = inDimension("Win matrix", dimension);
  const isSmall = items.length <= pageLimits.digits;
  const says =
    "Blue: the row's item won most comparisons with the column's; orange: it lost most. " +
    (isSmall
      ? "In percent, ties as half."
      : "Rows and columns are numbered as in the ranking; white pairs were not compared.");
  return figure(
    label,
    says,
    [isSmall ? numberMatrix(table, label) : heatMap(table, label), moreNote(more, "items")],
    "matrix",
  );
}

function numberMatrix({ items, pairs }: PairTable, label: string): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">
    <table class="heat" aria-label="${label}">
      <thead>
        <tr>
          <td></td>
          ${items.map(
            (item, i) =>
              html`<th scope="col" title="${item}">
                ${i + 1}<span class="hidden"> ${item}</span>
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${items.map(
          (item, i) =>
            html`<tr>
              <th scope="row">${i + 1} ${nameCell(item)}</th>
              ${pairs[i]?.map((pair) =>
                pair === undefined
                  ? html`<td></td>`
                  : html`<td
                      class="h${shade(pair.win_pct)}"
                      title="${thousands(pair.n)} comparisons"
                    >
                      ${Math.round(pair.win_pct)}
                    </td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** One path a shade: a square for each pair. */
function heatMap({ items, pairs }: PairTable, label: string): Html {
  const paths = Array.from({ length: shades }, () => [] as string[]);
  pairs.forEach((row, i) => {
    row.forEach((pair, j) => pair && paths[shade(pair.win_pct) - 1]?.push(`M${j} ${i}h1v1h-1z`));
  });
  const size = items.length;
  const every = size > 40 ? 10 : 5;
  const ticks = items.map((_, i) => i + 1).filter((place) => place === 1 || place % every === 0);
  const at = (place: number): number => tenth((100 * (place - 0.5)) / size);
  const says = `${label}: ${size} items by ${size}. ${items[0] ?? ""} is the first row.`;
  return html`<div class="heatmap">
    <svg class="top" aria-hidden="true" height="16">
      ${ticks.map(
        (place) => html`<text x="${at(place)}%" y="12" text-anchor="middle">${place}</text>`,
      )}
    </svg>
    <svg class="side" aria-hidden="true" width="20">
      ${ticks.map(
        (place) => html`<text x="16" y="${at(place)}%" dy="4" text-anchor="end">${place}</text>`,
      )}
    </svg>
    <svg class="cells" viewBox="0 0 ${size} ${size}" role="img" aria-label="${says}">
      <title>${label}</title>
      <desc>${says}</desc>
      ${trusted(
        paths
          .map((path, i) =>
            path.length === 0 ? "" : `<path class="h${i + 1}" d="${path.join("")}"/>`,
          )
          .join(""),
      )}
    </svg>
  </div>`;
}
