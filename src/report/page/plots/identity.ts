import type { Html } from "../html.js";
import type { Board } from "../data/index.js";
import { draw } from "./draw.js";
import { plotWidth } from "./theme.js";

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
            ...{ x, y },
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
