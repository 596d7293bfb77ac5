import type { PairCounts } from "../pairs/pair-counts.js";
import { likelihoodClasses } from "./classes.js";
import { fitWorths, type TieModel, type WorthFit } from "./model.js";
import { membersOf, restrict } from "./restrict.js";
import { ranksOf } from "./ranks.js";

/** One resampled estimate: the lowest and highest log worth and the best and worst rank that each item may have. */
export interface Draw {
  readonly isFinite: boolean;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly best: ArrayLike<number>;
  readonly worst: ArrayLike<number>;
}

/**
 * The estimate of one resample. If it has no finite one, the likelihood still says who is infinitely far ahead: an item
 * is above those that it reaches over wins and ties and that do not reach it. Log worths are centred, so an item above
 * all others is at +∞ and one below all at -∞; any other may be anywhere.
 */
export function drawOf(counts: PairCounts, model: TieModel, start: WorthFit): Draw {
  const { ofItem, classes } = likelihoodClasses(counts);
  if (classes > 1) return separated(counts, model, ofItem, classes);
  const { logWorth, converged } = fitWorths(counts, model, start);
  if (!converged) return separated(counts, model, ofItem, 1);
  const rank = ranksOf(logWorth);
  return { isFinite: true, low: logWorth, high: logWorth, best: rank, worst: rank };
}

function separated(counts: PairCounts, model: TieModel, ofItem: Int32Array, classes: number): Draw {
  const { items } = counts;
  const members = membersOf(ofItem, classes);
  const reaches = reachability(counts, ofItem, classes);
  const size = (of: (other: number) => boolean): number =>
    members.reduce((sum, { length }, other) => sum + (of(other) ? length : 0), 0);
  const draw = {
    isFinite: false,
    low: new Float64Array(items).fill(-Infinity),
    high: new Float64Array(items).fill(Infinity),
    best: new Int32Array(items),
    worst: new Int32Array(items),
  };
  members.forEach((own, at) => {
    const above = size((other) => other !== at && reaches[other]?.[at] === 1);
    const below = size((other) => other !== at && reaches[at]?.[other] === 1);
    const fit = own.length > 1 && classes > 1 ? fitWorths(restrict(counts, own), model) : null;
    const ranks = fit?.converged === true ? ranksOf(fit.logWorth) : null;
    own.forEach((item, i) => {
      if (below === items - own.length && below > 0) draw.low[item] = Infinity;
      if (above === items - own.length && above > 0) draw.high[item] = -Infinity;
      draw.best[item] = above + (ranks?.[i] ?? 1);
      draw.worst[item] = items - below - own.length + (ranks?.[i] ?? own.length);
    });
  });
  return draw;
}

/** `[above][below]` is 1 if a chain of wins and ties leads from one class to the other. */
function reachability({ a, b, winsA, winsB, ties }: PairCounts, ofItem: Int32Array, classes: number): Uint8Array[] {
  const next = Array.from({ length: classes }, () => new Set<number>());
  for (let p = 0; p < a.length; p++) {
    const [left, right] = [ofItem[a[p] as number] as number, ofItem[b[p] as number] as number];
    const tied = (ties[p] as number) > 0;
    if (tied || (winsA[p] as number) > 0) next[left]?.add(right);
    if (tied || (winsB[p] as number) > 0) next[right]?.add(left);
  }
  return next.map((_, from) => {
    const reached = new Uint8Array(classes);
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const other of next[at] ?? []) {
        if (reached[other] === 1) continue;
        reached[other] = 1;
        open.push(other);
      }
    }
    return reached;
  });
}
