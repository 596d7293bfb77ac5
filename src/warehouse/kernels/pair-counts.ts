import type { RaterPairCounts } from "../../metrics/index.js";
import type { Columns } from "../columns.js";
import { type GroupSlice, localIds } from "./groups.js";

/** The rows of one group as pair counts, with the ids behind their indices. */
export function pairCountsOfGroup(
  input: Columns,
  { from, to }: GroupSlice,
): { ids: Int32Array; raterIds: Int32Array; counts: RaterPairCounts } {
  const cut = (name: string): Int32Array => (input[name] as Int32Array).subarray(from, to);
  const cutReal = (name: string): Float64Array => (input[name] as Float64Array).subarray(from, to);
  const items = localIds([cut("a"), cut("b")]);
  const raters = localIds([cut("rater")]);
  const counts: RaterPairCounts = {
    items: items.ids.length,
    a: items.local[0] as Int32Array,
    b: items.local[1] as Int32Array,
    raters: raters.ids.length,
    rater: raters.local[0] as Int32Array,
    winsA: cutReal("wins_a"),
    winsB: cutReal("wins_b"),
    ties: cutReal("ties"),
  };
  return { ids: items.ids, raterIds: raters.ids, counts };
}
