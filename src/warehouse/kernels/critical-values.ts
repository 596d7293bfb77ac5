import { normalQuantile, tQuantile } from "../../metrics/index.js";
import type { Kernel } from "./kernel.js";

const upper = 0.975;

/** The factor of a 95 % interval for each number of degrees of freedom. */
export const criticalValuesKernel: Kernel = {
  tables: { "": { df: "double", critical: "double" } },
  run(input, { stats }) {
    const df = input.df as Float64Array;
    const critical = df.map((d) => (stats.interval === "normal" ? normalQuantile(upper) : tQuantile(upper, d)));
    return { "": { df, critical } };
  },
};
