import { Worker } from "node:worker_threads";
import { fs, threadFile } from "../../platform/index.js";
import { createListScanner, createTailReader, inDoubt, type Scan } from "./list-scanner.js";
import type { ScanAnswer, ScanOrder } from "./scan-worker.js";
import type { Shape } from "./shape.js";
import { push } from "./tokenizer.js";

/** One body that is scanned while it arrives. */
export interface Scanning {
  /** The file holds at least this many bytes. */
  advance(upTo: number): void;
  /** The file is complete. A short body may not be in the file, but here. */
  finish(size: number, held?: Buffer): Promise<Scan>;
  drop(): void;
}

/** Scans bodies beside the thread that receives them. */
export interface Scanner {
  scan(file: string, shape: Shape): Scanning;
  close(): Promise<void>;
}

/** Bytes that arrive between two messages to the worker, and before the first. */
const stride = 1 << 21;

/** The built worker. It does not exist when Recount runs from its sources: then this thread scans. */
const workerFile = threadFile("extract/json/scan-worker.js");

function scanHeld(body: Buffer, shape: Shape): Scan {
  const scanner = createListScanner(shape);
  push(body, scanner);
  return scanner.finish();
}

const here: Scanner = {
  scan(file, shape) {
    const reader = createTailReader(file, shape);
    return {
      advance: () => undefined,
      finish: (size, held) => Promise.resolve(held === undefined ? reader.finish(size) : scanHeld(held, shape)),
      drop: () => reader.drop(),
    };
  },
  close: () => Promise.resolve(),
};

/** Scans long bodies in a worker, which starts with the first of them, and short ones at their end in this thread. */
export function createScanner(file = workerFile): Scanner {
  let beside: Scanner | undefined;
  return {
    scan(body, shape) {
      let scanning: Scanning | undefined;
      return {
        advance(upTo) {
          if (upTo < stride) return;
          beside ??= fs.existsSync(file) ? createWorkerScanner(file) : here;
          scanning ??= beside.scan(body, shape);
          scanning.advance(upTo);
        },
        finish: (size, held) => (scanning ?? here.scan(body, shape)).finish(size, held),
        drop: () => scanning?.drop(),
      };
    },
    close: async () => beside?.close(),
  };
}

/** Starts the scanning worker. If it dies, every body is in doubt and is read the slow, exact way. */
function createWorkerScanner(file: string): Scanner {
  const worker = new Worker(file);
  const waiting = new Map<number, (scan: Scan) => void>();
  let ids = 0;
  let isDead = false;
  const tell = (order: ScanOrder) => worker.postMessage(order);
  worker.on("message", (answer: ScanAnswer) => {
    waiting.get(answer.id)?.("scan" in answer ? answer.scan : inDoubt);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker.unref();
  });
  const die = () => {
    isDead = true;
    for (const resolve of waiting.values()) resolve(inDoubt);
    waiting.clear();
  };
  worker.on("error", die);
  worker.on("exit", die);
  worker.unref();
  return {
    scan(body, shape) {
      const id = ids++;
      let announced = 0;
      tell({ id, order: "start", file: body, shape });
      return {
        advance(upTo) {
          if (upTo - announced < stride) return;
          announced = upTo;
          tell({ id, order: "advance", upTo });
        },
        finish(size) {
          if (isDead) return Promise.resolve(inDoubt);
          return new Promise((resolve) => {
            waiting.set(id, resolve);
            worker.ref();
            tell({ id, order: "finish", size });
          });
        },
        drop: () => tell({ id, order: "drop" }),
      };
    },
    async close() {
      await worker.terminate();
    },
  };
}
