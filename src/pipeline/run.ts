import {
  auditExitCode,
  auditJson,
  auditLake,
  defaultLimits,
  writeBundle,
  type AuditReport,
  type LakeAudit,
} from "../audit/index.js";
import type { Client } from "../client/index.js";
import { exportSnapshot, type ExportProgress, type ExportReport } from "../extract/index.js";
import { makeDir, writeDurably, silentLog, type Log, type ExitCode } from "../platform/index.js";
import { layoutOf, pruneSnapshots } from "../lake/index.js";
import { writeModels, type Recomputed, type WrittenModel } from "../warehouse/index.js";
import { dirname, join } from "node:path";
import type { Settings } from "./settings.js";

/** What a run did: the console, the summary file and the exit code are made from it. */
export interface RunReport {
  readonly exported: ExportReport;
  readonly recomputed: Recomputed;
  readonly models: readonly WrittenModel[];
  readonly audit: AuditReport;
  /** Files that the run wrote outside the lake's snapshot. */
  readonly files: readonly string[];
  readonly exitCode: ExitCode;
}

export interface RunEffects {
  readonly log?: Log;
  readonly onProgress?: (progress: ExportProgress) => void;
  readonly afterExport?: () => void;
}

async function write(file: string | undefined, text: string): Promise<string[]> {
  if (file === undefined) return [];
  await makeDir(dirname(file));
  await writeDurably(file, text);
  return [file];
}

async function pack(
  file: string | undefined,
  audited: LakeAudit,
  { conventions, tolerances, shapes, records }: Settings,
): Promise<string[]> {
  if (file === undefined) return [];
  await writeBundle(file, audited, { conventions, tolerances, shapes, records, limits: defaultLimits });
  return [file];
}

/** Export, recompute, audit, write: the whole pipeline. Throws the errors of its steps. */
export async function runPipeline(
  client: Client,
  projectId: string,
  settings: Settings,
  { log = silentLog, onProgress, afterExport }: RunEffects = {},
): Promise<RunReport> {
  const { lake, conventions, tolerances, shapes, records, outputs } = settings;
  const exported = await exportSnapshot(
    { client, projectId, resume: true, ...settings },
    { log, ...(onProgress ? { onProgress } : {}) },
  );
  afterExport?.();
  const audited = await auditLake(lake, projectId, {
    conventions,
    tolerances,
    shapes,
    records,
    snapshot: exported.snapshot,
  });
  const { warehouse, recomputed, report } = audited;
  try {
    const derived = join(layoutOf(lake, projectId).derived, exported.snapshot);
    const models = await writeModels(warehouse, recomputed, derived);
    if (settings.keepSnapshots !== undefined) await pruneSnapshots(lake, projectId, settings.keepSnapshots);
    const exitCode = auditExitCode(report.summary, report.correctness);
    const summary = summarise(exported, recomputed, report, exitCode);
    const files = [
      derived,
      ...(await write(outputs.audit, auditJson(report))),
      ...(await write(outputs.summary, summary)),
      ...(await pack(outputs.bundle, audited, settings)),
    ];
    return { exported, recomputed, models, audit: report, files, exitCode };
  } finally {
    warehouse.close();
  }
}

/** The run's summary as JSON, for whoever watches unattended runs. */
function summarise(exported: ExportReport, recomputed: Recomputed, audit: AuditReport, exitCode: ExitCode): string {
  const { snapshot, dir, rows, quarantined, bytes, elapsed_ms, manifest } = exported;
  const { experiments, units } = manifest;
  return `${JSON.stringify(
    {
      exit_code: exitCode,
      export: { snapshot, dir, rows, quarantined, bytes, elapsed_ms, requests: units.length, experiments },
      checks: recomputed.checks,
      audit: audit.summary,
      correctness: { compared: audit.correctness.compared, equal: audit.correctness.equal },
    },
    null,
    2,
  )}\n`;
}
