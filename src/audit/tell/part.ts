/** A part of an audit: the numbers of one experiment, of one kind, or of both. */
import { sumOf, UsageError } from "../../platform/index.js";
import type { CorrectnessReport } from "../compare/correctness.js";
import { acceptedIn } from "../judge/finding.js";
import type { AuditReport } from "./report.js";
import { experimentOf, listed } from "./trace.js";
import { countVerdicts } from "../judge/verdict.js";

export interface AuditPart {
  readonly experiment?: string | undefined;
  readonly kind?: string | undefined;
}

interface PartSubject {
  readonly experiment_id: string;
  readonly kind?: string;
}

/**
 * Verdicts are those of the whole audit; what concerns the whole snapshot stays.
 * @throws UsageError for what is not published
 */
export function partOfAudit(report: AuditReport, { experiment, kind }: AuditPart): AuditReport {
  if (experiment === undefined && kind === undefined) return report;
  const id = experiment === undefined ? null : experimentOf(report, experiment).experiment_id;
  const isOfExperiment = (one: PartSubject) => id === null || one.experiment_id === id;
  const isMeant = (one: PartSubject) =>
    isOfExperiment(one) && (kind === undefined || one.kind === kind);
  const rows = report.rows.filter(isMeant);
  if (rows.length === 0)
    throw new UsageError(
      `No published result of kind ${JSON.stringify(kind)}${id === null ? "" : ` in ${id}`}. ` +
        "Published: " +
        `${listed(report.rows.filter(isOfExperiment).map((row) => row.kind)) || "nothing"}.`,
    );
  const findings = report.findings.filter(isMeant);
  return {
    ...report,
    part: {
      experiment_id: id,
      kind: kind ?? null,
      others: countVerdicts(report.rows.filter((row) => !isMeant(row))),
    },
    summary: countVerdicts(rows),
    rows,
    correctness: partFlagsOf(report.correctness, kind === undefined ? isOfExperiment : () => false),
    findings,
    accepted: acceptedIn(report.accepted, rows, findings).filter(({ numbers }) => numbers > 0),
    contradictions: report.contradictions.filter(isMeant),
    left_out: report.left_out.filter(isOfExperiment),
    results: report.results.filter(isMeant),
    unread_fields: report.unread_fields.filter(isMeant),
    scales: report.scales.filter(isOfExperiment),
    shortfalls: report.shortfalls.filter(
      ({ experiment_id }) => experiment_id === null || isOfExperiment({ experiment_id }),
    ),
  };
}

function partFlagsOf(
  flags: CorrectnessReport,
  isMeant: (one: { readonly experiment_id: string }) => boolean,
): CorrectnessReport {
  const counts = Object.entries(flags.compared_in).filter(([experiment_id]) =>
    isMeant({ experiment_id }),
  );
  const compared = sumOf(counts.map(([, count]) => count));
  const different = flags.different.filter(isMeant);
  return {
    compared,
    equal: compared - different.length,
    compared_in: Object.fromEntries(counts),
    different,
    inconclusive: flags.inconclusive.filter(isMeant),
  };
}
