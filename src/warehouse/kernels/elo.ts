import { onlineElo } from "../../metrics/elo.js";
import { localIds, slicesOf, TableBuilder } from "./groups.js";
import type { Kernel } from "./kernel.js";

/** Online Elo, group by group, over comparisons in service order. */
export const eloKernel: Kernel = {
  tables: { "": { group_id: "integer", item_id: "integer", value: "double", comparisons: "integer" } },
  run(input, _rows, conventions) {
    const out = new TableBuilder(["group_id", "item_id", "value", "comparisons"]);
    let groups = 0;
    for (const { group, from, to } of slicesOf(input["group_id"] as Int32Array)) {
      const cut = (name: string): Int32Array => (input[name] as Int32Array).subarray(from, to);
      const { ids, local } = localIds([cut("a"), cut("b")]);
      const [a, b] = local as [Int32Array, Int32Array];
      const outcome = (input["outcome"] as Int8Array).subarray(from, to);
      const { rating, played } = onlineElo(ids.length, { a, b, outcome, session: cut("session") }, conventions.elo);
      ids.forEach((id, i) =>
        out.add({ group_id: group, item_id: id, value: rating[i] as number, comparisons: played[i] as number }),
      );
      groups++;
    }
    return { tables: { "": out.columns }, info: { groups } };
  },
};
