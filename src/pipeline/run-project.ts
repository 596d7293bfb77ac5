import { randomBytes } from "node:crypto";
import type { Client, Network } from "../client/index.js";
import type { ExportReport } from "../extract/index.js";
import { lastSuccess, noteRun, readRuns, type NoticeState, type RunLine } from "../lake/index.js";
import {
  exitCodes,
  mapTexts,
  messageOf,
  namedProject,
  traced,
  version,
  type Clock,
  type ExitCode,
  type Log,
  type Redact,
} from "../platform/index.js";
import type { Pseudonyms } from "../warehouse/index.js";
import { exportAndAudit, type Display, type RunReport } from "./export-and-audit.js";
import { deliver, noticeOf, type NoticedRun } from "./notices/index.js";
import type { RunRecord } from "./record.js";
import type { RunRecords } from "./run-records.js";
import type { Settings } from "./settings.js";

function exportSummary({ manifest, ...exported }: ExportReport) {
  const { experiments, units } = manifest;
  return { is_whole: exported.shortfalls.length === 0, ...exported, requests: units.length, experiments };
}

const resultsOf = ({ exported, recomputed, audit }: RunReport) => ({
  snapshot: exported.snapshot,
  rows: exported.rows,
  bytes: exported.bytes,
  numbers: audit.summary,
  export: exportSummary(exported),
  checks: recomputed.checks,
  audit: audit.summary,
  correctness: { compared: audit.correctness.compared, equal: audit.correctness.equal },
});

const lineOf = (record: RunRecord, notice?: NoticeState): RunLine => {
  const { run, started_at, ended_at, exit_code, error, snapshot, rows, bytes, numbers } = record;
  return { ...{ run, started_at, ended_at, exit_code, error, snapshot, rows, bytes, numbers }, notice };
};

/** What the notice of an earlier run says, which that run could not send. */
const earlierRecord = (line: RunLine, project: string) =>
  line.ended_at === null ? { ...line, project, error: "The run never ended: it was killed." } : { ...line, project };

/** What a run needs from those that start it. */
export interface RunEffects {
  readonly clock: Clock;
  /** Hides the secrets of this process in a text. */
  readonly redact: Redact;
  /** The pseudonyms that a project's settings ask for; default: none. @throws UsageError. */
  readonly pseudonymsOf?: (settings: Settings) => Promise<Pseudonyms | undefined>;
  /** The line and the exit code with which a command ends after an error. */
  readonly failureOf: (error: unknown) => { readonly line: string; readonly exitCode: ExitCode };
  /** Interrupts the run in progress; those after it do not start. */
  readonly signal?: AbortSignal | undefined;
  /** How the addresses of notices are reached. @throws UsageError. */
  readonly network: (settings: Settings) => Promise<Network>;
}

/** The identifier and the instant of a run's start. */
type RunStart = Pick<RunRecord, "run" | "started_at">;

export function startOf(clock: Clock): RunStart {
  const started_at = clock.now().toISOString();
  return { run: `${started_at.replaceAll(/[-:]|\.\d+/g, "")}-${randomBytes(3).toString("hex")}`, started_at };
}

/** The end of one project's run. */
export interface RunEnd {
  readonly record: RunRecord;
  readonly exitCode: ExitCode;
  /** The results; null after an error. */
  readonly report: RunReport | null;
  readonly error: unknown;
  readonly log: Log;
}

/**
 * Runs one project and records its start and its end, in the lake and in the files of `records`. Never throws: an error
 * is part of what it returns, and what cannot be recorded is a warning.
 */
export async function runProject(
  settings: Settings,
  { run, started_at }: RunStart,
  connect: () => Promise<Client>,
  display: Display,
  records: RunRecords,
  { clock, redact, pseudonymsOf, failureOf, network, signal }: RunEffects,
): Promise<RunEnd> {
  const { lake, project } = settings;
  const { log } = display;
  const began = clock.monotonicMs();
  const earlier = project === undefined ? [] : await readRuns(lake, project).catch(() => []);
  let record: RunRecord = {
    ...{ run, project: project ?? null, started_at, ended_at: null, seconds: null, exit_code: null, error: null },
    ...{ snapshot: null, rows: null, bytes: null, numbers: null },
    last_success_at: lastSuccess(earlier)?.ended_at ?? null,
    versions: { recount: version, node: process.versions.node },
  };
  const note = async (line: RunLine) => {
    if (project !== undefined) await noteRun(lake, project, mapTexts(line, redact));
  };
  const write = async (hasNotice: boolean) => {
    const writing = [records.note(settings, record), note(lineOf(record, hasNotice ? "due" : undefined))];
    for (const end of await Promise.allSettled(writing))
      if (end.status === "rejected") log.warn(`The run could not be recorded: ${messageOf(end.reason)}.`);
  };
  const end = async (exitCode: ExitCode, rest: Partial<RunRecord>) => {
    const ended_at = clock.now().toISOString();
    const seconds = Math.round(clock.monotonicMs() - began) / 1000;
    record = { ...record, ...rest, ended_at, seconds, exit_code: exitCode };
    if (exitCode === exitCodes.ok) record = { ...record, last_success_at: ended_at };
    await write(noticeOf(settings.notices, exitCode) !== undefined);
  };
  const notify = async (ended: NoticedRun, line: RunLine) => {
    const notice = noticeOf(settings.notices, ended.exit_code);
    const { folder } = settings;
    if (notice === undefined) return;
    await deliver(notice, mapTexts(ended, redact), {
      ...{ clock, log, folder, network: () => network(settings) },
      note: (state) => note({ ...line, notice: state }),
    });
  };
  /** Earlier runs whose notice is due: with the lock held, none of them is still in progress. */
  let pending: readonly RunLine[] = [];
  const findPending = async () => {
    const runs = project === undefined ? [] : await readRuns(lake, project);
    pending = runs.filter((one) => one.run !== run && one.notice === "due");
  };
  const finish = async (exitCode: ExitCode, rest: Partial<RunRecord>) => {
    display.stop();
    await end(exitCode, rest);
    for (const line of pending) await notify(earlierRecord(line, project ?? ""), line);
    await notify(record, lineOf(record));
  };
  await write(Object.values(settings.notices).some((notice) => notice !== undefined));
  try {
    const named = namedProject(project);
    const pseudonyms = await pseudonymsOf?.(settings);
    const report = await traced("run", { run, project: named }, async () =>
      exportAndAudit(await connect(), named, settings, display, { clock, pseudonyms, signal, onLocked: findPending }),
    );
    await finish(report.exitCode, resultsOf(report));
    return { record, exitCode: report.exitCode, report, error: null, log };
  } catch (error) {
    const { line, exitCode } = failureOf(error);
    await finish(exitCode, { error: line });
    return { record, exitCode, report: null, error, log };
  }
}
