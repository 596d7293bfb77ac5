import type { RaterPairCounts } from "../../metrics/index.js";
import type { Columns } from "../columns.js";
import { localIds } from "./local-ids.js";

/** The rows of one group as pair counts, with the ids behind their indices. */
export function pairCountsIn(rows: Columns): { ids: Int32Array; raterIds: Int32Array; counts: RaterPairCounts } {
  const { ids, local } = localIds([rows.a as Int32Array, rows.b as Int32Array]);
  const raters = localIds([rows.rater as Int32Array]);
  const counts: RaterPairCounts = {
    items: ids.length,
    a: local[0] as Int32Array,
    b: local[1] as Int32Array,
    raters: raters.ids.length,
    rater: raters.local[0] as Int32Array,
    winsA: rows.wins_a as Float64Array,
    winsB: rows.wins_b as Float64Array,
    ties: rows.ties as Float64Array,
  };
  return { ids, raterIds: raters.ids, counts };
}
