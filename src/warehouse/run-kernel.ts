/** Runs a kernel in this thread, or in one of its own. */
import { Worker } from "node:worker_threads";
import type { Columns, Conventions, Kernel, KernelNeeds, KernelOutput } from "../metrics/index.js";
import { fs, threadFile } from "../platform/index.js";

export interface KernelOrder extends KernelNeeds {
  readonly name: string;
  readonly input: Columns;
  readonly conventions: Conventions;
}

/** Rows from which a slow kernel has its own thread. Starting one takes 0.1 s of CPU. */
const manyRows = 100_000;

/** Null when run from sources: everything then runs in this thread. */
const workerFile = threadFile("warehouse/worker.js");

/**
 * In its own thread if it is slow and its input, which both share, is large.
 * @throws the kernel's error
 */
export async function runKernel(
  kernel: Kernel,
  order: KernelOrder,
  { worker = workerFile, many = manyRows } = {},
): Promise<KernelOutput> {
  const { input, conventions, unread } = order;
  const rows = Object.values(input)[0]?.length ?? 0;
  const isSlow = kernel.slow?.some((suffix) => !unread.includes(suffix)) === true;
  if (!isSlow || rows < many || !fs.existsSync(worker))
    return kernel.run(input, conventions, order);
  return new Promise((resolve, reject) => {
    const thread = new Worker(worker, { workerData: order });
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", () =>
      reject(new Error(`the thread of the kernel ${order.name} ended early`)),
    );
  });
}

export function buffersOf(
  tables: readonly Readonly<Record<string, ArrayLike<number>>>[],
): ArrayBuffer[] {
  const columns = tables.flatMap((table) => Object.values(table));
  return [
    ...new Set(
      columns.flatMap((column) =>
        ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : [],
      ),
    ),
  ];
}
