import type { RaterPairCounts } from "../../metrics/index.js";
import type { Columns } from "../columns.js";
import { localIds } from "./local-ids.js";

/** The rows with those of the same rater and pair, which are neighbours, added up. */
export function addedUp(rows: Columns): Columns {
  const { rater, a, b, wins_a, wins_b, ties } = rows as Record<
    "rater" | "a" | "b" | "wins_a" | "wins_b" | "ties",
    Int32Array
  >;
  const entry = new Int32Array(a.length);
  let entries = 0;
  for (let i = 0; i < entry.length; i++) {
    if (i === 0 || rater[i] !== rater[i - 1] || a[i] !== a[i - 1] || b[i] !== b[i - 1]) entries++;
    entry[i] = entries - 1;
  }
  const first = (column: Int32Array): Int32Array => {
    const own = new Int32Array(entries);
    for (let i = 0; i < entry.length; i++) own[entry[i] as number] = column[i] as number;
    return own;
  };
  const sum = (column: Int32Array): Float64Array => {
    const own = new Float64Array(entries);
    for (let i = 0; i < entry.length; i++)
      own[entry[i] as number] = (own[entry[i] as number] as number) + (column[i] as number);
    return own;
  };
  return { rater: first(rater), a: first(a), b: first(b), wins_a: sum(wins_a), wins_b: sum(wins_b), ties: sum(ties) };
}

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
