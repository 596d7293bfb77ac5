/** The report of an audit, as `audit.json` has it. */
import type { Shortfall } from "../../lake/index.js";
import { jsonPieces } from "../../platform/index.js";
import type { AuditRow } from "../compare/compare.js";
import type { CorrectnessReport } from "../compare/correctness.js";
import type { Contradiction } from "../compare/contradictions.js";
import type { Scale } from "../compare/scales.js";
import type { Verdict } from "../judge/verdict.js";
import type { AcceptedConvention, Finding } from "../judge/finding.js";
import type { GroupKey, ResultPrecision } from "../read/cells.js";
import type { PublishedList as List } from "../../contract/index.js";

/** The whole of `audit.json`; the same snapshot gives the same bytes. */
export interface AuditReport {
  readonly snapshot: string;
  /** The snapshot's instant, ISO 8601, UTC. */
  readonly created_at: string;
  /** What the rest is about; absent: everything. */
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

export interface Unread {
  readonly list: List;
  readonly reason: "not_permitted" | "not_offered" | "not_exported";
  /** The jobs or leaderboards that are missing, or `each job`; absent: the whole list. */
  readonly sources?: readonly string[];
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
