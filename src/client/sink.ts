import { fileMode, fsp, messageOf } from "../platform/index.js";
import { TerminalFailure } from "./failures.js";
import type { Announced } from "./pages.js";

/** A body that arrived whole. */
export interface WholeBody {
  readonly sha256: string;
  readonly bytes: number;
  /** The number of elements that the response announced, if it did. */
  readonly announced: Announced | undefined;
}

/** Receives the body of one download. Each attempt restarts it. */
export interface Sink<T> {
  start(): Promise<void>;
  write(chunk: Buffer): Promise<void>;
  /** The body is complete. A TransientFailure thrown here repeats the request. */
  finish(body: WholeBody): Promise<T>;
  /** The attempt failed. */
  abort(): Promise<void>;
}

/** Writes a body into a file. @throws TerminalFailure when the file cannot be written. */
export function fileSink(file: string): Sink<string> {
  let handle: Awaited<ReturnType<typeof fsp.open>> | undefined;
  const refuse = (error: unknown) => {
    throw new TerminalFailure(`${file} cannot be written: ${messageOf(error)}`, { cause: error });
  };
  const close = async () => {
    const open = handle;
    handle = undefined;
    await open?.close();
  };
  return {
    async start() {
      handle = await fsp.open(file, "w", fileMode).catch(refuse);
    },
    write: async (chunk) => handle?.writeFile(chunk).catch(refuse),
    async finish() {
      await close();
      return file;
    },
    abort: close,
  };
}

/** Keeps a body in memory, as text. */
export function memorySink(): Sink<{ readonly text: string; readonly announced: Announced | undefined }> {
  let chunks: Buffer[] = [];
  const clear = () => {
    chunks = [];
    return Promise.resolve();
  };
  return {
    start: clear,
    write(chunk) {
      chunks.push(chunk);
      return Promise.resolve();
    },
    finish: ({ announced }) => Promise.resolve({ text: Buffer.concat(chunks).toString("utf8"), announced }),
    abort: clear,
  };
}
