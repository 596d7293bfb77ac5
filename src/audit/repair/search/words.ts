import type { Alteration } from "../../ratings/index.js";
import { listOf } from "../repair.js";
import type { Edit } from "./edit.js";

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
