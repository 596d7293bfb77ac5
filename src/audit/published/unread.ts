import { lakeTables } from "../../contract/index.js";
import type { Manifest, Unit } from "../../lake/index.js";
import { lists, type List } from "./records.js";

/** A list of published numbers that is not in the snapshot, so it was not audited. */
export interface Unread {
  readonly list: List;
  readonly reason: "not_permitted" | "not_offered" | "not_exported";
}

/** The lists that the export left out or could not read. Leaderboards are read by rubric: without rubrics there are none. */
export function unreadIn({ units, experiments }: Pick<Manifest, "units" | "experiments">): Unread[] {
  const unitsOf = (list: List): readonly Unit[] =>
    units.filter(({ operation }) => operation === lakeTables[list].operation);
  const reasonOf = (list: List): Unread["reason"] | null => {
    const own = unitsOf(list);
    for (const { state } of own) if (state !== "complete") return state;
    if (own.some(({ elements, parts }) => elements > 0 && parts.every(({ table }) => table !== list)))
      return "not_exported";
    if (own.length > 0) return null;
    if (list === "results" && experiments.length === 0) return null;
    const rubrics = unitsOf("rubrics");
    if (list === "leaderboards" && rubrics.length > 0 && rubrics.every(({ elements }) => elements === 0))
      return reasonOf("rubrics");
    return "not_exported";
  };
  return lists.flatMap((list) => {
    const reason = reasonOf(list);
    return reason === null ? [] : [{ list, reason }];
  });
}
