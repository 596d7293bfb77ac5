import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

/** One measurement. */
export interface Point {
  readonly what: string;
  readonly size: number;
  readonly seconds: number;
}

/** Time over size as SVG, one line for each `what`, both axes logarithmic. */
export function drawTimes(
  points: readonly Point[],
  titles: { readonly size: string; readonly seconds: string; readonly what: string },
): Promise<string> {
  const order = points
    .filter(({ size }) => size === points.at(-1)?.size)
    .toSorted((x, y) => y.seconds - x.seconds);
  const axis = (field: string, title: string) => ({
    field,
    type: "quantitative",
    scale: { type: "log" },
    title,
  });
  const spec = {
    width: 480,
    height: 360,
    background: "white",
    data: { values: points },
    mark: { type: "line", point: true },
    encoding: {
      x: {
        ...axis("size", titles.size),
        axis: { format: "~s", values: [...new Set(points.map(({ size }) => size))] },
      },
      y: {
        ...axis("seconds", titles.seconds),
        axis: { values: [0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500], format: "~g" },
      },
      color: {
        field: "what",
        type: "nominal",
        sort: [...new Set(order.map(({ what }) => what))],
        scale: { scheme: "tableau10" },
        legend: { title: titles.what, labelLimit: 0, titleLimit: 0 },
      },
    },
  };
  const view = new vega.View(vega.parse(compile(spec as TopLevelSpec).spec), { renderer: "none" });
  return view.toSVG();
}
