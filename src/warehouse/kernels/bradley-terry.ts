import { bradleyTerry } from "../../metrics/index.js";
import type { ColumnVector } from "../columns.js";
import { slicesOf, createTable } from "./groups.js";
import type { Kernel } from "./kernel.js";
import { pairCountsOfGroup } from "./pair-counts.js";

/** Maximum-likelihood Bradley-Terry, group by group, over pair counts by rater. */
export const bradleyTerryKernel: Kernel = {
  tables: {
    "": {
      group_id: "integer",
      item_id: "integer",
      value: "double",
      std_error: "double",
      ci_low: "double",
      ci_high: "double",
      rank: "integer",
      rank_best: "integer",
      rank_worst: "integer",
      wins: "double",
      n: "integer",
      component: "integer",
      class: "integer",
    },
    groups: {
      group_id: "integer",
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
  run(input, { bradley_terry: convention }) {
    const out = createTable(Object.keys(this.tables[""] ?? {}));
    const groups = createTable(Object.keys(this.tables.groups ?? {}));
    for (const slice of slicesOf(input.group_id as ColumnVector)) {
      const { ids, counts } = pairCountsOfGroup(input, slice);
      const fit = bradleyTerry(counts, convention);
      ids.forEach((id, i) =>
        out.add({
          group_id: slice.group,
          item_id: id,
          value: fit.value[i] as number,
          std_error: fit.standardError[i] as number,
          ci_low: fit.low[i] as number,
          ci_high: fit.high[i] as number,
          rank: fit.rank[i] as number,
          rank_best: fit.rankBest[i] as number,
          rank_worst: fit.rankWorst[i] as number,
          wins: fit.wins[i] as number,
          n: fit.comparisons[i] as number,
          component: fit.component[i] as number,
          class: fit.class[i] as number,
        }),
      );
      groups.add({
        group_id: slice.group,
        items: ids.length,
        raters: counts.raters,
        components: fit.components,
        classes: fit.classes,
        iterations: fit.iterations,
        is_converged: Number(fit.converged),
        tie_chance: fit.tieChance,
        tie_scale: fit.tieScale,
        draws_tried: fit.drawsTried,
        draws_used: fit.drawsUsed,
      });
    }
    return { "": out.columns, groups: groups.columns };
  },
};
