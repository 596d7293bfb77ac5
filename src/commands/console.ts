/** Standard output and standard error: results, log lines and silence. */
import { once } from "node:events";
import type { InferredOptionTypes } from "yargs";
import { forgetSecrets, withoutSecrets, type Redact } from "../client/index.js";
import {
  createLog,
  exitCodes,
  fsp,
  jsonLine,
  systemClock,
  visible,
  visibleLines,
  type ExitCode,
  type Log,
  type LogEvent,
  type LogFields,
  type LogLevel,
} from "../platform/index.js";

const manner = { isQuiet: false, isJson: false };

/** Whether JSON logs are asked for, even if the command line is not valid otherwise. */
const asksForJson = (argv: readonly string[]) =>
  argv.some(
    (one, i) => one === "--log-format=json" || (one === "--log-format" && argv[i + 1] === "json"),
  );

export function openConsole(argv: readonly string[]): void {
  forgetSecrets();
  manner.isQuiet = false;
  manner.isJson = asksForJson(argv);
}

export const isQuiet = () => manner.isQuiet;

export function beQuiet(): void {
  manner.isQuiet = true;
}

export const isJson = () => manner.isJson;

/** Results: a line each, control characters escaped. Nothing with `-q`. */
export function print(text: string, clean: Redact = withoutSecrets): void {
  if (manner.isQuiet) return;
  process.stdout.write(`${visibleLines(clean(text.replace(/\n$/, "")))}\n`);
}

/** Columns of the terminal; a file or pipe has no end. */
export const consoleWidth = (): number =>
  Number(process.env.COLUMNS) || process.stdout.columns || Infinity;

function writeError(line: string): void {
  process.stderr.write(`${visible(withoutSecrets(line))}\n`);
}

/** Progress, warnings and errors: one line each, newlines escaped too. */
export function printError(line: string, fields?: LogFields): void {
  if (!manner.isJson) writeError(line);
  else
    writeEvent({
      level: "error",
      message: line.replace(/^recount: /, ""),
      ...(fields ? { fields } : {}),
    });
}

export const writeEvent = (event: LogEvent) =>
  writeError(manner.isJson ? jsonLine(event) : logText(event));

/** What a person may want to know, and no run says. */
export function inform(message: string): void {
  if (!manner.isQuiet) writeEvent({ level: "info", message });
}

/** A warning that belongs to no run. */
export function warn(message: string): void {
  if (!manner.isQuiet) writeEvent({ level: "warn", message });
}

/** The last line of a JSON log, and the only one with `-q`, which is silent on success. */
export function conclude(exitCode: ExitCode, line: string, fields?: LogFields): void {
  process.exitCode = exitCode;
  const isOk = exitCode === exitCodes.ok;
  if (manner.isQuiet && isOk) return;
  if (manner.isJson)
    writeEvent({
      level: isOk ? "info" : "error",
      message: line,
      fields: { ...fields, exit_code: exitCode },
    });
  else if (manner.isQuiet) writeError(`recount: ${line}`);
}

export async function drained(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
}

/** Copies a file while `writing` makes it. Control characters are escaped on a terminal only. */
export async function printFile(
  file: string,
  writing: Promise<void> = Promise.resolve(),
): Promise<void> {
  if (manner.isQuiet) return writing;
  const state = { isWritten: false };
  const written = writing.finally(() => {
    state.isWritten = true;
  });
  written.catch(() => undefined);
  const decoder = new TextDecoder();
  const buffer = Buffer.alloc(1 << 18);
  let handle: Awaited<ReturnType<typeof fsp.open>> | undefined;
  try {
    for (;;) {
      const wasWritten = state.isWritten;
      handle ??= await fsp.open(file).catch(() => undefined);
      const { bytesRead } = (await handle?.read(buffer, 0, buffer.length)) ?? { bytesRead: 0 };
      const bytes = Buffer.from(buffer.subarray(0, bytesRead));
      if (bytesRead > 0)
        process.stdout.write(
          process.stdout.isTTY ? visibleLines(decoder.decode(bytes, { stream: true })) : bytes,
        );
      else if (wasWritten) break;
      else await Promise.race([written, systemClock.sleep(10)]).catch(() => undefined);
      await drained();
    }
    await written;
  } finally {
    await handle?.close();
  }
}

export const quietOption = {
  alias: "q",
  type: "boolean",
  default: false,
  describe: "Print nothing if the exit code is 0, and one line otherwise",
} as const;

export const logOptions = {
  verbose: { alias: "v", type: "boolean", default: false, describe: "Print debug messages too" },
  "log-format": {
    choices: ["text", "json"] as const,
    default: "text" as const,
    describe: "Log format on standard error",
  },
} as const;

export type LogOptions = InferredOptionTypes<typeof logOptions>;

export const logText = ({ level, message }: LogEvent) =>
  visible(withoutSecrets(level === "info" || level === "debug" ? message : `${level}: ${message}`));

export function levelOf(options: LogOptions): LogLevel {
  return manner.isQuiet ? "error" : options.verbose ? "debug" : "info";
}

export function consoleLog(options: LogOptions): Log {
  return createLog(writeEvent, levelOf(options));
}
