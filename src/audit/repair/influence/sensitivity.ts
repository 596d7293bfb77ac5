import type { EloConvention } from "../../../metrics/index.js";
import type { Plays } from "./replay.js";

/** How the wanted ratings move when a comparison's change of Elo moves by one: one row an event, newest last. */
export interface Sensitivity {
  /** The first event that still shows. */
  readonly from: number;
  readonly rows: Float64Array;
}

/** Numbers that are kept at most; what is older is taken not to show. */
const mostKept = 8_000_000;

/**
 * The derivative of the final ratings of `wanted` items by what each comparison gives, carried backwards through the
 * updates. An online Elo forgets: it ends where what is older moves no rating by `least`.
 */
export function sensitivityOf(
  { items, a, b, session }: Plays,
  { expected, times }: { readonly expected: Float64Array; readonly times: Uint8Array },
  wanted: Int32Array,
  convention: EloConvention,
  least: number,
): Sensitivity {
  const width = wanted.length;
  const kappa = (convention.k * Math.log(convention.base)) / convention.scale;
  const isBatch = convention.update === "session_batch";
  const most = Math.min(a.length, Math.floor(mostKept / Math.max(1, width)));
  const rows = new Float64Array(most * width);
  /** Column of each item; what later comparisons make of a point given to it. */
  const columns = new Float64Array(items * width);
  wanted.forEach((item, r) => (columns[item * width + r] = 1));
  const now = isBatch ? columns.slice() : columns;
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
      now[left + r] = (now[left + r] as number) - pull * gain;
      now[right + r] = (now[right + r] as number) + pull * gain;
    }
    if (i > 0 && session[i] !== session[i - 1]) {
      if (isBatch) columns.set(now);
      if (checked - i >= 512) {
        if (largest() * convention.k < least) break;
        checked = i;
      }
    }
  }
  const from = Math.max(i, first);
  return { from, rows: rows.subarray((from - first) * width) };

  /** The most that a point moved from one item to another still moves a rating. */
  function largest(): number {
    let most = 0;
    for (let r = 0; r < width; r++) {
      let low = Infinity;
      let high = -Infinity;
      for (let item = 0; item < items; item++) {
        low = Math.min(low, columns[item * width + r] as number);
        high = Math.max(high, columns[item * width + r] as number);
      }
      most = Math.max(most, high - low);
    }
    return most;
  }
}
