import { createLog, type Log, type LogEvent, type LogLevel } from "../platform/index.js";

/** Results go to standard output. */
export function print(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** Progress, warnings and errors go to standard error. */
export function printError(text: string): void {
  process.stderr.write(text.endsWith("\n") ? text : `${text}\n`);
}

export interface LogOptions {
  quiet: boolean;
  verbose: boolean;
  "log-format": "text" | "json";
}

/** Flags that every command with progress shares. */
export const logOptions = {
  quiet: { alias: "q", type: "boolean", default: false, describe: "Print only warnings and errors" },
  verbose: { alias: "v", type: "boolean", default: false, describe: "Print debug messages too" },
  "log-format": {
    choices: ["text", "json"] as const,
    default: "text" as const,
    describe: "Log format on standard error",
  },
} as const;

/** The text form of an event. */
export const textOf = ({ level, message }: LogEvent) =>
  level === "info" || level === "debug" ? message : `${level}: ${message}`;

const asJson = (event: LogEvent) =>
  JSON.stringify({ level: event.level, message: event.message, ...event.fields }, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );

export function levelOf(options: LogOptions): LogLevel {
  return options.quiet ? "warn" : options.verbose ? "debug" : "info";
}

export function consoleLog(options: LogOptions): Log {
  const render = options["log-format"] === "json" ? asJson : textOf;
  return createLog((event) => printError(render(event)), levelOf(options));
}
