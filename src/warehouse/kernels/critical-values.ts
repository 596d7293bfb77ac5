import { normalQuantile, tQuantile, upperProbability } from "../../metrics/index.js";
import type { Kernel } from "./kernel.js";

/** The factor of an interval for each number of degrees of freedom. */
export const criticalValuesKernel: Kernel = {
  tables: { "": { df: "double", critical: "double" } },
  run(input, { stats }) {
    const upper = upperProbability(stats.level);
    const df = input.df as Float64Array;
    const critical = df.map((d) => (stats.interval === "normal" ? normalQuantile(upper) : tQuantile(upper, d)));
    return { "": { df, critical } };
  },
};
