import { shortNumber } from "../numbers.js";
import type { Board, SessionHistory, ExperimentDetails, RaterData, ScoreTable } from "./report-data.js";
import { draw, plotWidth, widthOf, series } from "./draw.js";
import type { Html } from "./html.js";

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
  const x = { type: "quantitative", scale: { zero: false, nice: true }, title: kind, axis: { tickCount: 5 } };
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
          encoding: { x: { ...x, field: "recomputed" } },
        },
        {
          mark: { type: "point", filled: false, size: 110, strokeWidth: 1.5, color: "var(--ring)" },
          transform: [{ filter: "isValid(datum.published) && datum.isOff" }],
          encoding: { x: { ...x, field: "published" } },
        },
      ],
    },
    {
      title: `Ranking by ${kind}${dimension === "" ? "" : `, ${dimension}`}`,
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
  const ends = items.map((item, i) => ({ i, item, elo: ratings[i]?.at(-1) ?? NaN }));
  const all = values.map(({ elo }) => elo);
  const domain = [Math.min(...all), Math.max(...all)];
  const labels = spread(
    ends.map(({ elo }) => elo),
    ((domain[1] ?? 1) - (domain[0] ?? 0)) / 15,
  );
  const scale = { domain: items.map((_, i) => i), range: items.map((_, i) => series[i % series.length]) };
  const dash = { ...scale, range: items.map((_, i) => (i < series.length ? [1, 0] : [4, 2])) };
  const y = {
    type: "quantitative",
    scale: { domain, nice: true, zero: false },
    title: "online Elo",
    axis: { tickCount: 5 },
  };
  const x = { type: "quantitative", scale: { domain: [0, last], nice: false }, title: "sessions, in service order" };
  const labelled = ends.map((end, i) => ({ ...end, at: labels[i], last }));
  const [best] = items;
  return draw(
    {
      width: plotWidth,
      height: 210,
      padding: {
        left: 0,
        right: 14 + Math.min(88, Math.max(...items.map((item) => widthOf(item, 11)))),
        top: 6,
        bottom: 2,
      },
      layer: [
        {
          data: { values },
          mark: { type: "line", strokeWidth: 1.5 },
          encoding: {
            x: { ...x, field: "session", axis: { grid: false, tickCount: 5 } },
            y: { ...y, field: "elo" },
            color: { field: "i", type: "nominal", scale, legend: null },
            strokeDash: { field: "i", type: "nominal", scale: dash, legend: null },
          },
        },
        {
          data: { values: labelled },
          mark: { type: "point", filled: true, size: 26, opacity: 1 },
          encoding: {
            x: { ...x, field: "last", axis: { grid: false, tickCount: 5 } },
            y: { ...y, field: "elo" },
            color: { field: "i", type: "nominal", scale, legend: null },
          },
        },
        {
          data: { values: labelled },
          mark: { type: "text", align: "left", baseline: "middle", dx: 6, limit: 88, fontSize: 11 },
          encoding: {
            x: { ...x, field: "last", axis: { grid: false, tickCount: 5 } },
            y: { ...y, field: "at" },
            text: { field: "item" },
          },
        },
      ],
    },
    {
      title: `Elo over sessions${dimension === "" ? "" : `, ${dimension}`}`,
      says: `After ${last} sessions ${best ?? ""} leads with ${shortNumber(round(ends[0]?.elo ?? NaN))}.`,
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

/** Published against recomputed numbers: what agrees lies on the line. Null if no number is on both sides. */
export function identityPlot({ kind, rows }: Board): Promise<Html> | null {
  const values = rows.flatMap(({ row: { item, published, recomputed, verdict } }) =>
    published === null || recomputed === null ? [] : [{ item, published, recomputed, isOff: verdict !== "exact" }],
  );
  if (values.length < 2) return null;
  const all = values.flatMap(({ published, recomputed }) => [published, recomputed]);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const margin = (high - low) * 0.05 || 1;
  const scale = { domain: [low - margin, high + margin], nice: false, zero: false };
  const axis = { tickCount: 5 };
  const off = values.filter(({ isOff }) => isOff).length;
  const x = { field: "recomputed", type: "quantitative", scale, axis, title: "recomputed" };
  const y = { field: "published", type: "quantitative", scale, axis, title: "published" };
  return draw(
    {
      width: plotWidth,
      height: 260,
      layer: [
        {
          data: { values: scale.domain.map((at) => ({ recomputed: at, published: at })) },
          mark: { type: "line", color: "var(--bar)", strokeWidth: 1 },
          encoding: { x, y },
        },
        {
          data: { values },
          mark: { type: "point", size: 42, strokeWidth: 1.5, opacity: 1 },
          encoding: {
            x,
            y,
            stroke: { condition: { test: "datum.isOff", value: "var(--ring)" }, value: "var(--dot)" },
            fill: { condition: { test: "datum.isOff", value: "transparent" }, value: "var(--dot)" },
          },
        },
      ],
    },
    {
      title: `${kind}: published against recomputed`,
      says:
        off === 0
          ? `All ${values.length} numbers are on the line of equality.`
          : `${off} of ${values.length} numbers, drawn as rings, are not exact.`,
    },
  );
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
        x: {
          ...{
            field: "seconds",
            type: "quantitative",
            title: "median seconds between answers",
            axis: { tickCount: 5, grid: false },
          },
          scale: { zero: false, nice: true, padding: 6 },
        },
        y: {
          field: "share",
          type: "quantitative",
          title,
          axis: { tickCount: 5 },
          scale: { domain: [Math.max(0, Math.floor(low / 10) * 10), 100], nice: false, padding: 4 },
        },
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
  const steps = [0, ...answered.map(({ slates }) => slates)].flatMap((slates) => [
    { slates, share: round((100 * left(slates)) / sessions) },
  ]);
  const completed = answered.reduce((sum, each) => sum + each.completed, 0);
  return draw(
    {
      width: plotWidth,
      height: 190,
      data: { values: steps },
      mark: { type: "line", interpolate: "step-before", color: "var(--dot)", strokeWidth: 2 },
      encoding: {
        x: {
          field: "slates",
          type: "quantitative",
          title: "slates answered",
          axis: { grid: false, tickCount: 6 },
          scale: { domain: [0, most], nice: false },
        },
        y: {
          field: "share",
          type: "quantitative",
          title: "sessions still answering, %",
          axis: { tickCount: 5 },
          scale: { domain: [0, 100] },
        },
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
  const x = {
    type: "quantitative",
    scale: { zero: false, nice: false },
    title: "score",
    axis: { grid: false, ...(width === 0 ? { values: scores } : { tickCount: 6 }) },
  };
  return draw(
    {
      width: plotWidth,
      height: { step: 24 },
      layer: [
        {
          data: { values },
          mark: { type: "rect", height: { band: 0.86 } },
          encoding: {
            y,
            x: { ...x, field: "low" },
            x2: { field: "high" },
            color: {
              field: "share",
              type: "quantitative",
              scale: { type: "threshold", domain: steps, range: shades },
              legend: null,
            },
          },
        },
        {
          data: {
            values: items
              .filter(({ low, high }) => low !== null && high !== null)
              .map(({ item, low, high }) => ({ item, low, high })),
          },
          mark: { type: "rule", strokeWidth: 2, color: "var(--ink)" },
          encoding: { y, x: { ...x, field: "low" }, x2: { field: "high" } },
        },
        {
          data: { values: items.filter(({ mean }) => mean !== null).map(({ item, mean }) => ({ item, mean })) },
          mark: {
            type: "point",
            filled: true,
            size: 45,
            opacity: 1,
            color: "var(--ink)",
            stroke: "var(--bg)",
            strokeWidth: 1,
          },
          encoding: { y, x: { ...x, field: "mean" } },
        },
      ],
    },
    {
      title: `Distribution of scores${dimension === "" ? "" : `, ${dimension}`}`,
      says: `Darker is more often: from below ${steps[0] ?? 0} % to above ${steps.at(-1) ?? 0} % of an item's ratings. Dots are means with their intervals.`,
    },
  );
}
