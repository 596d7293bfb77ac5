/** Runs the projects of a pipeline one after another, and records each run. */
import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import {
  type Client,
  type ClientOptions,
  createClient,
  type Network,
  type Redact,
} from "../client/index.js";
import type { ExportReport } from "../extract/index.js";
import {
  lastSuccess,
  noteRun,
  type NoticeState,
  readRuns,
  type RunLine,
  runsBefore,
} from "../lake/index.js";
import {
  AfterPublicationError,
  type Clock,
  createLog,
  type ExitCode,
  exitCodes,
  freeBytes,
  groupsOf,
  type Log,
  makeDir,
  mapTexts,
  messageOf,
  namedProject,
  silentLog,
  version,
  withFields,
  worstExitCode,
  writeNew,
  writeOutput,
  isObject,
} from "../platform/index.js";
import { fromPack } from "../packs.js";
import { newsOf } from "../report/index.js";
import type { Pseudonyms } from "../warehouse/index.js";
import { type Display, exportAndAudit, type RunReport } from "./export-and-audit.js";
import { type NoticedRun, noticeOf, secretsOf } from "./notices.js";
import {
  type Measured,
  metricsText,
  recordOutputNames,
  recordOutputs,
  type RunRecord,
} from "./record.js";
import type { Plan, Settings } from "./settings.js";

interface RunRecords {
  /** Writes the files in which the project appears. */
  note(settings: Settings, record: RunRecord): Promise<void>;
  /** No more runs follow. */
  finish(exitCode: ExitCode): Promise<void>;
}

async function lastRun({ lake, project }: Settings, now: Date): Promise<Measured | null> {
  if (project === undefined) return null;
  const runs = runsBefore(await readRuns(lake, project).catch(() => []), now);
  const last = runs.at(-1);
  if (last === undefined) return null;
  const { started_at, ended_at } = last;
  const seconds = ended_at === null ? null : (Date.parse(ended_at) - Date.parse(started_at)) / 1000;
  return { ...last, project, seconds, last_success_at: lastSuccess(runs)?.ended_at ?? null };
}

async function withSpace({ lake }: Settings, measured: Measured): Promise<Measured> {
  return {
    ...measured,
    free_bytes: isObject(lake) ? null : await freeBytes(lake).catch(() => null),
  };
}

/** Of the last run of each project, as the lakes remember them, in Prometheus' text format. */
export async function pipelineMetrics({ all }: Plan, now: Date): Promise<string> {
  const runs = all.map(async (one) => {
    const last = await lastRun(one, now);
    return last === null ? [] : [await withSpace(one, last)];
  });
  return metricsText((await Promise.all(runs)).flat());
}

/** @throws from its methods what writing throws */
async function openRecords(
  { all, isMany }: Plan,
  clock: Clock,
  redact: Redact,
): Promise<RunRecords> {
  const records = new Map<Settings, RunRecord>();
  const earlier = new Map<Settings, Measured | null>();
  if (isMany) for (const one of all) earlier.set(one, await lastRun(one, clock.now()));
  let end: { ended_at: string; exit_code: ExitCode } | null = null;

  async function write(
    files: Iterable<{ name: (typeof recordOutputNames)[number]; file: string }>,
  ): Promise<void> {
    const writing = [...files].map(async ({ name, file }) => {
      const shown = all.filter(({ outputs }) => outputs[name] === file);
      const runs = shown.flatMap((one) => records.get(one) ?? []);
      const last = await Promise.all(
        shown.flatMap((one) => {
          const known = records.get(one) ?? earlier.get(one);
          return known ? [withSpace(one, known)] : [];
        }),
      );
      await makeDir(dirname(file));
      const text = await recordOutputs[name].text({ runs, last, isMany, end });
      await writeOutput(file, (made) => writeNew(made, text));
    });
    for (const written of await Promise.allSettled(writing))
      if (written.status === "rejected") throw written.reason;
  }

  const filesOf = ({ outputs }: Settings) =>
    recordOutputNames.flatMap((name) => {
      const file = outputs[name];
      return file === undefined ? [] : [{ name, file }];
    });

  return {
    note(settings, record) {
      records.set(settings, mapTexts(record, redact));
      return write(filesOf(settings));
    },
    async finish(exit_code) {
      end = { ended_at: clock.now().toISOString(), exit_code };
      if (!isMany) return;
      const files = all.filter((one) => records.has(one)).flatMap(filesOf);
      await write(new Map(files.map((one) => [`${one.name} ${one.file}`, one])).values());
    },
  };
}

function exportSummary({ manifest, ...exported }: ExportReport) {
  const { experiments, units } = manifest;
  return {
    is_whole: exported.shortfalls.length === 0,
    ...exported,
    requests: units.length,
    experiments,
  };
}

