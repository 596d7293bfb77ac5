/** Typed arrays: runs, components, counting sort. */
export function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i]! * y[i]!;
  return sum;
}

/** Equal neighbours: `from` up to but not including `to`. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

export function runsOf(values: ArrayLike<number>): Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < values.length;) {
    let to = from + 1;
    while (to < values.length && values[to] === values[from]) to++;
    runs.push({ from, to });
    from = to;
  }
  return runs;
}

/** Edges (a[i], b[i]); each item's component, numbered in the order of their smallest item. */
export function connectedComponents(
  count: number,
  a: ArrayLike<number>,
  b: ArrayLike<number>,
): { component: Int32Array; components: number } {
  const parent = Int32Array.from({ length: count }, (_, i) => i);
  const find = (item: number): number => {
    let root = item;
    while (parent[root] !== root) root = parent[root]!;
    while (parent[item] !== root) {
      const next = parent[item]!;
      parent[item] = root;
      item = next;
    }
    return root;
  };
  for (let i = 0; i < a.length; i++) {
    const left = find(a[i]!);
    const right = find(b[i]!);
    if (left !== right) parent[Math.max(left, right)] = Math.min(left, right);
  }
  const component = new Int32Array(count);
  let components = 0;
  for (let item = 0; item < count; item++) {
    const root = find(item);
    component[item] = root === item ? components++ : component[root]!;
  }
  return { component, components };
}

/** Those of value v: `places[from[v]]` up to but not including `from[v + 1]`. */
export interface PlacesByValue {
  readonly from: Int32Array;
  readonly places: Int32Array;
}

/** Stable. */
export function placesByValue(values: ArrayLike<number>, count: number): PlacesByValue {
  const from = new Int32Array(count + 1);
  for (let i = 0; i < values.length; i++) from[values[i]! + 1]! += 1;
  for (let value = 0; value < count; value++) from[value + 1]! += from[value]!;
  const next = from.slice();
  const places = new Int32Array(values.length);
  for (let i = 0; i < places.length; i++) {
    const value = values[i]!;
    places[next[value]!] = i;
    next[value]! += 1;
  }
  return { from, places };
}

export const placesOf = ({ from, places }: PlacesByValue, value: number): Int32Array =>
  places.subarray(from[value], from[value + 1]);

export function joined(parts: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function distinctOf(values: Float64Array): { distinct: Float64Array; places: Int32Array } {
  const distinct = new Float64Array(new Set(values)).sort();
  const placeOf = new Map(Array.from(distinct, (value, at) => [value, at]));
  const places = new Int32Array(values.length); // Int32Array.from with a function is far slower
  for (let at = 0; at < places.length; at++) places[at] = placeOf.get(values[at]!)!;
  return { distinct, places };
}
