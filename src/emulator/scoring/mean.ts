import type { Convention } from "./convention.js";
import type { ItemScore } from "./items.js";
import { average, quantile, spread } from "./summary.js";

/** The mean score of every item, or the statistic that the convention uses instead. */
export function means(
  items: Map<string, ItemScore[]>,
  kind: Convention["mean"],
): Map<string, { value: number; n: number }> {
  const scores = kind === "rater_z" ? standardised(items) : items;
  const found = new Map<string, { value: number; n: number }>();
  for (const [item, own] of scores) {
    const values = own.map((rating) => rating.score);
    const middle = (): number =>
      quantile(
        [...values].sort((a, b) => a - b),
        0.5,
      );
    if (kind === "rater_mean") {
      const averages = raterAverages(own);
      found.set(item, { value: average(averages), n: averages.length });
    } else found.set(item, { value: kind === "median" ? middle() : average(values), n: own.length });
  }
  return found;
}

function byRater(ratings: Iterable<ItemScore>): Map<string, number[]> {
  const raters = new Map<string, number[]>();
  for (const { rater, score } of ratings) {
    const own = raters.get(rater);
    if (own === undefined) raters.set(rater, [score]);
    else own.push(score);
  }
  return raters;
}

const raterAverages = (own: ItemScore[]): number[] => [...byRater(own).values()].map(average);

/** Each score in standard deviations (n - 1) from its rater's mean; ratings of one who never varies do not count. */
function standardised(items: Map<string, ItemScore[]>): Map<string, ItemScore[]> {
  const raters = new Map(
    [...byRater([...items.values()].flat())].map(([rater, scores]) => {
      const deviation = scores.length > 1 ? spread(scores, scores.length - 1) : 0;
      return [rater, { centre: average(scores), deviation }] as const;
    }),
  );
  const found = new Map<string, ItemScore[]>();
  for (const [item, own] of items) {
    const z = own.flatMap(({ rater, score }) => {
      const { centre = 0, deviation = 0 } = raters.get(rater) ?? {};
      return deviation === 0 ? [] : [{ rater, score: (score - centre) / deviation }];
    });
    if (z.length > 0) found.set(item, z);
  }
  return found;
}
