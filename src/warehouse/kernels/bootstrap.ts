import { bootstrapMean } from "../../metrics/index.js";
import { seededRandom } from "../../platform/index.js";
import type { ColumnVector } from "../columns.js";
import { slicesOf, createTable } from "./groups.js";
import type { Kernel } from "./kernel.js";

/** Bootstrap intervals of means, cell by cell, over distinct scores and their counts. */
export const bootstrapKernel: Kernel = {
  tables: { "": { cell_id: "integer", low: "double", high: "double" } },
  run(input, { stats }) {
    const out = createTable(["cell_id", "low", "high"]);
    for (const { group, from, to } of slicesOf(input.cell_id as ColumnVector)) {
      const cut = (name: string): Float64Array => (input[name] as Float64Array).subarray(from, to);
      const ends = bootstrapMean(cut("score"), cut("n"), stats.bootstrap_samples, seededRandom(stats.seed));
      out.add({ cell_id: group, ...ends });
    }
    return { "": out.columns };
  },
};
