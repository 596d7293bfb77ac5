import type { EloConvention } from "../../../metrics/index.js";
import type { ReplayedComparisons } from "./replay.js";

/** How the wanted ratings move when one comparison moves its items by 1 Elo: a row of `wanted.length` an event. */
interface Sensitivity {
  /** The first event with a row; earlier events no longer show. */
  readonly from: number;
  readonly rows: Float64Array;
}

/** Maximum number of values in `rows`; events before that are taken not to show. */
const mostValues = 8_000_000;

/**
 * The derivative of the final ratings of `wanted` items with respect to each comparison's change of Elo, carried
 * backwards through the updates. An online Elo forgets: this ends where earlier events move no rating by `least`.
 */
export function sensitivityOf(
  { items, a, b, session }: ReplayedComparisons,
  { expected, times }: { readonly expected: Float64Array; readonly times: Uint8Array },
  wanted: Int32Array,
  convention: EloConvention,
  least: number,
): Sensitivity {
  const width = wanted.length;
  const kappa = (convention.k * Math.log(convention.base)) / convention.scale;
  const isBatch = convention.update === "session_batch";
  const most = Math.min(a.length, Math.floor(mostValues / Math.max(1, width)));
  const rows = new Float64Array(most * width);
  /** By item: how the wanted ratings move when the item gains 1 Elo here. */
  const columns = new Float64Array(items * width);
  wanted.forEach((item, r) => (columns[item * width + r] = 1));
  const current = isBatch ? columns.slice() : columns;
  const first = a.length - most;
  let i = a.length - 1;
  let checked = i;
  for (; i >= first; i--) {
    const left = (a[i] as number) * width;
    const right = (b[i] as number) * width;
    const row = (i - first) * width;
    const chance = expected[i] as number;
    const pull = kappa * (times[i] as number) * chance * (1 - chance);
    for (let r = 0; r < width; r++) {
      const gain = (columns[left + r] as number) - (columns[right + r] as number);
      rows[row + r] = gain;
      current[left + r] = (current[left + r] as number) - pull * gain;
      current[right + r] = (current[right + r] as number) + pull * gain;
    }
    if (i > 0 && session[i] !== session[i - 1]) {
      if (isBatch) columns.set(current);
      if (checked - i >= 512) {
        if (largestEffect() * convention.k < least) break;
        checked = i;
      }
    }
  }
  const from = Math.max(i, first);
  return { from, rows: rows.subarray((from - first) * width) };

  /** The most that 1 Elo moved from one item to another here still moves a wanted rating. */
  function largestEffect(): number {
    let largest = 0;
    for (let r = 0; r < width; r++) {
      let low = Infinity;
      let high = -Infinity;
      for (let item = 0; item < items; item++) {
        low = Math.min(low, columns[item * width + r] as number);
        high = Math.max(high, columns[item * width + r] as number);
      }
      largest = Math.max(largest, high - low);
    }
    return largest;
  }
}
