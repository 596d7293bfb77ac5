import type { GroupKey } from "../published/index.js";
import type { Verdict } from "../verdict.js";

/** One published number and the recomputed one. Null: one side has no such number. */
export interface AuditRow extends GroupKey {
  readonly item: string;
  readonly field: string;
  readonly published: number | null;
  /** Under the run's own conventions, even if another convention explains the number. */
  readonly recomputed: number | null;
  /** published - recomputed. */
  readonly difference: number | null;
  /** Declared for the kind, beyond the rounding of the published number. */
  readonly tolerance: number | null;
  readonly verdict: Verdict;
  readonly explanation: string | null;
  /** What the explanation of the result gives, also where the number does not follow from it; null without one. */
  readonly under_explanation: number | null;
  /** published - under_explanation. */
  readonly remaining: number | null;
}
