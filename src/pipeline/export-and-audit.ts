/** One run of a project: export or import, recompute, audit, write, prune. */
import { dirname, join } from "node:path";
import {
  auditExitCode,
  auditOnce,
  defaultLimits,
  type AuditReport,
  type KeptAudit,
} from "../audit/index.js";
import { republishedSince, type PublishedDiff } from "../changes/index.js";
import type { Client } from "../client/index.js";
import {
  exportSnapshot,
  type ExportProgress,
  type ExportReport,
  type RowsOptions,
} from "../extract/index.js";
import { lockProject, pruneSnapshots, shortfallsOf, type Retention } from "../lake/index.js";
import { withoutSecrets } from "../client/index.js";
import {
  AfterPublicationError,
  counted,
  exitCodes,
  InterruptedError,
  makeDir,
  messageOf,
  UsageError,
  type Clock,
  type ExitCode,
  type Log,
} from "../platform/index.js";
import {
  withCluster,
  type ClusterProgress,
  type Pseudonyms,
  type Recomputed,
} from "../warehouse/index.js";
import { exportLine } from "../report/index.js";
import { fromPack } from "../packs.js";
import { keepVerdicts } from "./derived.js";
import { transformed } from "./transform.js";
import { checkOutputs, writeOutputs } from "./outputs.js";
import type { Settings } from "./settings.js";

/** The console, the summary file and the exit code are made from it. */
export interface RunReport {
  readonly exported: ExportReport;
  readonly recomputed: Recomputed;
  readonly audit: AuditReport;
  /** Published numbers that differ from the previous snapshot. */
  readonly changes: readonly PublishedDiff[];
  /** Files apart from the snapshot: the folder of the models, then the outputs. */
  readonly files: readonly string[];
  readonly exitCode: ExitCode;
}

/** Shows log lines, and how far an export or a cluster is. */
export interface Display {
  readonly log: Log;
  readonly onProgress: (progress: ExportProgress) => void;
  readonly onTasks: (progress: ClusterProgress) => void;
  readonly stop: () => void;
}

interface Effects {
  readonly clock: Clock;
  /** Of the key that `settings.pseudonymise` names. */
  readonly pseudonyms?: Pseudonyms | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called once the lock is held. */
  readonly onLocked?: () => Promise<void>;
}

/**
 * Holds the project's lock: no other run writes the project or removes a snapshot that this one
 * uses. Imports if there is no client.
 */
export async function exportAndAudit(
  client: Client | null,
  projectId: string,
  settings: Settings,
  display: Display,
  effects: Effects,
): Promise<RunReport> {
  // Their paths are in a file, which a typing error does not change: folders may be for each
  // project.
  for (const file of Object.values(settings.outputs))
    if (file !== undefined) await makeDir(dirname(file));
  await checkOutputs(settings.outputs);
  const lock = await lockProject(settings.lake, projectId, effects.clock);
  try {
    await effects.onLocked?.();
    return await exportAndAuditLocked(client, projectId, settings, display, effects);
  } finally {
    await lock.release();
  }
}

export interface Study {
  readonly study: {
    readonly id: string;
    readonly name?: string | undefined;
    readonly type?: string | undefined;
  };
}

