import { maxOutliers } from "../../target/index.js";
import { closestFirst, someOf } from "./trim.js";
import { keeping, type Range, type MainValues } from "./values.js";
import { pick } from "./vectors.js";

/** The slopes that reconcile the most numbers with the model, and those numbers: the furthest are left out in turn. */
export function slopesOf(values: MainValues, model: Float64Array): { range: Range; kept: number[] } {
  const count = values.published.length;
  const { order } = closestFirst(values.published, model, "affine");
  for (let drop = 0; drop <= maxOutliers(count); drop = drop < 2 ? drop + 1 : 2 * drop) {
    const kept = order.slice(0, count - drop);
    const range = slopeRange(keeping(values, kept), pick(model, kept));
    if (range[0] <= range[1]) return { range, kept };
  }
  return { range: [NaN, NaN], kept: [] };
}

/** The slopes that some shift reconciles with every number: those that every pair of numbers allows. */
function slopeRange({ published, halfWidth }: MainValues, model: Float64Array): Range {
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
