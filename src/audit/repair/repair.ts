import type { Edit } from "./edits.js";
import type { UnitName } from "./events.js";
import type { Table } from "../../metrics/index.js";
import { listed } from "../../platform/index.js";
import type { Alteration } from "../ratings/index.js";

/** A change to the published numbers of some items. */
export type ItemChange = "items" | "exchanged" | "renamed" | "copied" | "merged" | "missing" | "shifted" | "scaled";

/** The smallest change found that makes the published numbers match. */
export interface Repair {
  /** A change to the published numbers of some items, or to the ratings of some sessions, raters or slates. */
  readonly change: ItemChange | "stale" | Alteration;
  readonly unit: "item" | UnitName;
  /** Identifiers of what is changed. */
  readonly ids: readonly string[];
  /** Other changes of the same size that match as well, up to 1000; coarse numbers may not tell them apart. */
  readonly alternatives: number;
  /** Conventions that differ from the run's own and have to be assumed as well, as `name=value`. */
  readonly under?: string;
  /** A clause in plain words, without a capital or a full stop. */
  readonly says: string;
}

/** A repair with the numbers that it gives; null if it says nothing about them. */
export interface FoundRepair extends Repair {
  readonly gives: Table | null;
}

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

/** The verb of a field: "the n is", "the wins are". */
export const isOrAre = (field: string): string => (field.endsWith("s") ? "are" : "is");

/** "a, b and c"; at most five names. */
export function listOf(names: readonly string[]): string {
  return listed(names.length > 5 ? [...names.slice(0, 5), `${names.length - 5} more`] : names);
}

const done: Record<Exclude<Alteration, "added">, string> = {
  dropped: "left out",
  doubled: "counted twice",
  flipped: "reversed",
  tied: "counted as a tie",
};

/** From here on, alternatives are not counted. */
const mostCounted = 1000;

/** "the numbers match when session s7 is left out". */
export function editText({ unit, alteration, pool }: Edit, ids: readonly string[], alternatives: number): string {
  const units = `${unit}${ids.length === 1 ? "" : "s"} ${listOf(ids)}`;
  const verb = ids.length === 1 ? "is" : "are";
  const change =
    alteration !== "added"
      ? `${units} ${verb} ${done[alteration]}`
      : pool?.name !== "incomplete"
        ? `the ${pool?.name ?? ""} ratings of ${units} are also counted`
        : unit === "session"
          ? `${units}, not completed, ${verb} also counted`
          : `the ratings of ${units} in sessions that were not completed are also counted`;
  return `the numbers match when ${change}${othersText(alternatives)}`;
}

function othersText(alternatives: number): string {
  if (alternatives === 0) return "";
  if (alternatives === 1) return " (one other change does as well)";
  return ` (${alternatives < mostCounted - 1 ? "" : "more than "}${alternatives} other changes do as well)`;
}

export function staleText(ids: readonly string[]): string {
  const sessions = ids.length === 1 ? `session ${ids[0] ?? ""} was` : `the last ${ids.length} sessions were`;
  return `the numbers match a result from before ${sessions} completed`;
}
