import type { Alteration } from "../ratings/index.js";
import type { Pool } from "./influence/pool.js";
import type { UnitName } from "./influence/units.js";

export const some = (names: readonly string[]): string => {
  if (names.length > 5) return `${names.slice(0, 5).join(", ")} and ${names.length - 5} more`;
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
};

const done: Record<Exclude<Alteration, "added">, string> = {
  dropped: "left out",
  doubled: "counted twice",
  flipped: "counted the other way round",
  tied: "counted as a tie",
};

/** "the numbers follow when session s7 is left out". */
export function saysOf(
  name: UnitName,
  ids: readonly string[],
  alteration: Alteration,
  pool: Pool | null,
  alternatives: number,
): string {
  const units = `${name}${ids.length === 1 ? "" : "s"} ${some(ids)}`;
  const others = alternatives === 0 ? "" : ` (or one of ${alternatives} changes like it)`;
  if (alteration !== "added")
    return `the numbers follow when ${units}${others} ${ids.length === 1 ? "is" : "are"} ${done[alteration]}`;
  const isWhole = pool?.name === "incomplete" && name === "session";
  const what = isWhole ? `${units}, not completed,` : `the ${pool?.says ?? ""} ratings of ${units}`;
  return `the numbers follow when ${what}${others} ${isWhole && ids.length === 1 ? "is" : "are"} counted too`;
}

export function undeterminedText(changes: number, size: number): string {
  const units = size === 1 ? "of a single session, rater or slate" : `of ${size} units`;
  return `undetermined: ${changes === 1 ? "a change" : `each of ${changes} changes`} ${units} would do, but so many are possible that one may by chance`;
}
