/** The kernel of online Elo. */
import { bySource, comparisonsIn } from "../kernel.js";
import { eloHistory, eloOrderRange, onlineElo } from "./online-elo.js";

export const eloKernel = bySource(
  {
    "": { item_id: "integer", value: "double", comparisons: "double" },
    order: {
      item_id: "integer",
      permutations: "integer",
      min_elo: "double",
      p025_elo: "double",
      median_elo: "double",
      p975_elo: "double",
      max_elo: "double",
    },
    history: { item_id: "integer", session: "integer", value: "double", comparisons: "double" },
  },
  ({ rows }, { elo }, isUnread) => {
    const { ids, games } = comparisonsIn(rows);
    const { rating, played } = onlineElo(ids.length, games, elo);
    const range = isUnread("order") ? null : eloOrderRange(ids.length, games, elo);
    const history = isUnread("history") ? null : eloHistory(ids.length, games, elo);
    return {
      "": { item_id: ids, value: rating, comparisons: played },
      order: range && {
        item_id: ids,
        permutations: range.permutations,
        min_elo: range.min,
        p025_elo: range.low,
        median_elo: range.median,
        p975_elo: range.high,
        max_elo: range.max,
      },
      history: history && {
        item_id: history.item.map((item) => ids[item]!),
        session: history.session,
        value: history.value,
        comparisons: history.comparisons,
      },
    };
  },
  { slow: ["order", "history"], ofWhole: ["history"] },
);
