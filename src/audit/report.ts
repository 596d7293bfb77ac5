import type { AuditRow } from "./compare/audit-row.js";
import type { Contradiction } from "./compare/contradictions.js";
import type { CorrectnessReport } from "./compare/correctness.js";
import type { Verdict } from "./verdict.js";
import type { Finding } from "./findings/finding.js";
import type { Unread } from "./published/unread.js";

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
