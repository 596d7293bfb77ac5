import { byText } from "../order.js";
import type { Facts } from "./facts.js";
import type { Population } from "./population.js";

type Order = Population["order"];

/** Where each rating's slate stands in an order; equal places keep the service order. Kept with the facts. */
const known = new WeakMap<Int32Array, Map<Order, Int32Array>>();

/** Positions of comparisons in the wanted order, or null where they stand in it already. `left`: a rating of each. */
export function orderOf(facts: Facts, order: Order, left: Int32Array): Int32Array | null {
  if (order === "service") return null;
  if (order === "reversed") return Int32Array.from(left, (_, n) => n).reverse();
  const orders = known.get(facts.slate) ?? new Map<Order, Int32Array>();
  known.set(facts.slate, orders);
  const places = orders.get(order) ?? placesIn(facts, order);
  orders.set(order, places);
  return countingSort(left, places);
}

/** Stable, in time proportional to the number of comparisons and places. */
function countingSort(left: Int32Array, places: Int32Array): Int32Array {
  const count = places.reduce((most, p) => Math.max(most, p), -1) + 1;
  const next = new Int32Array(count + 1);
  for (const rating of left) next[(places[rating] as number) + 1] = (next[(places[rating] as number) + 1] as number) + 1;
  for (let p = 1; p < next.length; p++) next[p] = (next[p] as number) + (next[p - 1] as number);
  const positions = new Int32Array(left.length);
  left.forEach((rating, n) => {
    const place = places[rating] as number;
    positions[next[place] as number] = n;
    next[place] = (next[place] as number) + 1;
  });
  return positions;
}

function placesIn(facts: Facts, order: Exclude<Order, "service" | "reversed">): Int32Array {
  if (order === "slate_updated") return ranked(facts.slateUpdated);
  if (order === "slate_id") {
    const ids = BigInt64Array.from(facts.slateIds).sort();
    const rank = new Map<bigint, number>();
    ids.forEach((id) => rank.has(id) || rank.set(id, rank.size));
    return facts.slate.map((slate) => (slate === -1 ? 0 : (rank.get(facts.slateIds[slate] as bigint) as number)));
  }
  const sessions = facts.sessions.map((s, i) => ({ ...s, i }));
  sessions.sort((x, y) => (order === "created" ? x.created - y.created || 0 : 0) || byText(x.id, y.id));
  const rank = new Int32Array(sessions.length);
  sessions.forEach(({ i }, place) => (rank[i] = place));
  return facts.session.map((session) => rank[session] as number);
}

/** The place of each value among the distinct ones; unknown instants come last. */
function ranked(values: Float64Array): Int32Array {
  const rank = new Map<number, number>();
  for (const value of values.slice().sort()) if (!rank.has(value)) rank.set(value, rank.size);
  return Int32Array.from(values, (value) => rank.get(value) as number);
}
