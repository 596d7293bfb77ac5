import {
  checkAnnounced,
  fileSink,
  TransientFailure,
  type AdaptiveLimit,
  type Client,
  type Sink,
} from "../../client/index.js";
import { messageOf, type Clock, type Log } from "../../platform/index.js";
import type { Checkpoint } from "../checkpoint.js";
import { countElements, type Count, type Scan, type Scanner, type Scanning, type Shape } from "../json/index.js";
import type { Progress } from "../progress.js";
import type { RawKeeper } from "./raw-keeper.js";

/** The parts of an export that a fetch uses. */
export interface FetchContext {
  readonly client: Client;
  readonly projectId: string;
  readonly checkpoint: Checkpoint;
  readonly raw: RawKeeper;
  readonly scanner: Scanner;
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

/** A body in a local file. */
export interface ReceivedBody extends Count {
  readonly file: string;
  readonly scan: Scan | undefined;
}

/**
 * Spools a body into a file, scans it while it arrives when a shape is expected, counts its elements and keeps it raw
 * unless it holds secrets. Uses the scan's count if the scan approves the body; otherwise counts over the bytes.
 */
export function receiveBody(
  { scanner, raw, progress }: FetchContext,
  name: string,
  file: string,
  { shape, isSecret }: { shape: Shape | undefined; isSecret: boolean },
): Sink<ReceivedBody> {
  let scanning: Scanning | undefined;
  const spool = fileSink(file, (bytes) => scanning?.advance(bytes));
  const count = () =>
    countElements(file).catch((error: unknown) => {
      throw new TransientFailure(`${name}: ${messageOf(error)}`, { cause: error });
    });
  return {
    async start() {
      scanning?.drop();
      scanning = shape && scanner.scan(file, shape);
      await spool.start();
    },
    async write(chunk) {
      await spool.write(chunk);
      progress.add({ bytes: chunk.length });
    },
    async finish(body) {
      await spool.finish(body);
      const scan = await scanning?.finish(body.bytes);
      scanning = undefined;
      const counted = scan?.conforms ? scan : await count();
      checkAnnounced(name, counted.elements, body.announced);
      if (!isSecret) await raw.keep(file, body.sha256);
      return { file, elements: counted.elements, isFlawed: counted.isFlawed, scan };
    },
    abort: () => spool.abort(),
  };
}
