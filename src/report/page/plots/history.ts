import type { Html } from "../html.js";
import type { EloHistory } from "../data/index.js";
import { shortNumber } from "../../numbers.js";
import { draw, widthOf } from "./draw.js";
import { plotWidth, series } from "./theme.js";

/** Online Elo over the sessions, a line an item, named at its end. */
export function historyPlot({ dimension, items, sessions, ratings }: EloHistory): Promise<Html> {
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

const round = (elo: number): number => Math.round(elo * 10) / 10;

/** Moves labels, from the highest down, at least `gap` apart, and keeps their middle. */
function spread(values: readonly number[], gap: number): number[] {
  const moved: number[] = [];
  for (const value of values) moved.push(Math.min(value, (moved.at(-1) ?? Infinity) - gap));
  const middle = (all: readonly number[]): number => ((all[0] ?? 0) + (all.at(-1) ?? 0)) / 2;
  const shift = middle(values) - middle(moved);
  return moved.map((value) => value + shift);
}