/** Implemented by `src/import/`. */
export interface StudyFiles {
  /** @throws UsageError with file, line and key */
  readMapping(file: string): Promise<Study>;
  /** Paths are relative to the folder of `file`. */
  parseMapping(file: string, text: string): Promise<Study>;
  sourceFiles(study: Study): Promise<readonly unknown[]>;
  importSnapshot(
    study: Study,
    options: Pick<RowsOptions, "lake" | "pseudonyms" | "shrink" | "isLocked">,
    effects: {
      readonly clock?: Clock;
      readonly log?: Log;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<ExportReport>;
}

/** @param mapping its path, or its value @param file of the pipeline, for errors */
export async function readStudy(mapping: string | object, file: string): Promise<Study> {
  const files = await fromPack("files")();
  return typeof mapping === "string"
    ? files.readMapping(mapping)
    : files.parseMapping(file, JSON.stringify(mapping));
}

/** @throws UsageError if the mapping is of another study than the project */
export async function mappingOf(
  { mapping = "", folder }: Settings,
  project: string | undefined,
): Promise<Study> {
  const study = await readStudy(mapping, join(folder, "import"));
  if (project !== undefined && study.study.id !== project)
    throw new UsageError(
      `The project is ${project}, but its mapping has study.id: ${study.study.id}. Give ` +
        "both the same name.",
    );
  return study;
}

async function exportAndAuditLocked(
  client: Client | null,
  projectId: string,
  settings: Settings,
  { log, onProgress, onTasks, stop }: Display,
  { clock, pseudonyms, signal }: Effects,
): Promise<RunReport> {
  const {
    lake,
    keep,
    conventions,
    tolerances,
    shapes,
    records,
    accept,
    ignore,
    statistics,
    spark,
  } = settings;
  const hasStatistics = statistics || settings.outputs.report !== undefined;
  const isInLake = settings.pseudonymise?.scope === "lake";
  const own = { isLocked: true, ...settings, ...(isInLake ? { pseudonyms } : {}) };
  const read =
    client === null
      ? await (
          await fromPack("files")()
        ).importSnapshot(await mappingOf(settings, projectId), own, { clock, log, signal })
      : await exportSnapshot(
          { client, projectId, resume: true, ...own },
          { clock, log, onProgress },
        );
  stop();
  log.info(exportLine(read));
  const auditSettings = {
    conventions,
    tolerances,
    shapes,
    records,
    accept,
    ignore,
    limits: defaultLimits,
  };
  const results = withCluster(spark, { signal, onTasks }, async (cluster) => {
    const own = {
      snapshot: read.snapshot,
      conventions,
      statistics: hasStatistics,
      // A bundle has nothing that was computed before.
      isFull: settings.outputs.bundle !== undefined,
      cluster,
      warn: (line: string) => log.warn(line),
    };
    const { computed, dir: derived, recomputed } = await transformed(lake, projectId, own);
    let audited: KeptAudit | undefined;
    try {
      audited = await auditOnce(lake, projectId, {
        ...auditSettings,
        ...own,
        models: "audited",
        ...(computed && { computed }),
      });
      const { report } = audited;
      await keepVerdicts(lake, audited, conventions);
      const exported = {
        ...read,
        shortfalls: shortfallsOf({ ...read.manifest, checks: recomputed.checks }),
      };
      const audit = auditExitCode(report.summary, report.correctness);
      const isWhole = exported.shortfalls.length === 0;
      const exitCode = audit === exitCodes.ok && !isWhole ? exitCodes.inconclusive : audit;
      const redact = (text: string) => withoutSecrets(client?.redact(text) ?? text);
      const made = { lake, audited, settings: auditSettings, redact, pseudonyms };
      const files = [derived, ...(await writeOutputs(settings.outputs, made))];
      const changes = await republishedSince(lake, projectId, exported.snapshot, settings).catch(
        (error: unknown) => {
          log.warn(`The previous snapshot was not compared: ${messageOf(error)}`);
          return [];
        },
      );
      if (keep !== null) await prune(lake, projectId, keep, log);
      return { exported, recomputed, audit: report, changes, files, exitCode };
    } finally {
      audited?.close();
      computed?.warehouse.close();
    }
  });
  return results.catch((error: unknown) => {
    throw error instanceof InterruptedError
      ? error
      : new AfterPublicationError(read.snapshot, error);
  });
}

/** A damaged old snapshot is a warning: it does not fail every night. */
async function prune(lake: string, projectId: string, keep: Retention, log: Log): Promise<void> {
  try {
    const { removed } = await pruneSnapshots(lake, projectId, keep, { isLocked: true });
    if (removed.length > 0)
      log.debug(`Removed ${counted(removed.length, "snapshot")}: ${removed.join(", ")}.`);
  } catch (error) {
    log.warn(`Old snapshots were not removed: ${messageOf(error)}`);
  }
}
