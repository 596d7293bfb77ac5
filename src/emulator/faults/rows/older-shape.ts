import { count, defineFault } from "../fault.js";
import { fieldsOf, mapFrom } from "./edit.js";

const without = (row: Record<string, unknown>, ...names: string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

const older: Record<string, (row: Record<string, unknown>) => Record<string, unknown>> = {
  listSlates: (row) => ({ ...row, rater_id: Number(row.rater_id) }),
  listRaters: (row) => ({ ...row, id: Number(row.id) }),
  listSessions: (row) => {
    const rater = row.rater as Record<string, unknown>;
    return { ...row, rater: { ...rater, id: Number(rater.id) } };
  },
  listJobs: (row) => ({ ...without(row, "rater_pool", "num_comparisons", "num_training"), pool: 1 }),
  listExperiments: (row) => ({ ...without(row, "type"), version: 1 }),
};

/** Rows as version 0.7.5 would send them; records that both versions share are unchanged. */
export const olderShape = defineFault({
  kind: "older_shape",
  fields: { from_row: count },
  rows(rows, { from_row }, { operation }) {
    const change = older[operation ?? ""];
    return change === undefined ? rows : mapFrom(rows, from_row, (text) => JSON.stringify(change(fieldsOf(text))));
  },
});
