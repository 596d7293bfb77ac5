import {
  checkAnnounced,
  fileSink,
  TransientFailure,
  type AdaptiveLimit,
  type Client,
  type Sink,
} from "../../client/index.js";
import { fileMode, fs, messageOf, readText, removeFile, type Clock, type Log } from "../../platform/index.js";
import type { Checkpoint } from "../checkpoint.js";
import { countElements, scanBody, type ElementCount, type Scan, type Scanning, type Shape } from "../parse/index.js";
import type { Progress } from "../progress.js";
import type { RawKeeper } from "./raw-keeper.js";

/** The parts of an export that a fetch uses. */
export interface FetchContext {
  readonly client: Client;
  readonly projectId: string;
  readonly checkpoint: Checkpoint;
  readonly raw: RawKeeper;
  /** Limits concurrent requests. */
  readonly requests: AdaptiveLimit;
  /** Aborted once the export has failed, since running requests are then useless. */
  readonly ending: AbortController;
  readonly clock: Clock;
  readonly log: Log;
  readonly progress: Progress;
  /** Masks the secrets of the client in bodies. */
  readonly maskSecrets: boolean;
}

/** A body in a local file. A short one stays in memory until its file is asked for: most lists of small experiments are empty. */
export interface ReceivedBody extends ElementCount {
  /** Exists after `write`. */
  readonly file: string;
  readonly scan: Scan | undefined;
  text(): Promise<string>;
  write(): void;
  remove(): Promise<void>;
}

/** The longest body in memory. Thousands may wait for a conversion. */
const shortBody = 4096;

/**
 * Spools a body into a file unless it is short, scans it while it arrives when a shape is expected, counts its elements and
 * keeps it raw unless it holds secrets. A body that the scan does not approve is counted over its bytes.
 */
export function receiveBody(
  { raw, progress }: FetchContext,
  name: string,
  file: string,
  { shape, isSecret }: { shape: Shape | undefined; isSecret: boolean },
): Sink<ReceivedBody> {
  let scanning: Scanning | undefined;
  let held: Buffer | undefined;
  const spool = fileSink(file);
  const count = (body: string | Buffer) =>
    countElements(body).catch((error: unknown) => {
      throw new TransientFailure(`${name}: ${messageOf(error)}`, { cause: error });
    });
  return {
    start() {
      scanning = shape && scanBody(shape);
      held = Buffer.alloc(0);
      return Promise.resolve();
    },
    async write(chunk) {
      progress.add({ bytes: chunk.length });
      scanning?.push(chunk);
      if (held !== undefined && held.length + chunk.length <= shortBody) {
        held = Buffer.concat([held, chunk]);
        return;
      }
      if (held !== undefined) {
        await spool.start();
        await spool.write(held);
        held = undefined;
      }
      await spool.write(chunk);
    },
    async finish(body) {
      const short = held;
      if (short === undefined) await spool.finish(body);
      const scan = scanning?.finish();
      scanning = undefined;
      const { elements, isFlawed } = scan ? { elements: scan.elements, isFlawed: false } : await count(short ?? file);
      checkAnnounced(name, elements, body.announced);
      if (!isSecret) await raw.keep(short ?? file, body.sha256);
      let isWritten = short === undefined;
      return {
        ...{ file, elements, isFlawed, scan },
        text: () => (short === undefined ? readText(file) : Promise.resolve(short.toString())),
        write() {
          if (isWritten) return;
          isWritten = true;
          fs.writeFileSync(file, short ?? "", { mode: fileMode });
        },
        remove: () => (isWritten ? removeFile(file) : Promise.resolve()),
      };
    },
    abort: () => spool.abort(),
  };
}
