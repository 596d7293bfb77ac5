import type { Conventions } from "../metrics/conventions.js";
import type { Warehouse } from "../warehouse/index.js";
import type { AuditReport, AuditRow } from "./audit-report.js";
import { auditCorrectness } from "./correctness.js";
import { fieldsOf, isKind } from "./kinds.js";
import { noNames, readItemNames } from "./names.js";
import { readPublished, type ScoreShapes } from "./published-results.js";
import { groupId, readRecomputed } from "./recomputed.js";
import { compareGroup, notAuditable, obstacle, sortRows } from "./rows.js";
import { defaultTolerances, type Tolerances } from "./tolerances.js";
import { verdicts, type Verdict } from "./verdicts.js";

/** What the audit needs to know of the snapshot beyond its tables. */
export interface AuditedSnapshot {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** Experiments whose data are torn or incomplete, and why. */
  readonly unsettled: ReadonlyMap<string, string>;
}

export interface AuditOptions {
  readonly tolerances?: Tolerances;
  readonly shapes?: ScoreShapes;
}

/**
 * Compares every published number of a snapshot with the one that sql/ recomputed. The warehouse holds the
 * snapshot's tables and the models, as `recompute(warehouse, conventions)` leaves them.
 */
export async function auditSnapshot(
  warehouse: Warehouse,
  snapshot: AuditedSnapshot,
  _conventions: Conventions,
  { tolerances = defaultTolerances, shapes = {} }: AuditOptions = {},
): Promise<AuditReport> {
  const names = await readItemNames(warehouse);
  const groups = await readPublished(warehouse, shapes, names);
  const recomputed = await readRecomputed(warehouse);
  const rows: AuditRow[] = [];
  for (const group of groups) {
    const values = recomputed.get(groupId(group));
    const rated = (names.get(group.experiment_id) ?? noNames).names;
    const reason = obstacle(group, values, rated);
    if (reason !== null || !isKind(group.kind)) rows.push(...notAuditable(group, reason ?? ""));
    else rows.push(...compareGroup(group, group.kind, values ?? new Map(), tolerances));
  }
  const settled = rows.map((row) => unsettledAs(row, snapshot.unsettled.get(row.experiment_id)));
  return {
    snapshot: snapshot.id,
    created_at: snapshot.created_at,
    summary: summarise(settled),
    rows: sortRows(settled, fieldRank),
    correctness: await auditCorrectness(warehouse),
  };
}

/** Of a torn or incomplete experiment only agreement can be told; a difference may come from the tear. */
function unsettledAs(row: AuditRow, reason: string | undefined): AuditRow {
  if (reason === undefined || row.verdict === "exact" || row.verdict === "within_tolerance") return row;
  return { ...row, verdict: "inconclusive", explanation: reason };
}

function summarise(rows: readonly AuditRow[]): Record<Verdict, number> {
  const summary = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const row of rows) summary[row.verdict]++;
  return summary;
}

function fieldRank(kind: string, field: string): number {
  return isKind(kind) ? fieldsOf[kind].indexOf(field) : 0;
}

