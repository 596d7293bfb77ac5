import { byGroup, connectedComponents, localIds, placesByValue } from "../../metrics/index.js";

/**
 * Scores of items by raters, each given n times, in any order. Items and raters are indices from 0.
 */
export interface RatedScores {
  readonly items: number;
  readonly raters: number;
  readonly item: Int32Array;
  readonly rater: Int32Array;
  readonly score: Float64Array;
  readonly n: Float64Array;
}

interface RaterModel {
  /** Weighted mean of each item after the raters' biases, and its standard error. */
  readonly quality: Float64Array;
  readonly error: Float64Array;
  readonly bias: Float64Array;
  /** Standard deviation of each rater's residuals, with n. */
  readonly inconsistency: Float64Array;
  readonly iterations: number;
  readonly converged: boolean;
}

const mostIterations = 1000;
const converged = 1e-8;
/** Added to a rater's variance, so that one who fits exactly has a finite weight. */
const leastVariance = 1e-8;

/**
 * The subjective model of ITU-T P.910 (2023) by alternating projection (Li, Bampis, Janowski and
 * Katsavounidis 2020): a score is the item's quality, plus the rater's bias, plus noise of the
 * rater's inconsistency. Biases sum to zero.
 */
export function raterModel({ items, raters, item, rater, score, n }: RatedScores): RaterModel {
  const byItem = placesByValue(item, items);
  const byRater = placesByValue(rater, raters);
  const meanOver = (
    groups: typeof byItem,
    count: number,
    of: (at: number) => number,
    weight: (at: number) => number = () => 1,
  ) =>
    Float64Array.from({ length: count }, (_, group) => {
      let sum = 0;
      let weights = 0;
      for (let place = groups.from[group]!; place < groups.from[group + 1]!; place++) {
        const at = groups.places[place]!;
        const own = n[at]! * weight(at);
        sum += own * of(at);
        weights += own;
      }
      return sum / weights;
    });
  let quality = meanOver(byItem, items, (at) => score[at]!);
  let bias = meanOver(byRater, raters, (at) => score[at]! - quality[item[at]!]!);
  const residualOf = (at: number): number => score[at]! - quality[item[at]!]! - bias[rater[at]!]!;
  let inconsistency = new Float64Array(raters);
  let iterations = 0;
  let change = Infinity;
  while (change >= converged && iterations < mostIterations) {
    const squares = meanOver(byRater, raters, (at) => residualOf(at) ** 2);
    const residual = meanOver(byRater, raters, residualOf);
    inconsistency = squares.map((own, r) => Math.sqrt(Math.max(0, own - residual[r]! ** 2)));
    const weight = inconsistency.map((own) => 1 / (own * own + leastVariance));
    const next = meanOver(
      byItem,
      items,
      (at) => score[at]! - bias[rater[at]!]!,
      (at) => weight[rater[at]!]!,
    );
    change = Math.sqrt(next.reduce((sum, own, i) => sum + (own - quality[i]!) ** 2, 0));
    quality = next;
    bias = meanOver(byRater, raters, (at) => score[at]! - quality[item[at]!]!);
    iterations++;
  }
  const level = bias.reduce((sum, own) => sum + own, 0) / raters;
  const information = new Float64Array(items);
  for (let at = 0; at < item.length; at++)
    information[item[at]!]! += n[at]! / (inconsistency[rater[at]!]! ** 2 + leastVariance);
  return {
    quality: quality.map((own) => own + level),
    error: information.map((own) => 1 / Math.sqrt(own)),
    bias: bias.map((own) => own - level),
    inconsistency,
    iterations,
    converged: change < converged,
  };
}

const raterModelReasons = { none: 0, fewScores: 1, notLinked: 2, notConverged: 3 } as const;

/** P.910's model over scores. */
export const raterModelKernel = byGroup(
  "dimension_id",
  {
    "": { item_id: "integer", quality: "double", std_error: "double", reason: "integer" },
    raters: { rater_no: "integer", bias: "double", inconsistency: "double", reason: "integer" },
  },
  ({ rows }) => {
    const items = localIds([rows.item as Int32Array]);
    const raters = localIds([rows.rater as Int32Array]);
    const data: RatedScores = {
      items: items.ids.length,
      raters: raters.ids.length,
      item: items.local[0]!,
      rater: raters.local[0]!,
      score: rows.score as Float64Array,
      n: rows.n as Float64Array,
    };
    const raterNodes = data.rater.map((own) => own + data.items);
    const { components } = connectedComponents(data.items + data.raters, data.item, raterNodes);
    const isFitted = data.items > 1 && data.raters > 1 && components === 1;
    const fit = isFitted ? raterModel(data) : null;
    const unfit = components > 1 ? raterModelReasons.notLinked : raterModelReasons.fewScores;
    const reason =
      fit === null
        ? unfit
        : fit.converged
          ? raterModelReasons.none
          : raterModelReasons.notConverged;
    const numbers = reason === raterModelReasons.none ? fit : null;
    return {
      "": { item_id: items.ids, quality: numbers?.quality, std_error: numbers?.error, reason },
      raters: {
        rater_no: raters.ids,
        bias: numbers?.bias,
        inconsistency: numbers?.inconsistency,
        reason,
      },
    };
  },
);
