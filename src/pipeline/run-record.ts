import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import type { AuditReport } from "../audit/index.js";
import type { ExportReport } from "../extract/index.js";
import { noteRun, readRuns, type RunLine } from "../lake/index.js";
import {
  exitCodes,
  makeDir,
  mapTexts,
  messageOf,
  version,
  writeDurably,
  type Clock,
  type ExitCode,
  type Log,
  type Redact,
} from "../platform/index.js";
import type { Recomputed } from "../warehouse/index.js";
import type { OutputFiles } from "./outputs.js";
import type { RunRecord } from "./record.js";
import { recordOutputNames, recordOutputs } from "./record-outputs.js";

/** What a run ends with. */
export interface RunResults {
  readonly exported: ExportReport;
  readonly recomputed: Recomputed;
  readonly audit: AuditReport;
  readonly exitCode: ExitCode;
}

function exportSummary({ manifest, ...exported }: ExportReport) {
  const { experiments, units } = manifest;
  return { is_whole: exported.shortfalls.length === 0, ...exported, requests: units.length, experiments };
}

const resultsOf = ({ exported, recomputed, audit }: RunResults) => ({
  snapshot: exported.snapshot,
  rows: exported.rows,
  bytes: exported.bytes,
  numbers: audit.summary,
  export: exportSummary(exported),
  checks: recomputed.checks,
  audit: audit.summary,
  correctness: { compared: audit.correctness.compared, equal: audit.correctness.equal },
});

const lineOf = (record: RunRecord): RunLine => {
  const { run, started_at, ended_at, exit_code, error, snapshot, rows, bytes, numbers } = record;
  return { run, started_at, ended_at, exit_code, error, snapshot, rows, bytes, numbers };
};

export interface RecordEffects {
  readonly clock: Clock;
  readonly log: Log;
  /** Hides the secrets of this process in a text. */
  readonly redact: Redact;
  /** The line and the exit code with which the command line ends after an error. */
  readonly failureOf: (error: unknown) => { readonly line: string; readonly exitCode: ExitCode };
}

/**
 * Runs `work` and records its start and its end, in the lake and in the outputs. What cannot be recorded is a warning
 * and changes no exit code. Throws the errors of `work`.
 */
export async function recorded<R extends RunResults>(
  { lake, project, outputs }: { readonly lake: string; readonly project: string | null; readonly outputs: OutputFiles },
  { clock, log, redact, failureOf }: RecordEffects,
  work: () => Promise<R>,
): Promise<R> {
  const start = clock.now();
  const began = clock.monotonicMs();
  const started_at = start.toISOString();
  const run = `${started_at.replaceAll(/[-:]|\.\d+/g, "")}-${randomBytes(3).toString("hex")}`;
  const earlier = project === null ? [] : await readRuns(lake, project).catch(() => []);
  const successes = earlier.filter(({ exit_code }) => exit_code === exitCodes.ok);
  let record: RunRecord = {
    ...{ run, project, started_at, ended_at: null, seconds: null, exit_code: null, error: null },
    ...{ snapshot: null, rows: null, bytes: null, numbers: null },
    last_success_at: successes.at(-1)?.ended_at ?? null,
    versions: { recount: version, node: process.versions.node },
  };
  const write = async () => {
    const clean = mapTexts(record, redact);
    const writing = project === null ? [] : [noteRun(lake, project, lineOf(clean))];
    for (const name of recordOutputNames) {
      const file = outputs[name];
      if (file !== undefined)
        writing.push(
          makeDir(dirname(file)).then(async () => writeDurably(file, await recordOutputs[name].text(clean))),
        );
    }
    for (const end of await Promise.allSettled(writing))
      if (end.status === "rejected") log.warn(`The run could not be recorded: ${messageOf(end.reason)}.`);
  };
  const end = async (exitCode: ExitCode, rest: Partial<RunRecord>) => {
    const ended_at = clock.now().toISOString();
    const seconds = Math.round(clock.monotonicMs() - began) / 1000;
    record = { ...record, ...rest, ended_at, seconds, exit_code: exitCode };
    if (exitCode === exitCodes.ok) record = { ...record, last_success_at: ended_at };
    await write();
  };
  await write();
  try {
    const results = await work();
    await end(results.exitCode, resultsOf(results));
    return results;
  } catch (error) {
    const { line, exitCode } = failureOf(error);
    await end(exitCode, { error: line });
    throw error;
  }
}
