import type { Explanation, Nearest } from "../explain/index.js";
import type { GroupKey } from "../published/index.js";
import type { Repair } from "../repair/index.js";
import type { Acceptance } from "./acceptance.js";

/** The cause found for one published result that differs from the recomputed one. */
export interface Finding extends Omit<GroupKey, "experiment_name" | "published_in"> {
  /** Every place that publishes exactly these numbers. */
  readonly published_in: readonly string[];
  readonly explanation: Explanation | null;
  /** Of the numbers that the explanation reproduces; `unexplained` without one. */
  readonly verdict: "explained" | "unstated" | "fitted" | "unexplained";
  /** The accepted convention under which the numbers are explained. */
  readonly accepted: Acceptance | null;
  /** Without an explanation: the conventions that come nearest. */
  readonly nearest: Nearest | null;
  /** Without an explanation: the smallest change that makes the numbers match, or null if none was found. */
  readonly smallest_difference: Repair | null;
  /** Conventions that the published options state, as `name=value`. */
  readonly stated: readonly string[];
  /** Number of combinations of conventions and parameters that were evaluated. */
  readonly tried: number;
  /** What was left out at the limit on work. */
  readonly untried: readonly string[];
}
