import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

/** One measurement. */
export interface Point {
  readonly what: string;
  readonly size: number;
  readonly seconds: number;
}

/** Wall time over size as SVG, one line for each `what`, both axes logarithmic. */
export function drawTimes(points: readonly Point[]): Promise<string> {
  const order = points.filter(({ size }) => size === points.at(-1)?.size).toSorted((x, y) => y.seconds - x.seconds);
  const axis = (field: string, title: string) => ({ field, type: "quantitative", scale: { type: "log" }, title });
  const spec = {
    width: 480,
    height: 360,
    background: "white",
    data: { values: points },
    mark: { type: "line", point: true },
    encoding: {
      x: {
        ...axis("size", "comparisons"),
        axis: { format: "~s", values: [...new Set(points.map(({ size }) => size))] },
      },
      y: { ...axis("seconds", "seconds, whole process"), axis: { values: [0.2, 0.5, 1, 2, 5, 10, 20], format: "~g" } },
      color: {
        field: "what",
        type: "nominal",
        sort: [...new Set(order.map(({ what }) => what))],
        scale: { scheme: "tableau10" },
        legend: { title: "Way (exponent of CPU time)", labelLimit: 400 },
      },
    },
  };
  const view = new vega.View(vega.parse(compile(spec as TopLevelSpec).spec), { renderer: "none" });
  return view.toSVG();
}
