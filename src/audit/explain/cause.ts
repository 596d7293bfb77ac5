/** What explains a result, or comes nearest to it. */
import type { GroupKey } from "../result.js";
import type { Acceptance } from "./names.js";
import type { Renamed, Repair } from "./repair-items.js";
import type { EvidenceBits } from "./weigh.js";

export interface Explanation {
  readonly name: string;
  readonly says: string;
  readonly bits: EvidenceBits;
  readonly unstated: string;
  /**
   * Items with numbers that follow only without it: wrong, as a result has one set of conventions.
   */
  readonly mixed: readonly string[];
  readonly contradicts: readonly string[];
  readonly reproduced: number;
  readonly of: number;
  /** Numbers that differ under the run's conventions, items not published included. */
  readonly differing: number;
  readonly matched: number;
  readonly rivals: readonly string[];
}

/** The best candidate that fails, and how far its main numbers are, in the unit of the board. */
export interface Nearest {
  readonly name: string;
  readonly of: number;
  readonly differing: number;
  readonly matched: number;
  /** In words; empty for the run's own conventions. */
  readonly says: string;
  readonly items: number;
  readonly following: number;
  /** Three at most. */
  readonly largest: readonly { readonly item: string; readonly difference: number }[];
  /** Why no item is named. */
  readonly unnamed: string;
}

export interface Cause extends Omit<GroupKey, "experiment_name" | "published_in"> {
  readonly explanation: Explanation | null;
  readonly accepted: Acceptance | null;
  readonly nearest: Nearest | null;
  readonly smallest_difference: Repair | null;
  readonly renamed: readonly Renamed[];
  readonly stated: readonly string[];
  readonly tried: number;
  readonly untried: readonly string[];
}
