import type { Html } from "../html.js";
import type { Board } from "../data/index.js";
import { draw } from "./draw.js";
import { plotWidth } from "./theme.js";

/** Points and bars: the recomputed number with its interval, and the published one as a ring. */
export function boardPlot({ kind, dimension, rows, interval }: Board): Promise<Html> {
  const items = rows.map(({ row }) => row.item);
  const values = rows.map(({ row, low, high }) => ({
    ...{ item: row.item, low, high, recomputed: row.recomputed, published: row.published },
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
