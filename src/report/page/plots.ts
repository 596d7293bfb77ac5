import { shortNumber } from "../numbers.js";
import type { Board, ExperimentDetails, RaterData } from "./report-data.js";
import type { ScoreTable, SessionHistory } from "./plot-data.js";
import { draw, plotWidth, widthOf, series } from "./draw.js";
import type { Html } from "./html.js";

/** A position along an axis. */
const position = (field: string, title: string, scale: object, axis: object = {}) => ({
  field,
  type: "quantitative",
  title,
  scale,
  axis: { tickCount: 5, ...axis },
});

const inDimension = (title: string, dimension: string) => (dimension === "" ? title : `${title}, ${dimension}`);

/** Points and bars: the recomputed number with its interval, and the published one as a ring. */
export function boardPlot({ kind, dimension, rows, interval }: Board): Promise<Html> {
  const items = rows.map(({ row }) => row.item);
  const values = rows.map(({ row, low, high }) => ({
    item: row.item,
    low,
    high,
    recomputed: row.recomputed,
    published: row.published,
    isOff: row.verdict !== "exact",
  }));
  const x = position("recomputed", kind, { zero: false, nice: true });
  const y = { field: "item", type: "nominal", sort: null, scale: { domain: items }, title: null };
  const [first] = rows;
  const off = values.filter(({ isOff }) => isOff).length;
  return draw(
    {
      width: plotWidth,
      height: { step: 20 },
      data: { values },
      encoding: { y },
      layer: [
        {
          mark: { type: "rule", strokeWidth: 7, strokeCap: "butt", color: "var(--bar)" },
          transform: [{ filter: "isValid(datum.low) && isValid(datum.high)" }],
          encoding: { x: { ...x, field: "low" }, x2: { field: "high" } },
        },
        {
          mark: { type: "point", filled: true, size: 42, color: "var(--dot)", opacity: 1 },
          encoding: { x },
        },
        {
          mark: { type: "point", filled: false, size: 110, strokeWidth: 1.5, color: "var(--ring)" },
          transform: [{ filter: "isValid(datum.published) && datum.isOff" }],
          encoding: { x: { ...x, field: "published" } },
        },
      ],
    },
    {
      title: inDimension(`Ranking by ${kind}`, dimension),
      says: `${first ? `${first.row.item} is first of ${rows.length}. ` : ""}Dots are recomputed numbers${interval === null ? "" : `, bars their ${interval}`}${off > 0 ? "; rings are published numbers that are not exact" : ""}.`,
    },
  );
}

/** Online Elo over the sessions, a line an item, named at its end. */
export function historyPlot({ dimension, items, sessions, ratings }: SessionHistory): Promise<Html> {
  const last = sessions.at(-1) ?? 0;
  const values = items.flatMap((item, i) =>
    sessions.map((session, k) => ({ i, item, session, elo: round(ratings[i]?.[k] ?? NaN) })),
  );
  const ends = items.map((item, i) => ({ i, item, session: last, elo: ratings[i]?.at(-1) ?? NaN }));
  const all = values.map(({ elo }) => elo);
  const [lowest, highest] = [Math.min(...all), Math.max(...all)];
  const labels = spread(
    ends.map(({ elo }) => elo),
    (highest - lowest) / 15,
  );
  const perItem = (range: readonly unknown[]) => ({
    field: "i",
    type: "nominal",
    scale: { domain: items.map((_, i) => i), range },
    legend: null,
  });
  const color = perItem(items.map((_, i) => series[i % series.length]));
  const strokeDash = perItem(items.map((_, i) => (i < series.length ? [1, 0] : [4, 2])));
  const widest = Math.max(...items.map((item) => widthOf(item, 11)));
  return draw(
    {
      width: plotWidth,
      height: 210,
      padding: { left: 0, right: 14 + Math.min(88, widest), top: 6, bottom: 2 },
      encoding: {
        x: position("session", "sessions, in service order", { domain: [0, last], nice: false }, { grid: false }),
        y: position("elo", "online Elo", { domain: [lowest, highest], nice: true, zero: false }),
      },
      layer: [
        { data: { values }, mark: { type: "line", strokeWidth: 1.5 }, encoding: { color, strokeDash } },
        { data: { values: ends }, mark: { type: "point", filled: true, size: 26, opacity: 1 }, encoding: { color } },
        {
          data: { values: ends.map((end, i) => ({ ...end, elo: labels[i] })) },
          mark: { type: "text", align: "left", baseline: "middle", dx: 6, limit: 88, fontSize: 11 },
          encoding: { text: { field: "item" } },
        },
      ],
    },
    {
      title: inDimension("Elo over sessions", dimension),
      says: `After ${last} sessions ${items[0] ?? ""} leads with ${shortNumber(round(ends[0]?.elo ?? NaN))}.`,
    },
  );
}

/** To one decimal. */
const round = (value: number): number => Math.round(value * 10) / 10;

/** Moves labels, from the highest down, at least `gap` apart, and keeps their middle. */
function spread(values: readonly number[], gap: number): number[] {
  const moved: number[] = [];
  for (const value of values) moved.push(Math.min(value, (moved.at(-1) ?? Infinity) - gap));
  const middle = (all: readonly number[]): number => ((all[0] ?? 0) + (all.at(-1) ?? 0)) / 2;
  const shift = middle(values) - middle(moved);
  return moved.map((value) => value + shift);
}

