/** Likelihood classes of items. */
import type { PairCounts } from "../pair-counts.js";

/**
 * Two items share a class if each is reached from the other over wins and ties: maximum likelihood
 * exists within (Ford 1957); between classes one side won every time. Returns the class by item,
 * numbered in the order of their smallest item.
 */
export function likelihoodClasses({ items, a, b, winsA, winsB, ties }: PairCounts): {
  ofItem: Int32Array;
  classes: number;
} {
  const beaten: number[][] = Array.from({ length: items }, () => []);
  for (let p = 0; p < a.length; p++) {
    const tied = ties[p]! > 0;
    if (tied || winsA[p]! > 0) beaten[a[p]!]?.push(b[p]!);
    if (tied || winsB[p]! > 0) beaten[b[p]!]?.push(a[p]!);
  }
  return numberedClasses(strongComponents(beaten));
}

/** Tarjan's algorithm without recursion. */
function strongComponents(next: readonly (readonly number[])[]): Int32Array {
  const count = next.length;
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const component = new Int32Array(count).fill(-1);
  const edge = new Int32Array(count);
  const open: number[] = [];
  let clock = 0;
  for (let root = 0; root < count; root++) {
    const path = index[root] === -1 ? [root] : [];
    while (path.length > 0) {
      const node = path.at(-1)!;
      if (index[node] === -1) {
        index[node] = low[node] = clock++;
        open.push(node);
      }
      const target = next[node]?.[edge[node]!];
      if (target !== undefined) {
        edge[node]! += 1;
        if (index[target] === -1) path.push(target);
        else if (component[target] === -1) low[node] = Math.min(low[node]!, index[target]!);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!);
      if (low[node] !== index[node]) continue;
      for (let member = open.pop(); member !== undefined; member = open.pop()) {
        component[member] = node;
        if (member === node) break;
      }
    }
  }
  return component;
}

function numberedClasses(component: Int32Array): { ofItem: Int32Array; classes: number } {
  const numbers = new Map<number, number>();
  const ofItem = component.map((root) => {
    const number = numbers.get(root) ?? numbers.size;
    numbers.set(root, number);
    return number;
  });
  return { ofItem, classes: numbers.size };
}

/** Item numbers by class, ascending. */
export function membersOf(ofItem: Int32Array, classes: number): Int32Array[] {
  const members = Array.from({ length: classes }, (): number[] => []);
  ofItem.forEach((own, item) => members[own]?.push(item));
  return members.map((own) => Int32Array.from(own));
}

export function restrict<C extends PairCounts & { readonly rater?: Int32Array }>(
  counts: C,
  members: Int32Array,
): C {
  if (members.length === counts.items) return counts;
  const index = new Int32Array(counts.items).fill(-1);
  members.forEach((item, i) => (index[item] = i));
  const isWithin = (p: number): boolean => index[counts.a[p]!] !== -1 && index[counts.b[p]!] !== -1;
  const entries = counts.a.map((_, p) => p).filter(isWithin);
  const local = (ids: Int32Array): Int32Array => entries.map((p) => index[ids[p]!]!);
  const take = (values: Float64Array): Float64Array => {
    const own = new Float64Array(entries.length);
    for (let i = 0; i < own.length; i++) own[i] = values[entries[i]!]!;
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
    ...(rater === undefined ? {} : { rater: entries.map((p) => rater[p]!) }),
  };
}
