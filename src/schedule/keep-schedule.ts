/** Due times of a schedule, the loop that keeps them, and its health server. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Cron } from "croner";
import {
  codeOf,
  exitCodes,
  messageOf,
  UsageError,
  type Clock,
  type Log,
} from "../platform/index.js";

interface PastRun {
  readonly started_at: string;
  readonly ended_at: string | null;
  /** null: it was killed. */
  readonly exit_code: number | null;
}

export interface ScheduleState {
  readonly state: "starting" | "waiting" | "running" | "stopping";
  /** Start of the next run, with its jitter; while one is running, its due time. */
  readonly next_run_at: string | null;
  readonly last_run: PastRun | null;
  /** Why the schedule cannot be read; the one read before stays in force. */
  readonly problem: string | null;
}

export const starting: ScheduleState = {
  state: "starting",
  next_run_at: null,
  last_run: null,
  problem: null,
};

interface ScheduleWork {
  readonly read: () => Promise<Schedule>;
  /** Oldest first. What it leaves out, it warns of. */
  readonly runs: (
    now: Date,
    warn: (message: string) => void,
  ) => Promise<readonly (readonly PastRun[])[]>;
  readonly run: () => Promise<number | null>;
}

interface ScheduleEffects {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** What tells this host and pipeline from others, for the jitter. */
  readonly salt: string;
  readonly onState: (state: ScheduleState) => void;
}

/** A change of the wall clock or of the file is noticed within it. */
const longestPauseMs = 300_000;

/** Ended and not interrupted, or a second attempt: no run brings its host down for ever. */
const isMade = (runs: readonly PastRun[], due: Date) => {
  const since = runs.filter(({ started_at }) => new Date(started_at) >= due);
  return (
    since.length > 1 ||
    since.some(({ exit_code: code }) => code !== null && code !== exitCodes.interrupted)
  );
};

const instantText = (instant: Date) => instant.toISOString().replace(/\.\d+/, "");

type Show = (change: Partial<ScheduleState>) => void;

const pause = async (clock: Clock, until: Date, over: AbortSignal) => {
  const ms = Math.min(longestPauseMs, until.getTime() - clock.now().getTime());
  await clock.sleep(Math.max(0, ms), over).catch(() => undefined);
};

async function readSchedule(
  read: ScheduleWork["read"],
  { clock, log, salt }: ScheduleEffects,
  show: Show,
) {
  const readOnce = async () => {
    const schedule = await read();
    return { schedule, times: timesOf(schedule, salt, clock.now()) };
  };
  let current = await readOnce();
  let problem: string | null = null;
  return {
    current: () => current,
    readAgain: async () => {
      try {
        current = await readOnce();
        if (problem !== null) log.info("The schedule can be read again.");
        problem = null;
      } catch (error) {
        const reason = messageOf(error);
        if (reason !== problem) log.warn(`The schedule stays as it was: ${reason}`);
        problem = reason;
      }
      show({ problem });
    },
  };
}

async function saySkipped(
  times: Times,
  started: Date,
  { clock, log }: ScheduleEffects,
  over: AbortSignal,
) {
  const next = times.next(started);
  while (!over.aborted) {
    if (clock.now() >= next) {
      log.warn(
        `Skipped the run due at ${instantText(next)}: the one started at ` +
          `${instantText(started)} is still running.`,
      );
      return;
    }
    await pause(clock, next, over);
  }
}

async function runOnce(
  run: ScheduleWork["run"],
  times: Times,
  effects: ScheduleEffects,
  show: Show,
) {
  const { clock } = effects;
  const started = clock.now();
  show({ state: "running", next_run_at: instantText(times.next(started)) });
  const over = new AbortController();
  const skipping = saySkipped(times, started, effects, over.signal);
  const exit_code = await run();
  over.abort();
  await skipping;
  show({
    state: "waiting",
    last_run: { started_at: started.toISOString(), ended_at: clock.now().toISOString(), exit_code },
  });
  return exit_code;
}

function latestRun(projects: readonly (readonly PastRun[])[]): PastRun | null {
  const past = projects
    .flat()
    .toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1))
    .at(-1);
  return past
    ? { started_at: past.started_at, ended_at: past.ended_at, exit_code: past.exit_code }
    : null;
}

/**
 * Runs do not overlap. Of what was missed, the last is made up if `catchUp` says so.
 * @returns the exit code of the run that the signal interrupted, undefined if there was none
 * @throws UsageError if the schedule cannot be read at first
 */
