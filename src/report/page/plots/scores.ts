import type { Html } from "../html.js";
import type { ScoreTable } from "../data/index.js";
import { draw } from "./draw.js";
import { plotWidth } from "./theme.js";

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
