import type { Table } from "../../../metrics/index.js";
import type { FoundRepair, ItemChange } from "../repair.js";

/** A change of published items. `isCertain` when it reproduces every number, so that the search can end. */
export interface FoundItems {
  readonly repair: FoundRepair;
  readonly isCertain: boolean;
  /** Bits of the choice among the changes tried; the numbers must outweigh them. */
  readonly bits: number;
}

export function foundItems(
  change: ItemChange,
  ids: readonly string[],
  says: string,
  { gives = null, isCertain = true, bits = 0 }: { gives?: Table | null; isCertain?: boolean; bits?: number } = {},
): FoundItems {
  return { repair: { change, unit: "item", ids, alternatives: 0, says, gives }, isCertain, bits };
}
