/** The report of an audit, as `audit.json` has it. */
import type { Shortfall } from "../../lake/index.js";
import { jsonPieces } from "../../platform/index.js";
import type { AuditRow } from "../judge/rows.js";
import type { CorrectnessReport } from "../compare/correctness.js";
import type { Contradiction } from "../compare/contradictions.js";
import type { Scale } from "../compare/scales.js";
import type { Verdict } from "../judge/verdict.js";
import type { AcceptedConvention, Finding } from "../judge/finding.js";
import type { Unread } from "../read/doubts.js";
import type { ResultPrecision } from "../read/cells.js";
import type { GroupKey } from "../result.js";

/** The same snapshot gives the same bytes. */
export interface AuditReport {
  readonly snapshot: string;
  readonly created_at: string;
  readonly part?: {
    readonly experiment_id: string | null;
    readonly kind: string | null;
    readonly others: Readonly<Record<Verdict, number>>;
  };
  readonly summary: Readonly<Record<Verdict, number>>;
  readonly rows: readonly AuditRow[];
  readonly correctness: CorrectnessReport;
  /** One for each result that the run's own conventions do not reproduce. */
  readonly findings: readonly Finding[];
  readonly accepted: readonly AcceptedConvention[];
  readonly contradictions: readonly Contradiction[];
  readonly left_out: readonly LeftOut[];
  readonly unread: readonly Unread[];
  readonly results: readonly ResultPrecision[];
  readonly unread_fields: readonly UnreadField[];
  readonly scales: readonly Scale[];
  /** Experiments with comparisons of another weight than 1. */
  readonly weighted?: readonly string[];
  readonly shortfalls: readonly Shortfall[];
}

export interface UnreadField extends Omit<GroupKey, "experiment_name"> {
  readonly field: string;
  readonly numbers: number;
  /** Why a person leaves it out; null: undecided. */
  readonly ignored: string | null;
}

export interface LeftOut {
  readonly published_in: string;
  readonly experiment_id: string;
  readonly numbers: number;
}

export function* auditJson(report: AuditReport): Generator<string> {
  yield* jsonPieces(report);
  yield "\n";
}
