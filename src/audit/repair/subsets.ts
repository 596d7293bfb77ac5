import { seededRandom } from "../../platform/index.js";
import type { Budget } from "./mismatch.js";
import { isClosed, subtract, type UnitEffects, type Gap } from "./sums.js";

/** All subsets of one size. */
interface SubsetList {
  readonly size: number;
  /** The effect of each subset in one direction, by which subsets are looked up. */
  readonly sum: Float64Array;
  /** The effect in another direction, to reject subsets that match in the first by chance. */
  readonly other: Float64Array;
  /** The units of subset i: `size` entries from `i * size`. */
  readonly members: Int32Array;
  readonly near: Near;
}

/** Calls `visit` for each sum near `sum`: all within reach, and others in the same intervals. */
type Near = (sum: number, visit: (i: number) => void) => void;

/** Maximum number of sets to find: more would mean nothing. */
const mostFound = 1000;
/** Maximum length of a list of subsets. */
const longestList = 3_000_000;

/**
 * Every set of 2 to `most` units whose effects close the gap, of the smallest size that has any. Meets in the middle:
 * sums of halves are looked up by their effect in one direction. Returns what was found when the budget ends.
 */
export function closingSubsets(effects: UnitEffects, gap: Gap, most: number, budget: Budget): number[][] {
  if (!budget.spend(2 * effects.equation.length + effects.units)) return [];
  const first = projected(effects, gap, 1);
  const second = projected(effects, gap, 2);
  const lists = new Map<number, SubsetList>();
  for (let size = 2; size <= most; size++) {
    const left = listOf(Math.floor(size / 2));
    const right = listOf(Math.ceil(size / 2));
    if (left === null || right === null) return [];
    const { sets, isComplete } = meet(left, right);
    if (sets.length > 0 || !isComplete) return sets;
  }
  return [];

  function listOf(size: number): SubsetList | null {
    const known = lists.get(size);
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
        fill(depth + 1, u + 1, total + first.alone[u]!, otherTotal + second.alone[u]!);
      }
    };
    fill(0, 0, 0, 0);
    const list = { size, sum, other, members, near: nearest(sum, first.within) };
    lists.set(size, list);
    return list;
  }

  /** Pairs of halves that close the gap together. */
  function meet(left: SubsetList, right: SubsetList): { sets: number[][]; isComplete: boolean } {
    const found = new Map<string, number[]>();
    const residual = gap.residual.slice();
    for (let i = 0; i < left.sum.length && found.size < mostFound; i++) {
      if (!budget.spend(12)) return { sets: [...found.values()], isComplete: false };
      const missing = first.wanted - left.sum[i]!;
      right.near(missing, (j) => {
        if (!(Math.abs(right.sum[j]! - missing) <= first.within) || !budget.spend(2)) return;
        const otherMissing = second.wanted - left.other[i]! - right.other[j]!;
        if (!(Math.abs(otherMissing) <= second.within) || !budget.spend(30 + 2 * residual.length)) return;
        const units = [...membersOf(left, i), ...membersOf(right, j)].sort((x, y) => x - y);
        residual.set(gap.residual);
        for (const u of units) subtract(effects, u, residual);
        if (isClosed(residual, gap.slack) && units.every((u, n) => u !== units[n - 1])) found.set(units.join(), units);
      });
    }
    return { sets: [...found.values()], isComplete: true };
  }
}

function membersOf({ members, size }: SubsetList, i: number): Int32Array {
  return members.subarray(i * size, (i + 1) * size);
}

/** A hash table of sums, to look up those up to `within` away. */
function nearest(sums: Float64Array, within: number): Near {
  const width = 4 * within;
  // With a margin for rounding. It spans one or two intervals, each of which costs a miss of the cache.
  const reach = 1.25 * within;
  const mask = 2 ** Math.max(4, Math.ceil(Math.log2(sums.length + 1))) - 1;
  const head = new Int32Array(mask + 1).fill(-1);
  const next = new Int32Array(sums.length);
  const keys = new Float64Array(sums.length);
  for (let i = sums.length - 1; i >= 0; i--) {
    const key = Math.floor(sums[i]! / width);
    const slot = slotOf(key);
    keys[i] = key;
    next[i] = head[slot]!;
    head[slot] = i;
  }
  return (sum, visit) => {
    const last = Math.floor((sum + reach) / width);
    for (let key = Math.floor((sum - reach) / width); key <= last; key++) {
      for (let i = head[slotOf(key)]!; i !== -1; i = next[i]!) if (keys[i] === key) visit(i);
    }
  };

  /** Keys may be larger than 2^32. */
  function slotOf(key: number): number {
    const low = key % 4294967296;
    return (Math.imul(low | 0, 0x9e3779b1) ^ Math.imul(Math.floor(key / 4294967296) | 0, 0x85ebca6b)) & mask;
  }
}

/** UnitEffects in one direction. */
interface Projection {
  /** The effect of each unit. */
  readonly alone: Float64Array;
  /** The sum that closes the gap, give or take `within`. */
  readonly wanted: number;
  readonly within: number;
}

/** The effect of each unit in a direction in which effects differ by far more than the published numbers leave open. */
function projected(
  { units, start, equation, amount }: UnitEffects,
  { residual, slack }: Gap,
  seed: number,
): Projection {
  const random = seededRandom(seed);
  const squares = new Float64Array(residual.length);
  for (let i = 0; i < equation.length; i++) squares[equation[i]!]! += amount[i]! ** 2;
  const direction = squares.map((s, e) => {
    const spread = Math.sqrt(s / Math.max(1, units));
    return ((0.5 + random()) * spread) / Math.max(slack[e]!, 1e-12) ** 2;
  });
  const alone = new Float64Array(units);
  for (let u = 0; u < units; u++)
    for (let i = start[u]!; i < start[u + 1]!; i++) alone[u]! += amount[i]! * direction[equation[i]!]!;
  const wanted = direction.reduce((sum, d, e) => sum + d * residual[e]!, 0);
  const within = direction.reduce((sum, d, e) => sum + d * slack[e]!, 0) + 1e-9 * Math.abs(wanted);
  return { alone, wanted, within };
}
