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
  const index = new Int32Array(counts.items).fill(-1);
  members.forEach((item, i) => (index[item] = i));
  const isWithin = (p: number): boolean => index[counts.a[p] as number] !== -1 && index[counts.b[p] as number] !== -1;
  const entries = counts.a.map((_, p) => p).filter(isWithin);
  const local = (ids: Int32Array): Int32Array => entries.map((p) => index[ids[p] as number] as number);
  const take = (values: Float64Array): Float64Array => {
    const own = new Float64Array(entries.length); // a loop takes a tenth of the time of Float64Array.from
    for (let i = 0; i < own.length; i++) own[i] = values[entries[i] as number] as number;
    return own;
  };
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