/** @param earlier the runs before, oldest first */
function runResults(
  { exported, recomputed, audit, changes }: RunReport,
  earlier: readonly RunLine[],
) {
  const { compared, equal, inconclusive } = audit.correctness;
  const known = earlier.findLast(({ findings }) => findings !== undefined)?.findings ?? [];
  return {
    ...newsOf(audit, changes, known),
    snapshot: exported.snapshot,
    rows: exported.rows,
    bytes: exported.bytes,
    numbers: audit.summary,
    shortfalls: Object.fromEntries(
      [...groupsOf(exported.shortfalls, ({ kind }) => kind)].map(([kind, own]) => [
        kind,
        own.reduce((sum, { count }) => sum + count, 0),
      ]),
    ),
    export: exportSummary(exported),
    checks: recomputed.checks,
    audit: audit.summary,
    correctness: { compared, equal, inconclusive },
  };
}

const lineFields = [
  "run",
  "started_at",
  "ended_at",
  "exit_code",
  "error",
  "snapshot",
  "rows",
  "bytes",
  "numbers",
  "shortfalls",
  "findings",
] as const satisfies (keyof RunLine)[];

const runLineOf = (record: RunRecord, notice?: NoticeState): RunLine => ({
  ...(Object.fromEntries(lineFields.map((name) => [name, record[name]])) as Omit<
    RunLine,
    "notice"
  >),
  notice,
});

/** Of an earlier run, which could not send its notice. */
const earlierRecord = (line: RunLine, project: string) =>
  line.ended_at === null
    ? { ...line, project, error: "The run never ended: it was killed." }
    : { ...line, project };

interface RunEffects {
  readonly clock: Clock;
  readonly redact: Redact;
  /** Default: none. @throws UsageError */
  readonly pseudonymsOf?: (settings: Settings) => Promise<Pseudonyms | undefined>;
  /** The line and the exit code with which a command ends after an error. */
  readonly failureOf: (error: unknown) => { readonly line: string; readonly exitCode: ExitCode };
  /** Interrupts the run in progress; those after it do not start. */
  readonly signal?: AbortSignal | undefined;
  /** How the addresses of notices are reached. @throws UsageError */
  readonly network: (settings: Settings) => Promise<Network>;
}

type RunStart = Pick<RunRecord, "run" | "started_at">;

function startRun(clock: Clock): RunStart {
  const started_at = clock.now().toISOString();
  return {
    run: `${started_at.replaceAll(/[-:]|\.\d+/g, "")}-${randomBytes(3).toString("hex")}`,
    started_at,
  };
}

export interface RunEnd {
  readonly record: RunRecord;
  readonly exitCode: ExitCode;
  /** Null after an error. */
  readonly report: RunReport | null;
  readonly error: unknown;
  readonly log: Log;
}

function startedRecord(
  { run, started_at }: RunStart,
  project: string | undefined,
  last_success_at: string | null,
): RunRecord {
  return {
    run,
    project: project ?? null,
    started_at,
    ended_at: null,
    seconds: null,
    exit_code: null,
    error: null,
    snapshot: null,
    rows: null,
    bytes: null,
    numbers: null,
    last_success_at,
    versions: { recount: version, node: process.versions.node },
  };
}

/**
 * Records start and end, in the lake and in the files of `records`. Never throws: an error is part
 * of what it returns, and what cannot be recorded is a warning.
 */
