import { fileMode, fsp, messageOf } from "../platform/index.js";
import { TerminalFailure } from "./failures.js";

/** Receives the body of one download. Each attempt restarts it. */
export interface Sink<T> {
  start(): Promise<void>;
  write(chunk: Buffer): Promise<void>;
  /** The body is complete. A TransientFailure thrown here repeats the request. */
  finish(body: { readonly sha256: string; readonly bytes: number }): Promise<T>;
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
