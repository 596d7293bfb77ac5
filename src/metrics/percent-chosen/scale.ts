import { Type } from "../../platform/index.js";

/** The unit of percent_chosen and percent_approved: percentages or fractions of 1. */
export const percentScale = Type.Union([Type.Literal(100), Type.Literal(1)]);

const scaled = (percent_scale: 1 | 100) => ({ conventions: { percent_scale } });

export const percentScaleHypotheses = [
  { axis: "scale", value: "fraction", bits: 2, says: "shares are fractions of 1", set: scaled(1) },
  { axis: "scale", value: "percent", bits: 2, says: "shares are percentages", set: scaled(100) },
] as const;

export const percentScaleOption = {
  axis: "scale",
  names: ["percent_scale", "scale", "unit"],
  read(value: unknown) {
    if (value === "percent" || value === "%" || value === 100) return scaled(100);
    return value === "fraction" || value === "share" || value === 1 ? scaled(1) : undefined;
  },
} as const;
