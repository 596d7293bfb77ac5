import { lakeTable, lakeTables } from "../../contract/index.js";
import type { Manifest, Unit } from "../../lake/index.js";
import { byText } from "../../platform/index.js";
import { lists, type List } from "./records.js";

/** A list of published numbers that is not in the snapshot, so it was not audited. */
export interface Unread {
  readonly list: List;
  readonly reason: "not_permitted" | "not_offered" | "not_exported";
  /** The jobs or leaderboards whose numbers alone are missing, or `each job`; absent if the whole list is missing. */
  readonly sources?: readonly string[];
}

/** The lists that the export omitted or could not read. Leaderboards are read by rubric: no rubrics, no boards. */
export function unreadIn({ units, experiments }: Pick<Manifest, "units" | "experiments">): Unread[] {
  const asked = ({ parameters }: Unit) => parameters.source;
  const unitsOf = (list: List): readonly Unit[] =>
    units.filter((unit) => unit.operation === lakeTables[list].operation && asked(unit) === undefined);
  const reasonOf = (list: List): Unread["reason"] | null => {
    const own = unitsOf(list);
    const [refused] = own.every(({ state }) => state !== "complete") ? own : [];
    if (refused !== undefined && refused.state !== "complete") return refused.state;
    if (own.some(({ elements, parts }) => elements > 0 && parts.every(({ table }) => table !== list)))
      return "not_exported";
    if (own.length > 0) return null;
    if (list === "results" && experiments.length === 0) return null;
    const rubrics = unitsOf("rubrics");
    if (list === "leaderboards" && rubrics.length > 0 && rubrics.every(({ elements }) => elements === 0))
      return reasonOf("rubrics");
    return "not_exported";
  };
  const jobs = units.filter(({ operation }) => operation === lakeTables.jobs.operation);
  const mayHaveJobs = experiments.length > 0 && (jobs.length === 0 || jobs.some(({ elements }) => elements > 0));
  const sourcesOf = (list: List): Unread[] => {
    const own = units.filter((unit) => unit.operation === lakeTables[list].operation && asked(unit) !== undefined);
    if (mayHaveJobs && own.length === 0 && lakeTable(list).sources !== undefined)
      return [{ list, reason: "not_exported", sources: ["each job"] }];
    const refused = own.filter(({ state }) => state === "not_permitted");
    const sources = refused.flatMap((unit) => asked(unit) ?? []).toSorted(byText);
    return sources.length === 0 ? [] : [{ list, reason: "not_permitted", sources }];
  };
  return lists.flatMap((list) => {
    const reason = reasonOf(list);
    return reason === null ? sourcesOf(list) : [{ list, reason }];
  });
}
