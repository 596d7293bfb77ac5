/** Differences of items by Bradley-Terry and by mean scores, clustered by rater. */
import {
  addedUp,
  byGroup,
  clusteredCovariance,
  fitWorths,
  likelihoodClasses,
  localIds,
  membersOf,
  namelessOrders,
  newTable,
  pairCountsIn,
  pooled,
  ranksOf,
  type RaterPairCounts,
  restrict,
  runsOf,
  severalRaters,
  type TieModel,
} from "../../metrics/index.js";
import { namelessOrder } from "../../platform/index.js";
import {
  differencesOf,
  differenceTypes,
  type Estimates,
  fewestDegrees,
  probabilityBest,
  rankIntervals,
  reasons,
} from "./contrasts.js";
import { mostPairedItems } from "./limits.js";

const differenceColumns = {
  "": differenceTypes,
  items: {
    item_id: "integer",
    class: "integer",
    value: "double",
    rank: "integer",
    rank_best: "integer",
    rank_worst: "integer",
    p_first: "double",
    probability_best: "double",
    reason: "integer",
  },
} as const;

interface ComparableItems {
  readonly members: Int32Array;
  readonly estimates: Estimates;
  readonly reason: number;
}

function differenceRows(ids: Int32Array, classes: readonly ComparableItems[]) {
  const pairs = newTable(differenceColumns[""]);
  const items = newTable(differenceColumns.items);
  classes.forEach(({ members, estimates, reason }, number) => {
    const { value } = estimates;
    const differences =
      reason === reasons.none && members.length > 1 ? differencesOf(estimates) : null;
    if (differences !== null) {
      const idsOf = (own: ArrayLike<number>): Int32Array =>
        Int32Array.from(own, (item) => ids[members[item]!]!);
      pairs.addAll({
        ...differences,
        item_1: idsOf(differences.item_1),
        item_2: idsOf(differences.item_2),
      });
    }
    const untested = Array.from(differences?.reason ?? []).find((why) => why !== reasons.none);
    // Without the error of one difference, the whole covariance would look firmer than it is.
    const found = untested === undefined ? differences : null;
    const rank = ranksOf(value);
    const firstOfRank = Array.from(estimates.order).find((i) => rank[i] === 1)!;
    const ranks = found && rankIntervals(members.length, firstOfRank, found);
    const best = found && probabilityBest(estimates, fewestDegrees(found));
    const missing = untested ?? (members.length < 2 ? reasons.fewItems : reason);
    members.forEach((item, i) => {
      items.add({
        item_id: ids[item]!,
        class: number,
        value: value[i]!,
        rank: rank[i]!,
        rank_best: ranks?.best[i],
        rank_worst: ranks?.worst[i],
        p_first: ranks?.pFirst[i],
        probability_best: best?.[i],
        reason: found === null ? missing : reasons.none,
      });
    });
  });
  return { "": pairs.columns, items: items.columns };
}

/** Log worths by class of a Bradley-Terry fit, with their covariance over raters. */
export function worthEstimates(counts: RaterPairCounts, ties: TieModel): ComparableItems[] {
  const { ofItem, classes } = likelihoodClasses(pooled(counts));
  return membersOf(ofItem, classes).map((members) => {
    const part = restrict(counts, members);
    const pairs = pooled(part);
    const isMany = members.length > mostPairedItems;
    const fit = fitWorths(pairs, ties);
    const all = new Set(part.rater).size;
    const several = severalRaters(part);
    const covariance = isMany ? null : clusteredCovariance(pairs, part, fit);
    return {
      members,
      estimates: {
        value: fit.logWorth,
        covariance: timesClusters(covariance ?? new Float64Array(0), all),
        raters: (i, j) => (several[i] === 1 && several[j] === 1 ? all : 1),
        order: namelessOrders(part)[0]!,
      },
      reason: isMany ? reasons.manyItems : covariance === null ? reasons.noVariation : reasons.none,
    };
  });
}

/** A sum over G raters as a covariance: times G / (G − 1). */
const timesClusters = (sums: Float64Array, raters: number): Float64Array =>
  sums.map((sum) => (raters < 2 ? NaN : (sum * raters) / (raters - 1)));

/** A row for each rater and item, sorted by rater. */
interface RaterSums {
  readonly items: number;
  readonly rater: Int32Array;
  readonly item: Int32Array;
  readonly n: Float64Array;
  readonly sum: Float64Array;
}

export function meanEstimates({ items, rater, item, n, sum }: RaterSums): ComparableItems[] {
  const count = new Float64Array(items);
  const total = new Float64Array(items);
  for (let at = 0; at < item.length; at++) {
    count[item[at]!]! += n[at]!;
    total[item[at]!]! += sum[at]!;
  }
  const value = total.map((own, i) => own / count[i]!);
  const isMany = items > mostPairedItems;
  const covariance = new Float64Array(isMany ? 0 : items * items);
  const shared = new Int32Array(isMany ? 0 : items * items);
  for (const { from, to } of isMany ? [] : runsOf(rater))
    for (let k = from; k < to; k++)
      for (let l = from; l < to; l++) {
        const left = item[k]!;
        const right = item[l]!;
        const moveLeft = (sum[k]! - n[k]! * value[left]!) / count[left]!;
        const moveRight = (sum[l]! - n[l]! * value[right]!) / count[right]!;
        covariance[left * items + right]! += moveLeft * moveRight;
        shared[left * items + right]! += 1;
      }
  const { ids, local } = localIds([rater]);
  const ratersOf = (i: number): number => shared[i * items + i]!;
  const estimates = {
    value,
    covariance: timesClusters(covariance, new Set(rater).size),
    raters: (i: number, j: number) =>
      Math.min(ratersOf(i), ratersOf(j)) < 2
        ? 1
        : ratersOf(i) + ratersOf(j) - shared[i * items + j]!,
    order: namelessOrder(
      [items, ids.length],
      [
        { kind: 0, ids: item, own: n },
        { kind: 1, ids: local[0]! },
      ],
      sum,
    )[0]!,
  };
  const reason = isMany ? reasons.manyItems : reasons.none;
  return [{ members: Int32Array.from(value.keys()), estimates, reason }];
}

export const worthDifferencesKernel = byGroup(
  "dimension_id",
  differenceColumns,
  ({ rows }, { bradley_terry: { ties } }) => {
    const { ids, counts } = pairCountsIn(addedUp(rows));
    return differenceRows(ids, worthEstimates(counts, ties));
  },
);

export const meanDifferencesKernel = byGroup("dimension_id", differenceColumns, ({ rows }) => {
  const { ids, local } = localIds([rows.item as Int32Array]);
  const { rater, n, sum } = rows as { rater: Int32Array; n: Float64Array; sum: Float64Array };
  return differenceRows(ids, meanEstimates({ items: ids.length, rater, item: local[0]!, n, sum }));
});
