/** What of a snapshot is missing or in doubt: experiments, lists, and elements in quarantine. */
import {
  lakeTable,
  lakeTables,
  publishedLists as lists,
  type PublishedList as List,
  type TableName,
} from "../../contract/index.js";
import { quarantinedText, type Manifest, type Unit } from "../../lake/index.js";
import { byText, sumOf } from "../../platform/index.js";
import { numberOf, type ComparedNumber, type GroupKey } from "../result.js";

type Exported = Pick<Manifest, "units" | "experiments">;

/** Why a difference proves nothing. */
interface Doubt {
  readonly says: string;
  /** Ratings in quarantine, if nothing else is missing. */
  readonly lost: number;
}

export interface Doubts {
  readonly experiments: ReadonlyMap<string, Doubt>;
  readonly lists: ReadonlyMap<List, Doubt>;
}

export const noDoubts: Doubts = { experiments: new Map(), lists: new Map() };

/** A row that one of these lacks may change any number of its experiment. */
const decisive: readonly TableName[] = ["ratings", "slates", "sessions"];

export function doubtsIn({ units, experiments }: Exported): Doubts {
  const unsettled = experiments.flatMap(({ id, state, reason }): [string, Doubt][] => {
    const parts = units.filter((unit) => unit.experiment_id === id).flatMap((unit) => unit.parts);
    const lost = parts.filter((part) => part.quarantined > 0 && decisive.includes(part.table));
    const isWhole = state === "complete";
    const isForRatings = isWhole && lost.every(({ table }) => table === "ratings");
    const says = [
      ...(isWhole ? [] : [`the export is ${state}${reason === null ? "" : `: ${reason}`}`]),
      ...lost.map(quarantinedText),
    ].join("; ");
    const ratings = isForRatings ? sumOf(lost.map(({ quarantined }) => quarantined)) : 0;
    return says === "" ? [] : [[id, { says, lost: ratings }]];
  });
  const torn = lists.filter((list) =>
    units.some((unit) => unit.is_torn && unit.operation === lakeTables[list].operation),
  );
  const says = "this list changed twice during the export";
  return {
    experiments: new Map(unsettled),
    lists: new Map(torn.map((list) => [list, { says, lost: 0 }])),
  };
}

/** A place begins with its list, in the singular for a board. */
export function doubtsAbout(
  { experiments, lists: torn }: Doubts,
  { experiment_id, published_in }: Pick<GroupKey, "experiment_id" | "published_in">,
): Doubt[] {
  const list = lists.find((name) => published_in.startsWith(name.slice(0, -1)));
  return [experiments.get(experiment_id), list && torn.get(list)].filter(
    (doubt) => doubt !== undefined,
  );
}

export const doubtText = (...of: Parameters<typeof doubtsAbout>): string | undefined =>
  doubtsAbout(...of)
    .map(({ says }) => says)
    .join("; ") || undefined;

/** A row for each element with numbers that the tables lack. */
export const quarantinedIn = ({ units, experiments }: Exported): ComparedNumber[] =>
  lists.flatMap((list) =>
    units.flatMap(({ experiment_id, parameters: { source = "" }, parts }) =>
      parts.flatMap((part) => {
        if (part.table !== list || part.quarantined === 0) return [];
        const obstacle = quarantinedText(part);
        const experiment_name = experiments.find(({ id }) => id === experiment_id)?.name ?? "";
        const key = { experiment_id: experiment_id ?? "", experiment_name, source };
        return [numberOf({ ...key, kind: "", dimension: "", published_in: list }, { obstacle })];
      }),
    ),
  );

export interface Unread {
  readonly list: List;
  readonly reason: "not_permitted" | "not_offered" | "not_exported";
  /** The jobs or leaderboards that are missing, or `each job`; absent: the whole list. */
  readonly sources?: readonly string[];
}

/** The incomplete lists. Leaderboards are read by rubric: no rubrics, no boards. */
export function unreadListsIn({ units, experiments }: Exported): Unread[] {
  const unitsOf = (list: List, isWhole = true): readonly Unit[] =>
    units.filter(
      ({ operation, parameters }) =>
        operation === lakeTables[list].operation && (parameters.source === undefined) === isWhole,
    );
  const reasonOf = (list: List): Unread["reason"] | null => {
    const read = unitsOf(list);
    const [refused] = read.every(({ state }) => state !== "complete") ? read : [];
    if (refused !== undefined && refused.state !== "complete") return refused.state;
    if (
      read.some(({ elements, parts }) => elements > 0 && parts.every(({ table }) => table !== list))
    )
      return "not_exported";
    if (read.length > 0) return null;
    if (list === "results" && experiments.length === 0) return null;
    const rubrics = unitsOf("rubrics");
    if (
      list === "leaderboards" &&
      rubrics.length > 0 &&
      rubrics.every(({ elements }) => elements === 0)
    )
      return reasonOf("rubrics");
    return "not_exported";
  };
  const jobs = units.filter(({ operation }) => operation === lakeTables.jobs.operation);
  const mayHaveJobs =
    experiments.length > 0 && (jobs.length === 0 || jobs.some(({ elements }) => elements > 0));
  const sourcesOf = (list: List): Unread[] => {
    const read = unitsOf(list, false);
    if (mayHaveJobs && read.length === 0 && lakeTable(list).sources !== undefined)
      return [{ list, reason: "not_exported", sources: ["each job"] }];
    const refused = read.filter(({ state }) => state === "not_permitted");
    const sources = refused.flatMap(({ parameters }) => parameters.source ?? []).toSorted(byText);
    return sources.length === 0 ? [] : [{ list, reason: "not_permitted", sources }];
  };
  return lists.flatMap((list) => {
    const reason = reasonOf(list);
    return reason === null ? sourcesOf(list) : [{ list, reason }];
  });
}
