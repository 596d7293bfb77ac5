/**
 * The connected components of a graph of `count` items whose edges are (a[i], b[i]).
 * Returns each item's component, numbered from 0 in the order of their smallest item.
 */
export function connectedComponents(
  count: number,
  a: ArrayLike<number>,
  b: ArrayLike<number>,
): { component: Int32Array; components: number } {
  const parent = Int32Array.from({ length: count }, (_, i) => i);
  const find = (item: number): number => {
    let root = item;
    while (at(parent, root) !== root) root = at(parent, root);
    while (at(parent, item) !== root) {
      const next = at(parent, item);
      parent[item] = root;
      item = next;
    }
    return root;
  };
  for (let i = 0; i < a.length; i++) {
    const left = find(at(a, i));
    const right = find(at(b, i));
    if (left !== right) parent[Math.max(left, right)] = Math.min(left, right);
  }
  const component = new Int32Array(count);
  let components = 0;
  for (let item = 0; item < count; item++) {
    const root = find(item);
    component[item] = root === item ? components++ : at(component, root);
  }
  return { component, components };
}

function at(values: ArrayLike<number>, index: number): number {
  return values[index] as number;
}
