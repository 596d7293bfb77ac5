import type { Model } from "../models.js";

/** Tables that grow with the ratings: of the lake, and of models. What reads one of them runs on the cluster. */
const long: ReadonlySet<string> = new Set([
  ...["ratings", "slate_ratings", "slates", "sessions"],
  ...["key_slates", "key_slate_scores", "key_rater_pairs", "key_rater_scores"],
]);

/** Models that read long tables and still run here, and why. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ["metric_mean", "by default it reads counts; a mean by rater or a median is summed in the order of the scores"],
  ["rater_summary", "its median of seconds"],
]);

/**
 * Where the models run. A stored table that reads a long one, itself or through views, is made by the cluster, and so is
 * the input of such a kernel; anything else is made here, of what the cluster made.
 */
export function onCluster(plan: readonly Model[]): ReadonlySet<string> {
  const reading = new Set(long);
  const placed = new Set<string>();
  for (const { name, reads, stored, kernel } of plan) {
    if (exceptions.has(name) || !reads.some((table) => reading.has(table))) continue;
    placed.add(name);
    if (stored === "view" && kernel === null) reading.add(name);
  }
  return placed;
}

export const isLakeTable = (name: string): boolean => long.has(name) && !name.startsWith("key_");
