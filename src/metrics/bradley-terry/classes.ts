import type { PairCounts } from "../pairs/pair-counts.js";

/**
 * The classes within which maximum likelihood exists (Ford 1957): two items share a class when each
 * is reached from the other over wins and ties. Items of different classes that were compared are
 * separated: one side won every time, and no finite difference is the most likely one.
 * Returns each item's class, numbered in the order of their smallest item.
 */
export function likelihoodClasses({ items, a, b, winsA, winsB, ties }: PairCounts): {
  ofItem: Int32Array;
  classes: number;
} {
  const beaten: number[][] = Array.from({ length: items }, () => []);
  for (let p = 0; p < a.length; p++) {
    const tied = (ties[p] as number) > 0;
    if (tied || (winsA[p] as number) > 0) beaten[a[p] as number]?.push(b[p] as number);
    if (tied || (winsB[p] as number) > 0) beaten[b[p] as number]?.push(a[p] as number);
  }
  return numbered(strongComponents(beaten));
}

/** Tarjan's algorithm without recursion: the strongly connected component of each node. */
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
      const node = path.at(-1) as number;
      if (index[node] === -1) {
        index[node] = low[node] = clock++;
        open.push(node);
      }
      const target = next[node]?.[edge[node] as number];
      if (target !== undefined) {
        edge[node] = (edge[node] as number) + 1;
        if (index[target] === -1) path.push(target);
        else if (component[target] === -1) low[node] = Math.min(low[node] as number, index[target] as number);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) low[parent] = Math.min(low[parent] as number, low[node] as number);
      if (low[node] !== index[node]) continue;
      for (let member = open.pop(); member !== undefined; member = open.pop()) {
        component[member] = node;
        if (member === node) break;
      }
    }
  }
  return component;
}

function numbered(component: Int32Array): { ofItem: Int32Array; classes: number } {
  const numbers = new Map<number, number>();
  const ofItem = component.map((root) => {
    const number = numbers.get(root) ?? numbers.size;
    numbers.set(root, number);
    return number;
  });
  return { ofItem, classes: numbers.size };
}
