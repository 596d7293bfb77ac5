import { exitCodes, messageOf, type Clock, type Log } from "../platform/index.js";
import { timesOf, type Schedule, type Times } from "./times.js";

/** A run, as the lake remembers it. */
interface PastRun {
  readonly started_at: string;
  readonly ended_at: string | null;
  /** null: it was killed. */
  readonly exit_code: number | null;
}

/** What the health server shows. */
export interface ScheduleState {
  readonly state: "starting" | "waiting" | "running" | "stopping";
  /** Start of the next run, with its jitter; while one is running, its due time. */
  readonly next_run_at: string | null;
  readonly last_run: PastRun | null;
  /** Why the schedule cannot be read; the one read before stays in force. */
  readonly problem: string | null;
}

/** The state before anything is known. */
export const starting: ScheduleState = { state: "starting", next_run_at: null, last_run: null, problem: null };

interface ScheduleWork {
  /** Reads the schedule: first, then after each run and every five minutes between runs. */
  readonly read: () => Promise<Schedule>;
  /** The runs of each project that the schedule runs, oldest first. */
  readonly runs: () => Promise<readonly (readonly PastRun[])[]>;
  /** Runs once and returns the exit code; null if the run was killed. */
  readonly run: () => Promise<number | null>;
}

interface ScheduleEffects {
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the schedule. A run in progress is waited for: whoever aborts stops it. */
  readonly signal: AbortSignal;
  /** What tells this host and pipeline from others, for the jitter. */
  readonly salt: string;
  readonly onState: (state: ScheduleState) => void;
}

/** Longest pause: a change of the wall clock or of the file is noticed within it. */
const longestPauseMs = 300_000;

/**
 * Whether a project has had its run since a due time: one that ended and was not interrupted, or a second attempt, so
 * that a run which brings its host down is not repeated for ever.
 */
const isMade = (runs: readonly PastRun[], due: Date) => {
  const since = runs.filter(({ started_at }) => new Date(started_at) >= due);
  return since.length > 1 || since.some(({ exit_code: code }) => code !== null && code !== exitCodes.interrupted);
};

/** An instant for a reader, in whole seconds. */
const shown = (instant: Date) => instant.toISOString().replace(/\.\d+/, "");

/**
 * Starts a run whenever one is due, until the signal. Runs do not overlap: what comes due during a run is skipped. Of
 * what was missed, during a run or while nothing kept the schedule, the last is made up if `catchUp` says so. A schedule
 * that can no longer be read stays as it was.
 * @returns the exit code of the run that the signal interrupted, undefined if there was none
 * @throws UsageError if the schedule cannot be read at first
 */
export async function keepSchedule(
  { read, runs, run }: ScheduleWork,
  { clock, log, signal, salt, onState }: ScheduleEffects,
): Promise<number | null | undefined> {
  let schedule = await read();
  let times = timesOf(schedule, salt, clock.now());
  let state = starting;
  const show = (change: Partial<ScheduleState>) => onState((state = { ...state, ...change }));
  // A lake that cannot be read is the run's to report.
  const remembered = () => runs().catch(() => []);
  const past = (await remembered())
    .flat()
    .toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1))
    .at(-1);
  if (past) show({ last_run: { started_at: past.started_at, ended_at: past.ended_at, exit_code: past.exit_code } });
  /** What was due until then needs no run any more. */
  let settled = schedule.catchUp ? -Infinity : clock.now().getTime();

  const readAgain = async () => {
    try {
      schedule = await read();
      times = timesOf(schedule, salt, clock.now());
      if (state.problem !== null) log.info("The schedule can be read again.");
      show({ problem: null });
    } catch (error) {
      const problem = messageOf(error);
      if (problem !== state.problem) log.warn(`The schedule stays as it was: ${problem}`);
      show({ problem });
    }
  };

  /** The due time that waits for its run; null if there is none. */
  const pending = async () => {
    const last = times.last(clock.now());
    if (last === null || last.getTime() <= settled) return null;
    const projects = await remembered();
    if (projects.length === 0 || !projects.every((all) => isMade(all, last))) return last;
    settled = last.getTime();
    return null;
  };

  const pause = async (until: Date, over: AbortSignal) => {
    const ms = Math.min(longestPauseMs, until.getTime() - clock.now().getTime());
    await clock.sleep(Math.max(0, ms), over).catch(() => undefined);
  };

  const runOnce = async (due: Date) => {
    const started = clock.now();
    settled = due.getTime();
    show({ state: "running", next_run_at: shown(times.next(started)) });
    const over = new AbortController();
    const skipping = saySkipped(times, started, over.signal);
    const exit_code = await run();
    over.abort();
    await skipping;
    const ended = clock.now();
    if (!schedule.catchUp) settled = ended.getTime();
    show({
      state: "waiting",
      last_run: { started_at: started.toISOString(), ended_at: ended.toISOString(), exit_code },
    });
    return exit_code;
  };

  /** Says once that a run is skipped because the one before is still running. */
  const saySkipped = async (its: Times, started: Date, over: AbortSignal) => {
    const next = its.next(started);
    while (!over.aborted) {
      if (clock.now() >= next) {
        log.warn(`Skipped the run due at ${shown(next)}: the one started at ${shown(started)} is still running.`);
        return;
      }
      await pause(next, over);
    }
  };

  const isOver = () => signal.aborted;
  let announced = "";
  while (!isOver()) {
    const due = await pending();
    const start = times.start(due ?? times.next(clock.now()));
    show({ state: "waiting", next_run_at: shown(start) });
    if (due === null || start > clock.now()) {
      if (announced !== shown(start)) log.info(`The next run starts at ${(announced = shown(start))}.`);
      await pause(start, signal);
      await readAgain();
      continue;
    }
    if (isOver()) break;
    if (clock.now().getTime() - start.getTime() > longestPauseMs) log.info(`Making up the run due at ${shown(due)}.`);
    const exitCode = await runOnce(due);
    if (isOver()) return exitCode;
    if (exitCode === null) log.error("The run was killed.");
    await readAgain();
  }
  show({ state: "stopping", next_run_at: null });
  return undefined;
}
