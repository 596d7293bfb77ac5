export type LogLevel = "debug" | "info" | "warn" | "error";

/** One event of a run. `fields` are plain data; secrets never enter them. */
export interface LogEvent {
  level: LogLevel;
  message: string;
  fields?: Record<string, unknown>;
}

export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

const order: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** A log that hands every event at or above `level` to `write`. */
export function createLog(write: (event: LogEvent) => void, level: LogLevel = "info"): Log {
  const at = (own: LogLevel) => (message: string, fields?: Record<string, unknown>) => {
    if (order[own] < order[level]) return;
    write(fields === undefined ? { level: own, message } : { level: own, message, fields });
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

export const silentLog: Log = createLog(() => undefined, "error");