/** Each rater's agreement (or correctness, where nothing is compared) over speed. Null with too few raters. */
export function raterPlot(raters: readonly RaterData[]): Promise<Html> | null {
  const field = raters.some(({ agreement }) => agreement !== null) ? "agreement" : "correct";
  const title = field === "agreement" ? "agreement with the majority, %" : "correct control ratings, %";
  const values = raters.flatMap(({ [field]: share, seconds, ratings }) =>
    share === null || seconds === null ? [] : [{ share: round(share), seconds: round(seconds), ratings }],
  );
  if (values.length < 3) return null;
  const low = Math.min(...values.map(({ share }) => share));
  return draw(
    {
      width: plotWidth,
      height: 190,
      data: { values },
      mark: { type: "circle", size: 34, color: "var(--dot)", opacity: 0.55 },
      encoding: {
        x: position(
          "seconds",
          "median seconds between answers",
          { zero: false, nice: true, padding: 6 },
          { grid: false },
        ),
        y: position("share", title, {
          domain: [Math.max(0, Math.floor(low / 10) * 10), 100],
          nice: false,
          padding: 4,
        }),
      },
    },
    {
      title: `Raters: ${field === "agreement" ? "agreement" : "correctness"} and speed`,
      says: `${values.length} raters; the lowest ${field === "agreement" ? "agreement" : "share correct"} is ${Math.round(low)} %.`,
    },
  );
}

/** How many sessions answered at least a number of slates. Null if every session answered the same number. */
export function dropOutPlot(answered: ExperimentDetails["answered"]): Promise<Html> | null {
  const sessions = answered.reduce((sum, each) => sum + each.sessions, 0);
  const most = answered.at(-1)?.slates ?? 0;
  if (sessions === 0 || most === 0 || answered.length < 2) return null;
  const left = (slates: number): number =>
    answered.filter((each) => each.slates >= slates).reduce((sum, each) => sum + each.sessions, 0);
  const values = [0, ...answered.map(({ slates }) => slates)].map((slates) => ({
    slates,
    share: round((100 * left(slates)) / sessions),
  }));
  const completed = answered.reduce((sum, each) => sum + each.completed, 0);
  return draw(
    {
      width: plotWidth,
      height: 190,
      data: { values },
      mark: { type: "line", interpolate: "step-before", color: "var(--dot)", strokeWidth: 2 },
      encoding: {
        x: position("slates", "slates answered", { domain: [0, most], nice: false }, { grid: false, tickCount: 6 }),
        y: position("share", "sessions still answering, %", { domain: [0, 100] }),
      },
    },
    {
      title: "Drop-out",
      says: `${completed} of ${sessions} sessions were completed; the longest answered ${most} slates.`,
    },
  );
}

/** Percent of an item's ratings at which its cells get darker. */
const steps = [4, 10, 20, 40];
const shades = [1, 2, 3, 4, 5].map((i) => `var(--q${i})`);

/** How often each item was given each score: darker is more often, with the mean and its interval. */
export function scorePlot({ dimension, scores, width, items }: ScoreTable): Promise<Html> {
  const names = items.map(({ item }) => item);
  const step = width === 0 ? Math.min(...scores.slice(1).map((score, i) => score - (scores[i] ?? 0)), Infinity) : width;
  const size = Number.isFinite(step) ? step : 1;
  const from = (score: number): number => (width === 0 ? score - size / 2 : score);
  const values = items.flatMap(({ item, counts, n }) =>
    counts.flatMap((count, i) => {
      const low = from(scores[i] ?? 0);
      return count === 0 ? [] : [{ item, low, high: low + size, share: (100 * count) / n }];
    }),
  );
  const y = { field: "item", type: "nominal", sort: null, scale: { domain: names }, title: null };
  const scale = { type: "threshold", domain: steps, range: shades };
  const color = { field: "share", type: "quantitative", scale, legend: null };
  const dot = { type: "point", filled: true, size: 45, opacity: 1, strokeWidth: 1 };
  const ticks = width === 0 ? { values: scores, tickCount: undefined } : { tickCount: 6 };
  const x = position("low", "score", { zero: false, nice: false }, { grid: false, ...ticks });
  return draw(
    {
      width: plotWidth,
      height: { step: 24 },
      encoding: { y },
      layer: [
        {
          data: { values },
          mark: { type: "rect", height: { band: 0.86 } },
          encoding: { x, x2: { field: "high" }, color },
        },
        {
          data: { values: items.filter(({ low, high }) => low !== null && high !== null) },
          mark: { type: "rule", strokeWidth: 2, color: "var(--ink)" },
          encoding: { x, x2: { field: "high" } },
        },
        {
          data: { values: items.filter(({ mean }) => mean !== null) },
          mark: { ...dot, color: "var(--ink)", stroke: "var(--bg)" },
          encoding: { x: { ...x, field: "mean" } },
        },
      ],
    },
    {
      title: inDimension("Distribution of scores", dimension),
      says: `Darker is more often: from below ${steps[0] ?? 0} % to above ${steps.at(-1) ?? 0} % of an item's ratings. Dots are means with their intervals.`,
    },
  );
}
