import { auditExitCode, auditLake, defaultLimits, type AuditReport } from "../audit/index.js";
import type { Client } from "../client/index.js";
import { exportSnapshot, type ExportProgress, type ExportReport } from "../extract/index.js";
import { locateDerived, pruneSnapshots } from "../lake/index.js";
import { exitCodes, type ExitCode, type Log } from "../platform/index.js";
import { writeModels, type Recomputed } from "../warehouse/index.js";
import { lakeViews, verdictTable } from "./database.js";
import { checkOutputs, writeOutputs } from "./outputs.js";
import type { Settings } from "./settings.js";

/** The result of a run. The console, the summary file and the exit code are made from it. */
export interface RunReport {
  readonly exported: ExportReport;
  readonly recomputed: Recomputed;
  readonly audit: AuditReport;
  /** Files written in addition to the snapshot: the folder of the models, then the outputs. */
  readonly files: readonly string[];
  readonly exitCode: ExitCode;
}

/** Shows one run: log lines, and the progress of its export until that is over. */
export interface Display {
  readonly log: Log;
  readonly onProgress: (progress: ExportProgress) => void;
  readonly stop: () => void;
}

/** Exports, recomputes, audits and writes the outputs. Throws the errors of its steps. */
export async function exportAndAudit(
  client: Client,
  projectId: string,
  settings: Settings,
  { log, onProgress, stop }: Display,
): Promise<RunReport> {
  const { lake, conventions, tolerances, shapes, records, accept } = settings;
  await checkOutputs(settings.outputs);
  const exported = await exportSnapshot({ client, projectId, resume: true, ...settings }, { log, onProgress });
  stop();
  const auditSettings = { conventions, tolerances, shapes, records, accept, limits: defaultLimits };
  const audited = await auditLake(lake, projectId, { ...auditSettings, snapshot: exported.snapshot });
  const { warehouse, recomputed, report } = audited;
  try {
    const derived = locateDerived(lake, projectId, exported.snapshot);
    const verdicts = await verdictTable(warehouse, report);
    await writeModels(warehouse, recomputed, derived, [...lakeViews(audited.snapshot), verdicts]);
    const audit = auditExitCode(report.summary, report.correctness);
    const isWhole = exported.shortfalls.length === 0;
    const exitCode = audit === exitCodes.ok && !isWhole ? exitCodes.inconclusive : audit;
    const results = { lake, audited, settings: auditSettings, redact: client.redact };
    const files = [derived, ...(await writeOutputs(settings.outputs, results))];
    if (settings.keepSnapshots !== undefined) await pruneSnapshots(lake, projectId, settings.keepSnapshots);
    return { exported, recomputed, audit: report, files, exitCode };
  } finally {
    warehouse.close();
  }
}
