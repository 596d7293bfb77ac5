import { eloOrderRange, onlineElo } from "../../metrics/index.js";
import { localIds, slicesOf, createTable } from "./groups.js";
import type { Kernel } from "./kernel.js";

/** Online Elo, group by group, over comparisons in service order; and in shuffled orders of sessions. */
export const eloKernel: Kernel = {
  tables: {
    "": { group_id: "integer", item_id: "integer", value: "double", comparisons: "integer" },
    order: {
      group_id: "integer",
      item_id: "integer",
      permutations: "integer",
      min_elo: "double",
      p025_elo: "double",
      median_elo: "double",
      p975_elo: "double",
      max_elo: "double",
    },
  },
  run(input, { elo }) {
    const out = createTable(["group_id", "item_id", "value", "comparisons"]);
    const orders = createTable(Object.keys(this.tables.order ?? {}));
    for (const { group, from, to } of slicesOf(input.group_id as Int32Array)) {
      const cut = (name: string): Int32Array => (input[name] as Int32Array).subarray(from, to);
      const { ids, local } = localIds([cut("a"), cut("b")]);
      const [a, b] = local as [Int32Array, Int32Array];
      const outcome = (input.outcome as Int8Array).subarray(from, to);
      const games = { a, b, outcome, session: cut("session") };
      const { rating, played } = onlineElo(ids.length, games, elo);
      const range = eloOrderRange(ids.length, games, elo);
      ids.forEach((id, i) => {
        out.add({ group_id: group, item_id: id, value: rating[i] as number, comparisons: played[i] as number });
        orders.add({
          group_id: group,
          item_id: id,
          permutations: range.permutations,
          min_elo: range.min[i] as number,
          p025_elo: range.low[i] as number,
          median_elo: range.median[i] as number,
          p975_elo: range.high[i] as number,
          max_elo: range.max[i] as number,
        });
      });
    }
    return { "": out.columns, order: orders.columns };
  },
};
