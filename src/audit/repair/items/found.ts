import type { ItemChange, Repair } from "../repair.js";

/** A change of published items. `isCertain` when it reproduces every number, so that the search can end. */
export interface FoundItems {
  readonly repair: Repair;
  readonly isCertain: boolean;
}

export function foundItems(change: ItemChange, ids: readonly string[], says: string, isCertain = true): FoundItems {
  return { repair: { change, unit: "item", ids, alternatives: 0, says }, isCertain };
}
