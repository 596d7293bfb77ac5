import {
  bayesianElo,
  bayesianEloEnds,
  intervalEnds,
  type BayesianEloResult,
  type BayesianEloConvention,
  warmStrengths,
} from "../../metrics/index.js";
import type { ColumnVector, Columns } from "../columns.js";
import { type GroupSlice, slicesOf, createTable } from "./groups.js";
import type { Kernel } from "./kernel.js";
import { pairCountsOfGroup } from "./pair-counts.js";

const endNames = intervalEnds.map(([name]) => name);

/** Bayesian Bradley-Terry, group by group, over pair counts. */
export const bayesianEloKernel: Kernel = {
  tables: {
    "": {
      group_id: "integer",
      item_id: "integer",
      value: "double",
      wins: "double",
      n: "integer",
      ...(Object.fromEntries(endNames.map((name) => [name, "double"])) as Record<(typeof endNames)[number], "double">),
      component: "integer",
    },
    groups: {
      group_id: "integer",
      items: "integer",
      components: "integer",
      iterations: "integer",
      is_converged: "boolean",
      max_change_elo: "double",
    },
    raters: { group_id: "integer", rater_no: "integer", quality: "double" },
  },
  run(input, { bayesian_elo: convention }) {
    const out = createTable(["group_id", "item_id", "value", "wins", "n", ...endNames, "component"]);
    const groups = createTable(Object.keys(this.tables.groups ?? {}));
    const raters = createTable(["group_id", "rater_no", "quality"]);
    for (const slice of slicesOf(input.group_id as ColumnVector)) {
      const { ids, raterIds, fit } = fitGroup(input, slice, convention);
      const ends = bayesianEloEnds(fit, convention);
      ids.forEach((id, i) => {
        const at = Object.fromEntries(endNames.map((name, e) => [name, ends[e]?.[i] as number]));
        out.add({
          ...(at as Record<(typeof endNames)[number], number>),
          group_id: slice.group,
          item_id: id,
          value: fit.elo[i] as number,
          wins: fit.wins[i] as number,
          n: fit.comparisons[i] as number,
          component: fit.component[i] as number,
        });
      });
      groups.add({
        group_id: slice.group,
        items: ids.length,
        components: fit.components,
        iterations: fit.iterations,
        is_converged: Number(fit.converged),
        max_change_elo: fit.maxChangeElo,
      });
      fit.quality?.forEach((quality, r) =>
        raters.add({ group_id: slice.group, rater_no: raterIds[r] as number, quality }),
      );
    }
    return { "": out.columns, groups: groups.columns, raters: raters.columns };
  },
};

function fitGroup(
  input: Columns,
  slice: GroupSlice,
  convention: BayesianEloConvention,
): { ids: Int32Array; raterIds: Int32Array; fit: BayesianEloResult } {
  const { ids, raterIds, counts } = pairCountsOfGroup(input, slice);
  const session = (input.session as Int32Array).subarray(slice.from, slice.to);
  return { ids, raterIds, fit: bayesianElo(counts, convention, warmStrengths(counts, session, convention)) };
}
