import type { Contradiction } from "./compare/contradictions.js";
import type { Finding } from "./findings/finding.js";
import type { Unread } from "./published/unread.js";
import type { Verdict } from "./compare/verdicts.js";

/** One published number beside the recomputed one. Null: one side has no such number. */
export interface AuditRow {
  readonly experiment_id: string;
  readonly experiment_name: string;
  readonly kind: string;
  readonly dimension: string;
  /** Empty for the whole experiment, else a job, or several with commas between. */
  readonly source: string;
  /** `results`, `metrics`, `leaderboard <id>`, `rubric <id>`; `results of <experiment>` where those name another one. */
  readonly published_in: string;
  readonly item: string;
  readonly field: string;
  readonly published: number | null;
  /** Under the run's own conventions, also where another convention explains the number. */
  readonly recomputed: number | null;
  /** published - recomputed. */
  readonly difference: number | null;
  /** Declared for the kind, beyond the rounding of the published number. */
  readonly tolerance: number | null;
  readonly verdict: Verdict;
  readonly explanation: string | null;
}

/** A rating whose published `is_correct` does not follow from its `meta` and score. */
export interface CorrectnessDifference {
  readonly experiment_id: string;
  readonly slate_id: string;
  readonly session_id: string;
  readonly stimulus: string;
  readonly dimension: string;
  readonly published: boolean | null;
  readonly recomputed: boolean | null;
}

export interface CorrectnessReport {
  readonly compared: number;
  readonly equal: number;
  readonly different: readonly CorrectnessDifference[];
}

/** The whole of `audit.json`; the same snapshot gives the same bytes. */
export interface AuditReport {
  readonly snapshot: string;
  /** The snapshot's instant, ISO 8601 UTC; not the time of the audit. */
  readonly created_at: string;
  readonly summary: Readonly<Record<Verdict, number>>;
  readonly rows: readonly AuditRow[];
  readonly correctness: CorrectnessReport;
  /** One for each published result that the run's own conventions do not reproduce. */
  readonly findings: readonly Finding[];
  /** Numbers that are published twice, and not alike. */
  readonly contradictions: readonly Contradiction[];
  /** Numbers of the project's lists that are about experiments which the snapshot leaves out. */
  readonly left_out: readonly LeftOut[];
  /** Lists that publish numbers and that the export was refused or left out. */
  readonly unread: readonly Unread[];
}

export interface LeftOut {
  readonly published_in: string;
  readonly experiment_id: string;
  readonly numbers: number;
}

/** `audit.json` as text. */
export function auditJson(report: AuditReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
