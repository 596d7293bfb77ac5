import { fileMode, fsp, messageOf } from "../platform/index.js";
import { TerminalFailure } from "./failures.js";

/** Takes in the body of one download. Each attempt starts it again from nothing. */
export interface Sink<T> {
  start(): Promise<void>;
  write(chunk: Buffer): Promise<void>;
  /** The body has arrived whole. A TransientFailure thrown here has the request sent again. */
  finish(body: { readonly sha256: string; readonly bytes: number }): Promise<T>;
  /** The attempt failed. */
  abort(): Promise<void>;
}

/** Writes a body into a file. Throws a TerminalFailure when that cannot be written. */
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
