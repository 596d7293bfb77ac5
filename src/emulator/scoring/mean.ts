import type { Convention } from "./convention.js";
import type { ItemScore } from "./items.js";
import { average, quantile, spread } from "./summary.js";

/** The mean score of every item, or the statistic that the convention uses instead. */
export function means(
  items: Map<string, ItemScore[]>,
  { mean: kind, denominator }: Pick<Convention, "mean" | "denominator">,
): Map<string, { value: number | null; n: number }> {
  const scaleOf = raterScales[kind];
  const scores = scaleOf === undefined ? items : onRaterScale(items, scaleOf);
  const found = new Map<string, { value: number | null; n: number }>();
  const put = (item: string, value: number, n: number): void => {
    if (denominator === "n") found.set(item, { value, n });
    else found.set(item, { value: n > 1 ? value * (1 + 1 / (n - 1)) : null, n });
  };
  for (const [item, own] of scores) {
    const values = own.map((rating) => rating.score);
    const middle = (): number =>
      quantile(
        [...values].sort((a, b) => a - b),
        0.5,
      );
    if (kind === "rater_mean") {
      const averages = raterAverages(own);
      put(item, average(averages), averages.length);
    } else put(item, kind === "median" ? middle() : average(values), own.length);
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

/** A rater's zero and unit; a unit of 0 if the rater never varies. */
type RaterScale = (scores: readonly number[]) => { zero: number; unit: number };

const standard =
  (less: number): RaterScale =>
  (scores) => ({ zero: average(scores), unit: scores.length > less ? spread(scores, scores.length - less) : 0 });

const raterScales: Partial<Record<Convention["mean"], RaterScale>> = {
  rater_z: standard(1),
  rater_z_n: standard(0),
  rater_minmax: (scores) => ({ zero: Math.min(...scores), unit: Math.max(...scores) - Math.min(...scores) }),
};

/** Each score on its rater's scale; the ratings of one who never varies do not count. */
function onRaterScale(items: Map<string, ItemScore[]>, scaleOf: RaterScale): Map<string, ItemScore[]> {
  const raters = new Map(
    [...byRater([...items.values()].flat())].map(([rater, scores]) => [rater, scaleOf(scores)] as const),
  );
  const found = new Map<string, ItemScore[]>();
  for (const [item, own] of items) {
    const scaled = own.flatMap(({ rater, score }) => {
      const { zero = 0, unit = 0 } = raters.get(rater) ?? {};
      return unit === 0 ? [] : [{ rater, score: (score - zero) / unit }];
    });
    if (scaled.length > 0) found.set(item, scaled);
  }
  return found;
}
