import type { Evaluator } from "../../evaluate/index.js";
import type { Comparisons, Population } from "../../ratings/index.js";
import type { Events } from "./influence.js";

interface PairEvents {
  readonly events: Events;
  readonly items: readonly string[];
  /** Indices of `items`, by event. */
  readonly a: Int32Array;
  readonly b: Int32Array;
}

/** The comparisons of `wide`, of which those of `own` count. Null if `own` is not a subsequence of `wide`. */
export function pairEvents(evaluator: Evaluator, own: Population, wide: Population): PairEvents | null {
  const all = evaluator.comparisons(wide);
  const counted = wide === own ? new Uint8Array(all.a.length).fill(1) : countedIn(evaluator.comparisons(own), all);
  if (counted === null) return null;
  const { a, b, outcome, session, rater, slate, items } = all;
  return {
    items,
    a,
    b,
    events: { count: a.length, counted, outcome, session, rater, slate, rating: new Int32Array() },
  };
}

function countedIn(own: Comparisons, wide: Comparisons): Uint8Array | null {
  const counted = new Uint8Array(wide.a.length);
  let next = 0;
  for (let i = 0; i < counted.length && next < own.a.length; i++) {
    const isSame =
      wide.slate[i] === own.slate[next] &&
      wide.items[wide.a[i] as number] === own.items[own.a[next] as number] &&
      wide.items[wide.b[i] as number] === own.items[own.b[next] as number];
    if (!isSame) continue;
    counted[i] = 1;
    next++;
  }
  return next === own.a.length ? counted : null;
}
