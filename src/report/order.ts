/** What can be said of an order; docs/reference/statistics.md has each condition. */
import { scaleAmong, type AuditReport, type Scale } from "../audit/index.js";
import { isKind, metricKind } from "../metrics/index.js";
import { groupsOf, joinParts } from "../platform/index.js";
import { fewOf } from "./numbers.js";
import { experimentName } from "./results.js";

type Ordered = Pick<Scale, "direction" | "ground">;

const grounds: Readonly<Record<string, string>> = {
  stated: ", as stated",
  convention: ", as the pipeline file states",
  "published ranks": ", as the published ranks imply",
};

/** Which end is better, where that goes without saying of no reader; null for votes. */
export function orderNote({ direction, ground }: Ordered): string | null {
  if (direction === null || ground === null) return "Which end is better is not stated.";
  if (ground === "votes" || (direction === "higher" && ground === "stated")) return null;
  return `${direction === "lower" ? "Lower" : "Higher"} is better${grounds[ground] ?? ""}.`;
}

export const directionAdvice = (isOfFiles: boolean): string =>
  isOfFiles
    ? "To say which end is better, write `direction: lower` or `direction: higher` under the " +
      "list in the mapping."
    : "To say which end is better, write `conventions: { direction: lower }`, or `higher`, in " +
      "the pipeline file.";

/** "The votes do not compare A, B with C, D." */
export function groupsNote(groups: readonly (readonly string[])[]): string | null {
  const [first = [], second = [], ...more] = groups;
  if (groups.length < 2) return null;
  const which =
    more.length === 0
      ? `${fewOf(first)} with ${fewOf(second)}`
      : `these groups: ${fewOf(
          groups.map((group) => fewOf(group)),
          "; ",
        )}`;
  return `The votes do not compare ${which}.`;
}

/** What a published order leaves open: its direction, and whether votes compare its items. */
export function publishedOrderLines({ rows, scales }: AuditReport): string[] {
  const published = groupsOf(rows, ({ experiment_id, dimension }) =>
    JSON.stringify([experiment_id, dimension]),
  );
  return [...published.values()].flatMap((own) => {
    const [first] = own;
    const { experiment_id, dimension } = first;
    const scale = scaleAmong(scales, { experiment_id, dimension });
    if (scale === undefined) return [];
    const name = joinParts([experimentName(first), dimension]);
    const isRanked = own.some(({ field }) => field === "rank");
    const ordered = own.filter(
      ({ kind, source }) => source === "" && isKind(kind) && metricKind(kind).family === "pairwise",
    );
    const items = new Set(ordered.map(({ item }) => item));
    const groups = scale.groups.filter((group) => group.some((item) => items.has(item)));
    return [
      isRanked && scale.ground === "published ranks" ? orderNote(scale) : null,
      groups.length > 1 ? `One ranking is published. ${groupsNote(groups) ?? ""}` : null,
    ].flatMap((line) => (line === null ? [] : [`${name}: ${line}`]));
  });
}
