/** The plot of a result: ranking and comparison at once, in a table of its items. */
import { attentionOf } from "../../audit/index.js";
import { isKind, metricKind, type Kind } from "../../metrics/index.js";
import { capitalized, counted, groupsOf, joinParts, thousands } from "../../platform/index.js";
import { decimalsFor, isFalse, numberTexts, rankChange, type JudgedNumber } from "../judged.js";
import { decimalsWithin, numberText } from "../numbers.js";
import { isUnderConvention } from "../tones.js";
import type { ExperimentData, NumberRow, PageData } from "./data.js";
import {
  cell,
  headRow,
  html,
  pageLimits,
  rowHead,
  hyphened,
  withCode,
  type Content,
  type Html,
} from "./html.js";
import { inLeaderboard, rankingKinds, type Ranking } from "./rankings.js";

/** A scale whose positions are percents of its length, with round ticks. */
interface Axis {
  readonly ticks: readonly number[];
  readonly at: (value: number) => number;
}

function axisOf(values: readonly number[]): Axis {
  const lowest = values.reduce((a, b) => Math.min(a, b), Infinity);
  const highest = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const start = Number.isFinite(lowest) ? lowest : 0;
  const length = Number.isFinite(highest) && highest > start ? highest - start : 1;
  const [from, to] = [start - 0.03 * length, start + 1.03 * length];
  const power = 10 ** Math.floor(Math.log10(length / 4));
  const step = power * ([1, 2, 5].find((each) => length / (each * power) <= 4.5) ?? 10);
  const [first, last] = [Math.ceil(from / step), Math.floor(to / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
  const at = (value: number): number =>
    tenth(Math.min(100, Math.max(0, (100 * (value - from)) / (to - from))));
  return { ticks, at };
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

/** A label at the end of an axis is aligned with it, so that it stays within the plot. */
const tickLabels = ({ ticks, at }: Axis): Html[] =>
  ticks.map((tick) => {
    const anchor = at(tick) < 4 ? "start" : at(tick) > 96 ? "end" : "middle";
    return html`<text x="${at(tick)}%" y="12" text-anchor="${anchor}">${numberText(tick)}</text>`;
  });

/** An item of a plot, in the unit of what is published. */
interface PlottedItem {
  readonly item: string;
  readonly row: NumberRow | undefined;
  readonly number: JudgedNumber | undefined;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

interface Plotted {
  readonly kind: Kind;
  readonly items: readonly PlottedItem[];
  readonly isPublished: boolean;
}

/** The result that is drawn: one with a false number, one that differs, or the main one. */
function plottedKind({ kind: main, mains }: Ranking): Kind | null {
  const urgency = (kind: Kind): number =>
    Math.max(...mains.map(({ row }) => (row.kind === kind ? attentionOf(row.verdict) : -1)));
  const published = rankingKinds.filter((kind) => urgency(kind) >= 0);
  const [kind = main] = published.toSorted((a, b) => urgency(b) - urgency(a));
  return isKind(kind) ? kind : null;
}

export function plottedOf({ leaderboard }: ExperimentData, ranking: Ranking): Plotted | null {
  const { dimension, rows: ranked, mains } = ranking;
  const kind = plottedKind(ranking);
  if (kind === null) return null;
  const rows = leaderboard.filter(
    (row) => row.dimension === dimension && row.kind === inLeaderboard(kind),
  );
  const own = mains.filter(({ row }) => row.kind === kind);
  const worst = groupsOf(
    own.toSorted((a, b) => attentionOf(b.row.verdict) - attentionOf(a.row.verdict)),
    ({ row }) => row.item,
  );
  const inUnit = boardUnit(own, rows);
  const itemOf = (item: string): PlottedItem => {
    const row = rows.find((one) => one.item === item);
    const number = worst.get(item)?.[0];
    const judged = number && (isFalse(number) ? number.follows : number.row.recomputed);
    const ends = [row?.low ?? null, row?.high ?? null].map((end) => inUnit(end));
    return {
      item,
      row,
      number,
      value: judged ?? inUnit(row?.value ?? null),
      low: ends[0] ?? null,
      high: ends[1] ?? null,
    };
  };
  const order = new Map(ranked.map(({ item }, i) => [item, i]));
  const classes = [...new Set(ranked.map((row) => row.class))];
  const placeOf = ({ row }: PlottedItem): number => (row ? classes.indexOf(row.class) : Infinity);
  const names = [...new Set([...rows.map(({ item }) => item), ...worst.keys()])];
  const sign = ranking.direction === "lower" ? -1 : 1;
  const items = names
    .map(itemOf)
    .toSorted(
      (a, b) =>
        placeOf(a) - placeOf(b) ||
        sign * ((b.value ?? -Infinity) - (a.value ?? -Infinity)) ||
        (order.get(a.item) ?? 0) - (order.get(b.item) ?? 0),
    );
  return { kind, items, isPublished: own.length > 0 };
}

/**
 * Numbers of the leaderboard in the unit of what is published: the line through the recomputed
 * numbers, or nothing if they are on none.
 */
function boardUnit(
  numbers: readonly JudgedNumber[],
  rows: readonly NumberRow[],
): (value: number | null) => number | null {
  const values = new Map(rows.map(({ item, value }) => [item, value]));
  const points = numbers.flatMap(({ row }) => {
    const x = values.get(row.item) ?? null;
    return x === null || row.recomputed === null ? [] : [{ x, y: row.recomputed }];
  });
  const sorted = points.toSorted((a, b) => a.x - b.x);
  const [low, high] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined) return (value) => value;
  const scale = high.x > low.x ? (high.y - low.y) / (high.x - low.x) : 1;
  const shift = low.y - scale * low.x;
  const size = Math.max(Math.abs(low.y), Math.abs(high.y), 1);
  const isLine = points.every(({ x, y }) => Math.abs(scale * x + shift - y) <= 1e-6 * size);
  return (value) => (value === null || !isLine ? null : scale * value + shift);
}

/** Lines of a grid are drawn once for each plot; each row uses them. */
function gridOf({ ticks, at }: Axis, id: string): Html {
  return html`<g id="${id}"
    >${ticks.map(
      (tick) => html`<line class="g" x1="${at(tick)}%" x2="${at(tick)}%" y2="100%" />`,
    )}</g
  >`;
}

function markOf(
  number: JudgedNumber | undefined,
  value: number | null,
): "bad" | "exp" | "doubt" | "" {
  if (number === undefined || number.row.published === null || value === null) return "";
  if (isFalse(number)) return "bad";
  const rounding = number.decimals === null ? 0 : 0.5 * 10 ** -number.decimals;
  const isNear = Math.abs(number.row.published - value) <= rounding * (1 + 1e-9);
  if (attentionOf(number.row.verdict) === 0 || isNear) return "";
  return isUnderConvention(number.row.verdict) ? "exp" : "doubt";
}

function marksOf({ at }: Axis, { value, low, high, number }: PlottedItem): Content {
  const published = number?.row.published ?? null;
  const mark = markOf(number, value);
  const line = (kind: string, from: number, to: number): Html =>
    html`<line class="${kind}" x1="${at(from)}%" x2="${at(to)}%" y1="11" y2="11" />`;
  return [
    low !== null && high !== null && line("ci", low, high),
    mark !== "" && published !== null && value !== null && line(`gap ${mark}`, value, published),
    value !== null && html`<circle class="dot" cx="${at(value)}%" cy="11" r="4" />`,
    published !== null &&
      html`<circle
        class="pub ${mark}"
        cx="${at(published)}%"
        cy="11"
        r="${mark === "" ? 6.5 : 5.5}"
      />`,
  ];
}

/** The plot of one dimension. @param id is unique on the page */
export function plotOf(
  data: PageData,
  experiment: ExperimentData,
  ranking: Ranking,
  id: string,
): Html | null {
  const plotted = plottedOf(experiment, ranking);
  if (plotted === null) return null;
  const { kind, items, isPublished } = plotted;
  const all = items.flatMap(({ value, low, high, number }) => [
    value,
    low,
    high,
    number?.row.published ?? null,
  ]);
  const axis = axisOf(all.filter((one) => one !== null));
  const title = joinParts([capitalized(metricKind(kind).title), ranking.dimension]);
  const what = isPublished ? "published and recomputed" : "recomputed";
  const gaps = items.flatMap(({ number, value }) =>
    markOf(number, value) === "" ? [] : [decimalsFor((number?.row.published ?? 0) - (value ?? 0))],
  );
  const within = decimalsWithin(items);
  const digits = Math.min(6, Math.max(Number.isFinite(within) ? within : 2, ...gaps));
  const rowOf = (one: PlottedItem, i: number): Html => {
    const isNext = i > 0 && one.row?.class !== items[i - 1]?.row?.class;
    return itemRow(one, { data, experiment, axis, id, digits, isPublished, isNext });
  };
  const ringHead = html`<span class="ring"></span>Published`;
  const dotHead = html`<span class="pt"></span>Recomputed`;
  return html`<h3>${title}: ${what}</h3>
    <p class="note">${noteOf(plotted, ranking)}</p>
    <table role="table" class="board">
      <caption class="vh">
        ${title}: ${what}, by item
      </caption>
      ${headRow([
        { head: "#", as: "num" },
        { head: "Item", as: "plain" },
        {
          head: html`<span class="vh">Plot</span
            ><svg aria-hidden="true" height="16">${gridOf(axis, id)}${tickLabels(axis)}</svg>`,
          as: "mid",
        },
        ...(isPublished ? [{ head: ringHead, as: "num" } as const] : []),
        { head: dotHead, as: "num" },
        ...(isPublished ? [{ head: "Difference", as: "num" } as const] : []),
      ])}
      <tbody role="rowgroup">
        ${plottedRows(items, rowOf, isPublished)}
      </tbody>
    </table>`;
}

function noteOf({ items, isPublished }: Plotted, { reference }: Ranking): Html {
  const interval = items.find(({ row }) => row?.low != null)?.row?.interval ?? null;
  const [number] = items.flatMap((one) => one.number ?? []);
  const decimals = number?.decimals ?? null;
  const marks = new Set(items.map((one) => markOf(one.number, one.value)));
  const how = interval === null ? "" : `, with its 95 % interval (${interval})`;
  const rounded =
    decimals === null
      ? ""
      : `, ${decimals === 0 ? "to whole numbers" : `to ${counted(decimals, "decimal")}`}: ` +
        `differences up to ${(0.5 * 10 ** -decimals).toFixed(decimals + 1)} are rounding`;
  return html`Dot:
  recomputed${withCode(how)}.${isPublished && ` Ring: published${rounded}.`}${
    marks.has("exp") && " The line between them is what a convention explains."
  }${reference !== null && ` The hidden reference, ${reference}, has no rank.`}`;
}

function plottedRows(
  items: readonly PlottedItem[],
  rowOf: (one: PlottedItem, i: number) => Html,
  isPublished: boolean,
): Html[] {
  if (items.length <= pageLimits.items) return items.map(rowOf);
  const isShown = ({ number }: PlottedItem, i: number): boolean =>
    i < pageLimits.first ||
    i >= items.length - pageLimits.last ||
    (number !== undefined && isFalse(number));
  const hidden = items.filter((one, i) => !isShown(one, i));
  const follow = hidden.every(({ number }) => number && attentionOf(number.row.verdict) < 3);
  const more = `${thousands(hidden.length)} more${isPublished && follow ? " follow" : ""}`;
  const at = items.findIndex((one, i) => !isShown(one, i));
  const own = items.map((one, i) => (isShown(one, i) ? rowOf(one, i) : null));
  const gap = html`<tr role="row">
    ${cell("")}${rowHead(html`<span class="mut">${more}</span>`)}
    <td role="cell" colspan="${isPublished ? 4 : 2}"></td>
  </tr>`;
  return own.flatMap((row, i) => (row !== null ? [row] : i === at ? [gap] : []));
}

interface PlotOf {
  readonly data: PageData;
  readonly experiment: ExperimentData;
  readonly axis: Axis;
  readonly id: string;
  readonly digits: number;
  readonly isPublished: boolean;
  /** The first of items that are not compared with those before. */
  readonly isNext: boolean;
}

function itemRow(
  one: PlottedItem,
  { data, experiment, axis, id, digits, isPublished, isNext }: PlotOf,
): Html {
  const { item, row, number, value } = one;
  const isBad = number !== undefined && isFalse(number);
  const published = number?.row.published ?? null;
  const texts = numberTexts(published, value, number?.decimals ?? null, digits);
  const ranks = isBad ? rankChange(number, experiment.numbers, data.audit) : null;
  const moved = ranks !== null && ranks.published !== ranks.follows;
  const tag =
    isBad &&
    html` <span class="tag"
      >✗ does not follow${moved && `; published as rank ${ranks.published}`}</span
    >`;
  const place = row?.is_reference ? html`<span class="mut">ref</span>` : row?.rank;
  const plot = html`<svg aria-hidden="true">
    <use href="#${id}" />
    ${marksOf(axis, one)}
  </svg>`;
  const difference = html`<span class="${markOf(number, value) || "mut"}"
    >${texts.difference}</span
  >`;
  const looks = joinParts([isBad && "bad", isNext && "next"], " ");
  return html`<tr role="row" ${looks !== "" && html`class="${looks}"`}>
    ${cell(place, "num")}${rowHead([
      hyphened(item),
      tag,
    ])}${cell(plot, "mid")}${isPublished && cell(texts.published, "num")}${cell(
      texts.follows,
      "num",
    )}${isPublished && cell(difference, "num", "Difference")}
  </tr>`;
}
