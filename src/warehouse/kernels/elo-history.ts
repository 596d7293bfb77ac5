import { onlineElo, runsOf } from "../../metrics/index.js";
import { byGroup } from "./by-group.js";
import { localIds } from "./local-ids.js";

/** Online Elo after each session, of the items that the session compared. */
export const eloHistoryKernel = byGroup(
  "group_id",
  { "": { item_id: "integer", session: "integer", value: "double", comparisons: "integer" } },
  (rows, { elo }) => {
    const { ids, local } = localIds([rows.a as Int32Array, rows.b as Int32Array]);
    const [a, b] = local as [Int32Array, Int32Array];
    const [outcome, session] = [rows.outcome as Int8Array, rows.session as Int32Array];
    const out = {
      item_id: [] as number[],
      session: [] as number[],
      value: [] as number[],
      comparisons: [] as number[],
    };
    let rating = new Float64Array(ids.length).fill(elo.start);
    const updates = new Int32Array(ids.length);
    for (const { from, to } of runsOf(session)) {
      const [left, right] = [a.subarray(from, to), b.subarray(from, to)];
      const games = { a: left, b: right, outcome: outcome.subarray(from, to), session: session.subarray(from, to) };
      const after = onlineElo(ids.length, games, elo, { initial: rating });
      rating = Float64Array.from(after.rating);
      after.played.forEach((played, item) => (updates[item] = (updates[item] as number) + played));
      for (const item of [...new Set([...left, ...right])].sort((x, y) => x - y)) {
        out.item_id.push(ids[item] as number);
        out.session.push(session[from] as number);
        out.value.push(rating[item] as number);
        out.comparisons.push(updates[item] as number);
      }
    }
    return { "": out };
  },
);
