/** A published result beside the recomputed numbers in the unit of its board. */
import { mainField, type Conventions, type Kind, type Table } from "../../metrics/index.js";
import type { PublishedGroup } from "../read/cells.js";
import type { TableOf } from "../recompute/own-numbers.js";
import { ownScenario, shownAs } from "../recompute/scenario.js";
import type { ComparedNumber } from "../result.js";
import { atPrecisionOfResult, withCoarse } from "./coarse.js";
import { compareGroup } from "./compare.js";
import { targetOf } from "./target.js";
import type { Tolerances } from "./tolerances.js";
import { isTooFew, ownInUnit } from "./unit.js";

export interface Beside {
  readonly group: PublishedGroup;
  readonly kind: Kind;
  readonly values: Table;
  /** So few numbers that they do not show their level. */
  readonly areTooFew: boolean;
  readonly compared: readonly ComparedNumber[];
}

export type BesideOf = (group: PublishedGroup, kind: Kind) => Promise<Beside>;

export const besideWith =
  (tableOf: TableOf, conventions: Conventions, tolerances: Tolerances): BesideOf =>
  async (read, kind) => {
    const table = await tableOf(read, kind);
    const own = ownScenario(conventions, read.dimension, read.source);
    const target = targetOf(read, kind, tolerances);
    const { unit, scenario } = ownInUnit(target, { table: () => table }, own);
    const values = shownAs(scenario, table, mainField(kind));
    const areTooFew = unit !== null && isTooFew(unit);
    const group = atPrecisionOfResult(read, kind, values);
    const numbers = compareGroup(group, kind, values, tolerances);
    const compared = withCoarse(numbers, group, kind, areTooFew);
    return { group, kind, values, areTooFew, compared };
  };
