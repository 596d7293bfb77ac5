import {
  bayesianElo,
  bradleyTerry,
  byGroup,
  comparisonsIn,
  comparisonsOfItems,
  onlineElo,
  pairCountsOf,
  winsWithHalfTies,
} from "../../metrics/index.js";

/** The metrics of comparisons, as they would be if one rule of the ledger left nothing out. */
export const comparisonEffectKernel = byGroup(
  "rule_no",
  {
    "": {
      item_id: "integer",
      win_loss: "double",
      elo: "double",
      bayesian_elo: "double",
      bradley_terry: "double",
    },
  },
  ({ rows }, { elo, bayesian_elo: bayesian, bradley_terry: worths }) => {
    const { ids, games } = comparisonsIn(rows);
    const counts = pairCountsOf(ids.length, games);
    const n = comparisonsOfItems(counts);
    // Only errors depend on raters.
    const ofOne = { ...counts, raters: 1, rater: new Int32Array(counts.a.length) };
    const { value, classes } = bradleyTerry(ofOne, { ...worths, rater_samples: 0 });
    const isBayesian = bayesian.rater_quality === null && bayesian.start !== "warm";
    return {
      "": {
        item_id: ids,
        win_loss: winsWithHalfTies(counts).map((wins, i) => (100 * wins) / n[i]!),
        elo: onlineElo(ids.length, games, elo).rating,
        bayesian_elo: isBayesian ? bayesianElo(counts, bayesian).elo : NaN,
        bradley_terry: classes > 1 ? NaN : value,
      },
    };
  },
);
