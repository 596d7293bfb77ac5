import type { Alteration } from "../../ratings/index.js";
import { listOf } from "../repair.js";
import type { Edit } from "./edit.js";

const done: Record<Exclude<Alteration, "added">, string> = {
  dropped: "left out",
  doubled: "counted twice",
  flipped: "reversed",
  tied: "counted as a tie",
};

/** "the numbers match when session s7 is left out". */
export function editText({ unit, alteration, pool }: Edit, ids: readonly string[], alternatives: number): string {
  const units = `${unit}${ids.length === 1 ? "" : "s"} ${listOf(ids)}`;
  const verb = ids.length === 1 ? "is" : "are";
  const others =
    alternatives === 0 ? "" : ` (${alternatives} other change${alternatives === 1 ? "" : "s"} would match too)`;
  const change =
    alteration !== "added"
      ? `${units} ${verb} ${done[alteration]}`
      : pool?.name === "incomplete" && unit === "session"
        ? `${units}, not completed, ${verb} also counted`
        : `the ${pool?.name ?? ""} ratings of ${units} are also counted`;
  return `the numbers match when ${change}${others}`;
}

export function staleText(ids: readonly string[]): string {
  const sessions = ids.length === 1 ? `session ${ids[0] ?? ""} was` : `the last ${ids.length} sessions were`;
  return `the numbers match a result from before ${sessions} completed`;
}
