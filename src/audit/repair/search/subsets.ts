import { seededRandom } from "../../../platform/index.js";
import { isClosed, type Gap } from "../influence/influence.js";
import type { Budget } from "../budget.js";
import { spreadOf, take, type Effects } from "../influence/effects.js";

/** Subsets of one size: `sum[i]` is their effect in one direction, `members` their units, `size` each. */
interface List {
  readonly size: number;
  readonly sum: Float64Array;
  /** In another direction, to tell apart what meets in the first by chance. */
  readonly other: Float64Array;
  readonly members: Int32Array;
  readonly buckets: Buckets;
}

/** Sets found at most: beyond it they are too many to mean anything. */
const mostFound = 1000;
/** Subsets kept in one list at most. */
const longestList = 3_000_000;

/**
 * Every set of up to `most` units whose effects close the gap, the smallest size at which there are any: sums of
 * halves meet in the middle, looked up by their effect in one direction. Stops where the budget does.
 */
export function closingSets(effects: Effects, gap: Gap, most: number, budget: Budget): number[][] {
  if (!budget.spend(2 * effects.equation.length + effects.units)) return [];
  const [first, second] = [projected(effects, gap, 1), projected(effects, gap, 2)];
  const { wanted, within } = first;
  const lists: List[] = [];
  for (let size = 2; size <= most; size++) {
    const left = listOf(Math.floor(size / 2));
    const right = listOf(Math.ceil(size / 2));
    if (left === null || right === null) return [];
    const found = pairings(left, right);
    if (found === null || found.length > 0) return found ?? [];
  }
  return [];

  function listOf(size: number): List | null {
    const known = lists.find((l) => l.size === size);
    if (known !== undefined) return known;
    let count = 1;
    for (let i = 0; i < size; i++) count = (count * (effects.units - i)) / (i + 1);
    if (count > longestList || !budget.spend(6 * count)) return null;
    const sum = new Float64Array(count);
    const other = new Float64Array(count);
    const members = new Int32Array(count * size);
    const chosen = new Int32Array(size);
    let next = 0;
    const fill = (depth: number, from: number, total: number, otherTotal: number): void => {
      if (depth === size) {
        members.set(chosen, next * size);
        other[next] = otherTotal;
        sum[next++] = total;
        return;
      }
      for (let u = from; u < effects.units; u++) {
        chosen[depth] = u;
        fill(depth + 1, u + 1, total + (first.alone[u] as number), otherTotal + (second.alone[u] as number));
      }
    };
    fill(0, 0, 0, 0);
    const list = { size, sum, other, members, buckets: new Buckets(sum, 4 * within) };
    lists.push(list);
    return list;
  }

  /** Null where the budget ends first and nothing was found. */
  function pairings(left: List, right: List): number[][] | null {
    const found = new Map<string, number[]>();
    const before = gap.rest.slice();
    const rest = gap.rest.slice();
    for (let i = 0; i < left.sum.length && found.size < mostFound; i++) {
      if (!budget.spend(12)) return found.size > 0 ? [...found.values()] : null;
      const missing = wanted - (left.sum[i] as number);
      let isTaken = false;
      right.buckets.near(missing, (j) => {
        if (!(Math.abs((right.sum[j] as number) - missing) <= within) || !budget.spend(2)) return;
        const otherLeft = second.wanted - (left.other[i] as number) - (right.other[j] as number);
        if (!(Math.abs(otherLeft) <= second.within) || !budget.spend(30 + 2 * rest.length)) return;
        if (!isTaken) before.set(gap.rest);
        if (!isTaken) takeAll(left, i, before);
        isTaken = true;
        rest.set(before);
        takeAll(right, j, rest);
        if (!isClosed(rest, gap.slack)) return;
        const units = [...membersOf(left, i), ...membersOf(right, j)].sort((x, y) => x - y);
        if (units.every((u, n) => u !== units[n - 1])) found.set(units.join(), units);
      });
    }
    return [...found.values()];
  }

  function takeAll(list: List, i: number, rest: Float64Array): void {
    for (let n = i * list.size; n < (i + 1) * list.size; n++) take(effects, list.members[n] as number, rest);
  }

  function membersOf({ members, size }: List, i: number): number[] {
    return [...members.subarray(i * size, (i + 1) * size)];
  }
}

/** Sums by the interval they fall into. */
class Buckets {
  readonly #head: Int32Array;
  readonly #next: Int32Array;
  readonly #key: Float64Array;
  readonly #width: number;
  readonly #mask: number;

  constructor(sums: Float64Array, width: number) {
    const size = 2 ** Math.max(4, Math.ceil(Math.log2(sums.length + 1)));
    this.#mask = size - 1;
    this.#width = width;
    this.#head = new Int32Array(size).fill(-1);
    this.#next = new Int32Array(sums.length);
    this.#key = new Float64Array(sums.length);
    for (let i = sums.length - 1; i >= 0; i--) {
      const key = Math.floor((sums[i] as number) / width);
      const slot = this.#slot(key);
      this.#key[i] = key;
      this.#next[i] = this.#head[slot] as number;
      this.#head[slot] = i;
    }
  }

  near(sum: number, visit: (i: number) => void): void {
    const middle = Math.floor(sum / this.#width);
    for (let key = middle - 1; key <= middle + 1; key++) {
      for (let i = this.#head[this.#slot(key)] as number; i !== -1; i = this.#next[i] as number)
        if (this.#key[i] === key) visit(i);
    }
  }

  /** Keys may be larger than 2^32. */
  #slot(key: number): number {
    const low = key % 4294967296;
    return (Math.imul(low | 0, 0x9e3779b1) ^ Math.imul(Math.floor(key / 4294967296) | 0, 0x85ebca6b)) & this.#mask;
  }
}

interface Projection {
  readonly alone: Float64Array;
  readonly wanted: number;
  readonly within: number;
}

/** The effect of each unit in a direction in which effects differ by much more than the published numbers leave open. */
function projected(effects: Effects, { rest, slack }: Gap, seed: number): Projection {
  const random = seededRandom(seed);
  const direction = spreadOf(effects, rest.length).map(
    (s, e) => ((0.5 + random()) * s) / Math.max(slack[e] as number, 1e-12) ** 2,
  );
  const alone = new Float64Array(effects.units);
  for (let u = 0; u < effects.units; u++) {
    for (let i = effects.start[u] as number; i < (effects.start[u + 1] as number); i++) {
      alone[u] =
        (alone[u] as number) + (effects.amount[i] as number) * (direction[effects.equation[i] as number] as number);
    }
  }
  const wanted = direction.reduce((sum, d, e) => sum + d * (rest[e] as number), 0);
  const within = direction.reduce((sum, d, e) => sum + d * (slack[e] as number), 0) + 1e-9 * Math.abs(wanted);
  return { alone, wanted, within };
}
