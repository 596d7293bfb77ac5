import { createHash } from "node:crypto";
import { Cron } from "croner";
import { UsageError } from "../platform/index.js";

/** When a pipeline runs, with every default filled in. */
export interface Schedule {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** IANA name of the time zone in which `cron` counts. */
  readonly timezone: string;
  /** Longest delay of a start, in seconds. */
  readonly jitter: number;
  /** Whether a missed run is made up. */
  readonly catchUp: boolean;
  /** Address and port of the health server; without a port there is none. */
  readonly host: string;
  readonly port: number | undefined;
}

/** The times of a schedule. A due time is what the cron expression names, without jitter. */
export interface Times {
  /** The latest due time that is not after an instant; null before the first. */
  readonly last: (instant: Date) => Date | null;
  /** The first due time after an instant. */
  readonly next: (instant: Date) => Date;
  /** When the run of a due time starts: the same for the same salt, spread over the jitter for different ones. */
  readonly start: (due: Date) => Date;
}

const secondMs = 1000;

const neverComes = ({ cron }: Pick<Schedule, "cron">) =>
  new UsageError(`schedule.cron "${cron}" never comes due. Check the day and the month.`);

function patternOf({ cron, timezone }: Schedule, now: Date): Cron {
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch (error) {
    throw new UsageError(
      `schedule.timezone ${timezone} is not a time zone. Use an IANA name, for example Europe/Berlin.`,
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
      `schedule.cron "${cron}" is not a cron expression. Write five fields, for example "0 2 * * *".`,
      {
        cause: error,
      },
    );
  }
  throw neverComes({ cron });
}

/**
 * The times of a schedule. A time that a change of the clocks leaves out is due when the gap ends, one that comes
 * twice is due the first time. An expression with several hours or minutes (lists, ranges, `*`) counts what the clock
 * shows: what is left out is dropped, what comes twice is due twice.
 * @param salt what tells this host and pipeline from others
 * @throws UsageError for an expression or a time zone that cannot be used
 */
export function timesOf(schedule: Schedule, salt: string, now: Date): Times {
  const pattern = patternOf(schedule, now);
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
