import { bootstrapMean, upperProbability } from "../../metrics/index.js";
import { seededRandom } from "../../platform/index.js";
import { byGroup } from "./by-group.js";

/** Bootstrap intervals of means over distinct scores and their counts. */
export const bootstrapKernel = byGroup(
  "cell_id",
  { "": { low: "double", high: "double" } },
  ({ rows: { score, n } }, { stats: { bootstrap_samples, seed, level } }) => ({
    "": bootstrapMean(
      score as Float64Array,
      n as Float64Array,
      bootstrap_samples,
      seededRandom(seed),
      upperProbability(level),
    ),
  }),
);