export async function keepSchedule(
  { read, runs, run }: ScheduleWork,
  effects: ScheduleEffects,
): Promise<number | null | undefined> {
  const { clock, log, signal, onState } = effects;
  let state = starting;
  const show: Show = (change) => onState((state = { ...state, ...change }));
  const { current, readAgain } = await readSchedule(read, effects, show);
  // A lake that cannot be read is the run's to report.
  let hasWarned = false;
  const warn = (message: string) => {
    if (!hasWarned) log.warn(message);
    hasWarned = true;
  };
  const remembered = () => runs(clock.now(), warn).catch(() => []);
  const last_run = latestRun(await remembered());
  if (last_run) show({ last_run });
  let settled = current().schedule.catchUp ? -Infinity : clock.now().getTime();

  const pending = async () => {
    const last = current().times.last(clock.now());
    if (last === null || last.getTime() <= settled) return null;
    const projects = await remembered();
    if (projects.length === 0 || !projects.every((all) => isMade(all, last))) return last;
    settled = last.getTime();
    return null;
  };

  const isOver = () => signal.aborted;
  let announced = "";
  while (!isOver()) {
    const due = await pending();
    const { schedule, times } = current();
    const start = times.start(due ?? times.next(clock.now()));
    show({ state: "waiting", next_run_at: instantText(start) });
    if (due === null || start > clock.now()) {
      if (announced !== instantText(start))
        log.info(`The next run starts at ${(announced = instantText(start))}.`);
      await pause(clock, start, signal);
      await readAgain();
      continue;
    }
    if (isOver()) break;
    if (clock.now().getTime() - start.getTime() > longestPauseMs)
      log.info(`Making up the run due at ${instantText(due)}.`);
    const exitCode = await runOnce(run, times, effects, show);
    settled = schedule.catchUp ? due.getTime() : clock.now().getTime();
    if (isOver()) return exitCode;
    if (exitCode === null) log.error("The run was killed.");
    await readAgain();
  }
  show({ state: "stopping", next_run_at: null });
  return undefined;
}

interface Health {
  readonly url: string;
  close(): void;
}

/** @throws UsageError if the address cannot be used */
export async function serveHealth(
  host: string,
  port: number,
  state: () => ScheduleState,
  metrics: () => Promise<string>,
): Promise<Health> {
  const server = createServer((request, response) => {
    const write = (status: number, type: string, body: string) => {
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
      response.end(request.method === "HEAD" ? undefined : body);
    };
    const answer = (status: number, body: object) =>
      write(status, "application/json", `${JSON.stringify(body)}\n`);
    const now = state();
    const isReady = now.problem === null && (now.state === "waiting" || now.state === "running");
    const [path] = (request.url ?? "").split("?");
    if (request.method !== "GET" && request.method !== "HEAD")
      answer(405, { error: "only GET and HEAD" });
    else if (path === "/healthz") answer(200, { status: "alive" });
    else if (path === "/readyz") answer(isReady ? 200 : 503, now);
    else if (path === "/metrics")
      metrics().then(
        (text) => write(200, "text/plain; version=0.0.4; charset=utf-8", text),
        (error: unknown) => answer(500, { error: messageOf(error) }),
      );
    else answer(404, { error: "only /healthz, /readyz and /metrics" });
  });
  server.listen(port, host);
  await once(server, "listening").catch((error: unknown) => {
    const reason = codeOf(error) === "EADDRINUSE" ? "the port is in use" : messageOf(error);
    throw new UsageError(
      `The health server cannot listen on ${host}:${port}: ${reason}. Check --health-port.`,
      {
        cause: error,
      },
    );
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export interface Schedule {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** IANA name of the time zone in which `cron` counts. */
  readonly timezone: string;
  /** Longest delay of a start, in seconds. */
  readonly jitter: number;
  readonly catchUp: boolean;
  /** Address and port of the health server; without a port there is none. */
  readonly host: string;
  readonly port: number | undefined;
}

interface Times {
  /** Null before the first. */
  readonly last: (instant: Date) => Date | null;
  readonly next: (instant: Date) => Date;
  /** The same for the same salt, spread over the jitter for different ones. */
  readonly start: (due: Date) => Date;
}

const secondMs = 1000;

const neverComes = ({ cron }: Pick<Schedule, "cron">) =>
  new UsageError(`schedule.cron "${cron}" never comes due. Check the day and the month.`);

/** @throws UsageError for an expression, or a time zone, that cannot be used. */
export function cronOf({ cron, timezone }: Pick<Schedule, "cron" | "timezone">, now: Date): Cron {
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch (error) {
    throw new UsageError(
      `schedule.timezone ${timezone} is not a time zone. Use an IANA name, for example ` +
        "Europe/Berlin.",
      {
        cause: error,
      },
    );
  }
  try {
    const pattern = new Cron(cron, { timezone, mode: "5-part" });
    if (pattern.nextRun(now) !== null) return pattern;
  } catch (error) {
    throw new UsageError(
      `schedule.cron "${cron}" is not a cron expression. Write five fields, for example "0 ` +
        `2 * * *".`,
      {
        cause: error,
      },
    );
  }
  throw neverComes({ cron });
}

/**
 * A time that a change of the clocks leaves out is due when the gap ends, one that comes twice the
 * first time. With several hours or minutes, what is left out is dropped and twice is twice.
 * @throws UsageError for an expression or a time zone that cannot be used
 */
export function timesOf(schedule: Schedule, salt: string, now: Date): Times {
  const pattern = cronOf(schedule, now);
  return {
    last: (instant) => pattern.previousRuns(1, new Date(instant.getTime() + 1))[0] ?? null,
    next(instant) {
      const next = pattern.nextRun(instant);
      if (next === null) throw neverComes(schedule);
      return next;
    },
    start(due) {
      const hash = createHash("sha256").update(`${salt}\n${due.toISOString()}`).digest();
      return new Date(due.getTime() + (hash.readUInt32BE() % (schedule.jitter + 1)) * secondMs);
    },
  };
}
