/** The kernel of Bradley-Terry. */
import { bySource, type Columns, isUnweighted, pairCountsIn } from "../kernel.js";
import { bradleyTerry } from "./bradley-terry.js";

export const bradleyTerryKernel = bySource(
  {
    "": {
      item_id: "integer",
      value: "double",
      std_error: "double",
      clustered_std_error: "double",
      rank: "integer",
      wins: "double",
      n: "double",
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
    },
    intervals: {
      item_id: "integer",
      draws_tried: "integer",
      draws_used: "integer",
      ci_low: "double",
      ci_high: "double",
    },
  },
  ({ rows }, { bradley_terry: convention }, isUnread) => {
    const { ids, counts } = pairCountsIn(addedUp(rows));
    const squares = isUnweighted(rows.weight!) ? undefined : pairCountsIn(addedUp(rows, 2)).counts;
    const isDrawn = !isUnread("intervals");
    const fit = bradleyTerry(
      counts,
      isDrawn ? convention : { ...convention, rater_samples: 0 },
      squares,
    );
    return {
      "": {
        item_id: ids,
        value: fit.value,
        std_error: fit.standardError,
        clustered_std_error: fit.clusteredError,
        rank: fit.rank,
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
      },
      intervals: isDrawn
        ? {
            item_id: ids,
            draws_tried: fit.drawsTried,
            draws_used: fit.drawsUsed,
            ci_low: fit.low,
            ci_high: fit.high,
          }
        : null,
    };
  },
  { slow: ["intervals"] },
);

export function addedUp(rows: Columns, power: 1 | 2 = 1): Columns {
  const { rater, a, b, wins_a, wins_b, ties } = rows as Record<
    "rater" | "a" | "b" | "wins_a" | "wins_b" | "ties",
    Int32Array
  >;
  const weights = rows.weight as Float64Array;
  const weight = power === 1 ? weights : weights.map((own) => own * own);
  const entry = new Int32Array(a.length);
  let entries = 0;
  for (let i = 0; i < entry.length; i++) {
    if (i === 0 || rater[i] !== rater[i - 1] || a[i] !== a[i - 1] || b[i] !== b[i - 1]) entries++;
    entry[i] = entries - 1;
  }
  const isDistinct = entries === a.length;
  const first = (column: Int32Array): Int32Array => {
    if (isDistinct) return column;
    const own = new Int32Array(entries);
    for (let i = 0; i < entry.length; i++) own[entry[i]!] = column[i]!;
    return own;
  };
  const sum = (column: Int32Array): Float64Array => {
    const own = new Float64Array(entries);
    for (let i = 0; i < entry.length; i++) own[entry[i]!]! += column[i]! * weight[i]!;
    return own;
  };
  return {
    rater: first(rater),
    a: first(a),
    b: first(b),
    wins_a: sum(wins_a),
    wins_b: sum(wins_b),
    ties: sum(ties),
  };
}
