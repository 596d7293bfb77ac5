import { closestFirst, mostOutliers, someOf } from "./trim.js";
import { keeping, type Range, type Values } from "./values.js";

/** The slopes that reconcile the most numbers, the furthest being left out until there are any; and the numbers kept. */
export function slopesOf(values: Values, model: Float64Array): { range: Range; kept: number[] } {
  const count = values.published.length;
  const { order } = closestFirst(values.published, model, "affine");
  for (let drop = 0; drop <= mostOutliers(count); drop = drop < 2 ? drop + 1 : 2 * drop) {
    const kept = order.slice(0, count - drop);
    const range = slopeRange(
      keeping(values, kept),
      Float64Array.from(kept, (i) => model[i] as number),
    );
    if (range[0] <= range[1]) return { range, kept };
  }
  return { range: [NaN, NaN], kept: [] };
}

/** The slopes that some shift reconciles with every number: what each two of them leave. */
function slopeRange({ published, halfWidth }: Values, model: Float64Array): Range {
  const some = someOf(published.length);
  let low = -Infinity;
  let high = Infinity;
  for (const i of some) {
    for (const j of some) {
      const run = (model[i] as number) - (model[j] as number);
      if (j >= i || run === 0) continue;
      const rise = ((published[i] as number) - (published[j] as number)) / run;
      const slack = ((halfWidth[i] as number) + (halfWidth[j] as number)) / Math.abs(run);
      low = Math.max(low, rise - slack);
      high = Math.min(high, rise + slack);
    }
  }
  return [low, high];
}
