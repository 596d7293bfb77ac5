/** The kernel of Bayesian Elo. */
import { byGroup, pairCountsIn } from "../kernel.js";
import { bayesianElo, bayesianEloEnds, quantileEnds, warmStrengths } from "./bayesian-elo.js";

export const bayesianEloKernel = byGroup(
  "group_id",
  {
    "": {
      item_id: "integer",
      value: "double",
      wins: "double",
      n: "double",
      ...Object.fromEntries(quantileEnds.map(([name]) => [name, "double"] as const)),
      component: "integer",
    },
    groups: {
      items: "integer",
      components: "integer",
      iterations: "integer",
      is_converged: "boolean",
      max_change_elo: "double",
      tie_chance: "double",
    },
    raters: { rater_no: "integer", quality: "double" },
  },
  ({ rows }, { bayesian_elo: convention }) => {
    const { ids, raterIds, counts } = pairCountsIn(rows);
    const fit = bayesianElo(
      counts,
      convention,
      warmStrengths(counts, rows.session as Int32Array, convention),
    );
    return {
      "": {
        item_id: ids,
        value: fit.elo,
        wins: fit.wins,
        n: fit.comparisons,
        ...bayesianEloEnds(fit, convention),
        component: fit.component,
      },
      groups: {
        items: ids.length,
        components: fit.components,
        iterations: fit.iterations,
        is_converged: fit.converged,
        max_change_elo: fit.maxChangeElo,
        tie_chance: fit.tieChance ?? NaN,
      },
      raters: { rater_no: fit.quality === null ? [] : raterIds, quality: fit.quality ?? [] },
    };
  },
);
