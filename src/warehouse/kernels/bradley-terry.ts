import { bradleyTerry } from "../../metrics/index.js";
import { bySource } from "./by-group.js";
import { addedUp, pairCountsIn } from "./pair-counts.js";

/** Maximum-likelihood Bradley-Terry over pair counts by rater. */
export const bradleyTerryKernel = bySource(
  {
    "": {
      item_id: "integer",
      value: "double",
      std_error: "double",
      clustered_std_error: "double",
      ci_low: "double",
      ci_high: "double",
      rank: "integer",
      rank_best: "integer",
      rank_worst: "integer",
      wins: "double",
      n: "integer",
      component: "integer",
      class: "integer",
      is_tied: "boolean",
    },
    groups: {
      items: "integer",
      raters: "integer",
      components: "integer",
      classes: "integer",
      iterations: "integer",
      is_converged: "boolean",
      tie_chance: "double",
      tie_scale: "double",
      draws_tried: "integer",
      draws_used: "integer",
    },
  },
  ({ rows }, { bradley_terry: convention }) => {
    const { ids, counts } = pairCountsIn(addedUp(rows));
    const fit = bradleyTerry(counts, convention);
    return {
      "": {
        item_id: ids,
        value: fit.value,
        std_error: fit.standardError,
        clustered_std_error: fit.clusteredError,
        ci_low: fit.low,
        ci_high: fit.high,
        rank: fit.rank,
        rank_best: fit.rankBest,
        rank_worst: fit.rankWorst,
        wins: fit.wins,
        n: fit.comparisons,
        component: fit.component,
        class: fit.class,
        is_tied: fit.isTied,
      },
      groups: {
        items: ids.length,
        raters: counts.raters,
        components: fit.components,
        classes: fit.classes,
        iterations: fit.iterations,
        is_converged: fit.converged,
        tie_chance: fit.tieChance,
        tie_scale: fit.tieScale,
        draws_tried: fit.drawsTried,
        draws_used: fit.drawsUsed,
      },
    };
  },
  { slow: [""] },
);
