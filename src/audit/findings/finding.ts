import type { Repair } from "../repair/index.js";
import type { Explanation, Nearest } from "../explain/index.js";
import type { GroupKey } from "../published/group.js";

/** What the search for the cause of a difference came to, for one published result. */
export interface Finding extends Omit<GroupKey, "experiment_name" | "published_in"> {
  /** Every place that publishes these very numbers. */
  readonly published_in: readonly string[];
  readonly explanation: Explanation | null;
  /** Where there is no explanation: the conventions that come nearest. */
  readonly nearest: Nearest | null;
  /** Where there is no explanation: the least that would have to be otherwise, or null where nothing was found. */
  readonly smallest_difference: Repair | null;
  /** Conventions that the published options state, as `name=value`. */
  readonly stated: readonly string[];
  /** Combinations of conventions and parameters that were evaluated. */
  readonly tried: number;
  /** What the limit on work left untried. */
  readonly untried: readonly string[];
}