async function runProject(
  settings: Settings,
  { run, started_at }: RunStart,
  connect: () => Promise<Client | null>,
  display: Display,
  records: RunRecords,
  { clock, redact, pseudonymsOf, failureOf, network, signal }: RunEffects,
): Promise<RunEnd> {
  const { lake, project } = settings;
  const { log } = display;
  const began = clock.monotonicMs();
  const recorded = project === undefined ? [] : await readRuns(lake, project).catch(() => []);
  const earlier = runsBefore(recorded, clock.now(), (message) => log.warn(message));
  let record = startedRecord({ run, started_at }, project, lastSuccess(earlier)?.ended_at ?? null);
  // An error of an import names its files, and a file may be named by a person.
  const hidesErrors = settings.mapping !== undefined && settings.pseudonymise?.scope === "lake";
  const note = async (line: RunLine) => {
    const said =
      hidesErrors && line.error !== null
        ? { ...line, error: "Not recorded under pseudonyms." }
        : line;
    if (project !== undefined) await noteRun(lake, project, mapTexts(said, redact));
  };
  const write = async (hasNotice: boolean) => {
    const writing = [
      records.note(settings, record),
      note(runLineOf(record, hasNotice ? "due" : undefined)),
    ];
    for (const end of await Promise.allSettled(writing))
      if (end.status === "rejected")
        log.warn(`The run could not be recorded: ${messageOf(end.reason)}.`);
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
    const { deliver } = await fromPack("notices")();
    await deliver(notice, mapTexts(ended, redact), {
      clock,
      log,
      folder,
      network: () => network(settings),
      note: (state) => note({ ...line, notice: state }),
    });
  };
  /** With the lock held, none of them is still in progress. */
  let pending: readonly RunLine[] = [];
  const findPending = async () => {
    const runs = project === undefined ? [] : await readRuns(lake, project);
    pending = runs.filter((one) => one.run !== run && one.notice === "due");
  };
  const finish = async (exitCode: ExitCode, rest: Partial<RunRecord>) => {
    display.stop();
    await end(exitCode, rest);
    for (const line of pending) await notify(earlierRecord(line, project ?? ""), line);
    await notify(record, runLineOf(record));
  };
  await write(Object.values(settings.notices).some((notice) => notice !== undefined));
  try {
    const named = namedProject(project);
    const pseudonyms = await pseudonymsOf?.(settings);
    const effects = { clock, pseudonyms, signal, onLocked: findPending };
    const report = await exportAndAudit(await connect(), named, settings, display, effects);
    await finish(report.exitCode, {
      ...runResults(report, earlier),
      report: settings.outputs.report,
      report_url: settings.reportUrl,
    });
    return { record, exitCode: report.exitCode, report, error: null, log };
  } catch (error) {
    const { line, exitCode } = failureOf(error);
    await finish(exitCode, {
      error: line,
      snapshot: error instanceof AfterPublicationError ? error.snapshot : null,
    });
    return { record, exitCode, report: null, error, log };
  }
}

export type Connection = Pick<ClientOptions, "baseUrl" | "credentials" | "network" | "retry">;

/** Runs print nothing themselves. */
export interface RunContext extends RunEffects {
  readonly hide: (secret: string) => void;
  /** How a project's service is reached. @throws UsageError */
  readonly connect: (settings: Settings) => Promise<Connection>;
  /** Shows the run of one project, the `nth` of `count`. */
  readonly show: (settings: Settings, nth: number, count: number) => Display;
  readonly onEnd?: (end: RunEnd) => Promise<void>;
}

/**
 * One client for all projects that are reached in the same way: they share connections and pauses.
 */
function sharedClients(log: Log, signal: AbortSignal | undefined) {
  const clients = new Map<string, Client>();
  return {
    open(connection: Connection): Client {
      const key = JSON.stringify(connection);
      const client =
        clients.get(key) ?? createClient({ ...connection, ...(signal ? { signal } : {}) }, { log });
      clients.set(key, client);
      return client;
    },
    close: () => Promise.all([...clients.values()].map((client) => client.close())),
  };
}

/**
 * One after another, so that `export.concurrency` bounds the requests of all. The failure of one
 * stops no other. Returns the worst exit code, and how each run ended.
 */
export async function runPipeline(
  plan: Plan,
  { hide, connect, show, onEnd, signal, ...effects }: RunContext,
): Promise<{ exitCode: ExitCode; ends: readonly RunEnd[] }> {
  for (const { notices, spark } of plan.all)
    for (const secret of [...secretsOf(notices), ...(spark?.token ? [spark.token] : [])])
      hide(secret);
  let log = silentLog;
  const current = createLog(({ level, message, fields }) => log[level](message, fields), "debug");
  const clients = sharedClients(current, signal);
  const records = await openRecords(plan, effects.clock, effects.redact);
  const ends: RunEnd[] = [];
  try {
    for (const settings of plan.projects) {
      if (signal?.aborted && ends.length > 0) break;
      const start = startRun(effects.clock);
      const shown = show(settings, ends.length + 1, plan.projects.length);
      log = withFields(shown.log, { run: start.run, project: settings.project ?? null });
      const open = async () =>
        settings.mapping === undefined ? clients.open(await connect(settings)) : null;
      const end = await runProject(settings, start, open, { ...shown, log }, records, {
        ...effects,
        signal,
      });
      ends.push(end);
      await onEnd?.(end);
    }
  } finally {
    await clients.close();
  }
  const left = plan.projects.length - ends.length;
  const exitCode =
    left > 0 ? exitCodes.interrupted : worstExitCode(ends.map((end) => end.exitCode));
  await records.finish(exitCode).catch((error: unknown) => {
    log.warn(`The end of the runs could not be recorded: ${messageOf(error)}.`);
  });
  return { exitCode, ends };
}
