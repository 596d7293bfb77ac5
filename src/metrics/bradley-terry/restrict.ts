import type { PairCounts } from "../pairs/pair-counts.js";

/** The items of each class, ascending. */
export function membersOf(ofItem: Int32Array, classes: number): Int32Array[] {
  const members = Array.from({ length: classes }, (): number[] => []);
  ofItem.forEach((own, item) => members[own]?.push(item));
  return members.map((own) => Int32Array.from(own));
}

/** The comparisons among `members`, which become items 0, 1 … in their order; with their raters, if they have some. */
export function restrict<C extends PairCounts & { readonly rater?: Int32Array }>(counts: C, members: Int32Array): C {
  if (members.length === counts.items) return counts;
  const index = new Map(Array.from(members, (item, i) => [item, i]));
  const entries = Int32Array.from(counts.a.keys()).filter(
    (p) => index.has(counts.a[p] as number) && index.has(counts.b[p] as number),
  );
  const local = (ids: Int32Array): Int32Array => entries.map((p) => index.get(ids[p] as number) as number);
  const take = (values: Float64Array): Float64Array => Float64Array.from(entries, (p) => values[p] as number);
  const { rater } = counts;
  return {
    ...counts,
    items: members.length,
    a: local(counts.a),
    b: local(counts.b),
    winsA: take(counts.winsA),
    winsB: take(counts.winsB),
    ties: take(counts.ties),
    ...(rater === undefined ? {} : { rater: entries.map((p) => rater[p] as number) }),
  };
}
