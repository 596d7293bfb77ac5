/** The log of a run: events with plain data. */
import { systemClock } from "./clock.js";

export type LogLevel = "debug" | "info" | "warn" | "error";

/** Secrets never enter it. */
export type LogFields = Readonly<Record<string, unknown>>;

export interface LogEvent {
  level: LogLevel;
  message: string;
  fields?: LogFields;
}

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

const levelRank: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

export function createLog(write: (event: LogEvent) => void, level: LogLevel = "info"): Log {
  const at = (own: LogLevel) => (message: string, fields?: LogFields) => {
    if (levelRank[own] < levelRank[level]) return;
    write(fields === undefined ? { level: own, message } : { level: own, message, fields });
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

export function withFields(log: Log, fields: LogFields): Log {
  return createLog(
    ({ level, message, fields: own }) => log[level](message, { ...fields, ...own }),
    "debug",
  );
}

/** In one line: level, time (ISO 8601, UTC), fields, message. */
export function jsonLine({ level, message, fields }: LogEvent): string {
  return JSON.stringify({ level, time: systemClock.now().toISOString(), ...fields, message });
}

export const silentLog: Log = createLog(() => undefined, "error");
