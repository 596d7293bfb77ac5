import type { Order } from "../../metrics/index.js";
import { byText, cachedBy } from "../../platform/index.js";
import type { RatingColumns } from "./rating-columns.js";
import { slateGroupsOf } from "./slate-groups.js";

/** Slate groups in an order other than the service order, which breaks ties; null for the service order. */
export function orderOf(ratings: RatingColumns, order: Order): Int32Array | null {
  return order === "service" ? null : ordered(ratings, order);
}

const ordered = cachedBy((ratings: RatingColumns, order: Exclude<Order, "service">): Int32Array => {
  const { starts } = slateGroupsOf(ratings);
  const groups = Int32Array.from({ length: starts.length - 1 }, (_, group) => group);
  if (order === "reversed") return groups.reverse();
  const places = placesIn(ratings, order);
  return countingSort(groups.map((group) => places[starts[group] as number] as number));
});

/** Indices sorted by place; stable, in time proportional to the number of indices and places (counting sort). */
function countingSort(places: Int32Array): Int32Array {
  const count = places.reduce((most, p) => Math.max(most, p), -1) + 1;
  const next = new Int32Array(count + 1);
  for (const place of places) next[place + 1] = (next[place + 1] as number) + 1;
  for (let p = 1; p < next.length; p++) next[p] = (next[p] as number) + (next[p - 1] as number);
  const sorted = new Int32Array(places.length);
  places.forEach((place, n) => {
    const at = next[place] as number;
    sorted[at] = n;
    next[place] = at + 1;
  });
  return sorted;
}

/** The place of each rating's slate. */
function placesIn(ratings: RatingColumns, order: Exclude<Order, "service" | "reversed">): Int32Array {
  if (order === "slate_updated") return ranked(ratings.slateUpdated);
  if (order === "slate_id") {
    const rank = ranked(ratings.slateIds);
    return ratings.slate.map((slate) => (slate === -1 ? 0 : (rank[slate] as number)));
  }
  const sessions = ratings.sessions.map((s, i) => ({ ...s, i }));
  sessions.sort((x, y) => (order === "created" ? x.created - y.created || 0 : 0) || byText(x.id, y.id));
  const rank = new Int32Array(sessions.length);
  sessions.forEach(({ i }, place) => (rank[i] = place));
  return ratings.session.map((session) => rank[session] as number);
}

/** How many of the values are smaller than each; unknown instants (NaN) come last. */
function ranked(values: Float64Array | BigInt64Array): Int32Array {
  const sorted = values.slice().sort();
  const rank = new Int32Array(values.length);
  for (let i = 0; i < rank.length; i++) {
    const value = values[i] as number | bigint;
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = sorted[middle] as number | bigint;
      if (other < value || (Number.isNaN(value) && !Number.isNaN(other))) low = middle + 1;
      else high = middle;
    }
    rank[i] = low;
  }
  return rank;
}
