/** Where a body goes: a file, or memory. */
import { fileMode, fsp, messageOf } from "../platform/index.js";
import { TerminalFailure } from "./failures.js";
import type { Announced } from "./pages.js";

interface WholeBody {
  readonly sha256: string;
  readonly bytes: number;
  readonly announced: Announced | undefined;
}

/** Receives the body of one download. Each attempt restarts it. */
export interface Sink<T> {
  start(): Promise<void>;
  write(chunk: Buffer): Promise<void>;
  /** The body is complete. A TransientFailure thrown here repeats the request. */
  finish(body: WholeBody): Promise<T>;
  abort(): Promise<void>;
}

/** A call for each piece of a body would take longer than its hash. */
const batchBytes = 1 << 19;

/** @throws TerminalFailure when the file cannot be written. */
export function fileSink(file: string): Sink<string> {
  let handle: Awaited<ReturnType<typeof fsp.open>> | undefined;
  let batch: Buffer[] = [];
  let batched = 0;
  let writing = Promise.resolve();
  const refuse = (error: unknown) => {
    throw new TerminalFailure(`${file} cannot be written: ${messageOf(error)}`, { cause: error });
  };
  async function writeBatch(pieces: readonly Buffer[], bytes: number): Promise<void> {
    const done = (await handle?.writev(pieces).catch(refuse))?.bytesWritten ?? 0;
    if (done < bytes) await handle?.writeFile(Buffer.concat(pieces).subarray(done)).catch(refuse);
  }
  async function flush(): Promise<void> {
    await writing;
    writing = writeBatch(batch, batched);
    writing.catch(() => undefined); // Whoever waits for the next batch or the end gets the error.
    [batch, batched] = [[], 0];
  }
  const close = async () => {
    const open = handle;
    handle = undefined;
    await open?.close();
  };
  return {
    async start() {
      [batch, batched, writing] = [[], 0, Promise.resolve()];
      handle = await fsp.open(file, "w", fileMode).catch(refuse);
    },
    async write(chunk) {
      batch.push(chunk);
      batched += chunk.length;
      if (batched >= batchBytes) await flush();
    },
    async finish() {
      if (batched > 0) await flush();
      await writing;
      await close();
      return file;
    },
    async abort() {
      await writing.catch(() => undefined);
      await close();
    },
  };
}

export function memorySink(): Sink<{
  readonly text: string;
  readonly announced: Announced | undefined;
}> {
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
    finish: ({ announced }) =>
      Promise.resolve({ text: Buffer.concat(chunks).toString("utf8"), announced }),
    abort: clear,
  };
}
