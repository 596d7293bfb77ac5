import { once } from "node:events";
import {
  createLog,
  fsp,
  redactor,
  systemClock,
  visible,
  visibleLines,
  type Log,
  type Redact,
  type LogEvent,
  type LogLevel,
} from "../platform/index.js";

/** Secrets that a command has read from a file. */
const secrets: string[] = [];
let redact: Redact | undefined;

/** Hides a secret in everything that is printed from now on. */
export function hide(secret: string): void {
  secrets.push(secret);
  redact = undefined;
}

/** A text without the secrets of this process: those of its environment, and the hidden ones. */
export function withoutSecrets(text: string): string {
  const { RECOUNT_API_KEY, RECOUNT_BASIC_PASSWORD, RECOUNT_SESSION_ID, RECOUNT_PSEUDONYM_KEY } = process.env;
  const all = [RECOUNT_API_KEY, RECOUNT_BASIC_PASSWORD, RECOUNT_SESSION_ID, RECOUNT_PSEUDONYM_KEY];
  const given = all.flatMap((secret) => secret ?? []);
  redact ??= redactor([...given, ...secrets]);
  return redact(text);
}

/** Results go to standard output, a line each; control characters within a line are escaped. */
export function print(text: string, clean: Redact = withoutSecrets): void {
  process.stdout.write(`${visibleLines(clean(text.replace(/\n$/, "")))}\n`);
}

/** Progress, warnings and errors go to standard error. Each is one line: a newline is escaped too. */
export function printError(line: string): void {
  process.stderr.write(`${visible(withoutSecrets(line))}\n`);
}

/** Waits until standard output has taken what was printed. */
export async function drained(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
}

/**
 * Copies a file to standard output while `writing` makes it, as it is, or with control characters escaped on a terminal.
 * @throws what `writing` throws
 */
export async function printFile(file: string, writing: Promise<void> = Promise.resolve()): Promise<void> {
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
        process.stdout.write(process.stdout.isTTY ? visibleLines(decoder.decode(bytes, { stream: true })) : bytes);
      else if (wasWritten) break;
      else await Promise.race([written, systemClock.sleep(10)]).catch(() => undefined);
      await drained();
    }
    await written;
  } finally {
    await handle?.close();
  }
}

export interface LogOptions {
  quiet: boolean;
  verbose: boolean;
  "log-format": "text" | "json";
}

/** Flags that every command with progress shares. */
export const logOptions = {
  quiet: { alias: "q", type: "boolean", default: false, describe: "Print nothing on success, and one line otherwise" },
  verbose: { alias: "v", type: "boolean", default: false, describe: "Print debug messages too" },
  "log-format": {
    choices: ["text", "json"] as const,
    default: "text" as const,
    describe: "Log format on standard error",
  },
} as const;

/** The text form of an event, in one line. */
export const textOf = ({ level, message }: LogEvent) =>
  visible(withoutSecrets(level === "info" || level === "debug" ? message : `${level}: ${message}`));

const asJson = (event: LogEvent) =>
  JSON.stringify({ level: event.level, message: event.message, ...event.fields }, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );

export function levelOf(options: LogOptions): LogLevel {
  return options.quiet ? "error" : options.verbose ? "debug" : "info";
}

export function consoleLog(options: LogOptions): Log {
  const render = options["log-format"] === "json" ? asJson : textOf;
  return createLog((event) => printError(render(event)), levelOf(options));
}
